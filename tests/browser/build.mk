# SPDX-License-Identifier: GPL-2.0
# The page of a made-up model: all of the page's objects, and a trace that is none.

SYNTHETIC := $(BUILD)/tests/browser/synthetic

synthetic: $(SYNTHETIC)

# All but what reads a trace.
SYNTHETIC_PAGE_SRCS := $(filter-out %/page_stream.c,$(wildcard viewer/page/*.c viewer/page/overview/*.c))

$(SYNTHETIC): tests/browser/synthetic.c $(SYNTHETIC_PAGE_SRCS:%.c=$(BUILD)/%.o) $(PAGE_OUT)/shell.o \
		$(patsubst %,$(BUILD)/viewer/model/%.o,window edits implied state_log state_sums take columns pmu_columns account order free gaps pmu_merge mappings tids topology) \
		$(addprefix $(BUILD)/viewer/util/,json.o html_text.o diag.o xalloc.o)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -ldeflate -lm

.PHONY: synthetic

# SPDX-License-Identifier: GPL-2.0
# The page of a made-up model: all of the page's objects, and a trace that is none.

SYNTHETIC := $(BUILD)/tests/browser/synthetic

unit-tests: $(SYNTHETIC)

$(SYNTHETIC): tests/browser/synthetic.c $(patsubst %,$(PAGE_OUT)/%.o,page data head summary tables block implied state_edits shell) \
		$(patsubst %.c,$(BUILD)/%.o,$(wildcard viewer/page/overview*.c)) \
		$(patsubst %,$(BUILD)/viewer/model/%.o,window take columns pmu_columns account order free pmu_merge mappings tids) \
		$(addprefix $(BUILD)/viewer/util/,json.o diag.o xalloc.o)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -ldeflate -lm

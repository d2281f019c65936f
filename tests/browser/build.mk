# SPDX-License-Identifier: GPL-2.0
# The page of a made-up model: what writes pages, and a trace that is none.

SYNTHETIC := $(BUILD)/tests/browser/synthetic

synthetic: $(SYNTHETIC)

# It has its own trace_string(), so nothing of the archive that reads a trace is linked.
$(SYNTHETIC): tests/browser/synthetic.c $(BUILD)/viewer/libviewer.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) -fno-lto -MMD -MP $(LDFLAGS) -o $@ $< \
		$(BUILD)/viewer/libviewer.a -ldeflate -lm

-include $(SYNTHETIC).d

.PHONY: synthetic

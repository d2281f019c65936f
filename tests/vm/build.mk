# SPDX-License-Identifier: GPL-2.0
# What runs on this machine: it reads what the guests recorded, or makes what they are given.

GUEST_CHECKS := $(BUILD)/tests/vm/host/check_stress $(BUILD)/tests/vm/host/unwind_rows

guest-programs: $(GUEST_CHECKS)

$(BUILD)/tests/vm/host/%: tests/vm/%.c $(BUILD)/viewer/libviewer.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) -fno-lto -MMD -MP -o $@ $< \
		$(BUILD)/viewer/libviewer.a $(LDFLAGS) $(VIEWER_LIBS)

# What guests of another machine run. It is for BUILD and CC to say which one: tests/vm/module.
FOREIGN_PROGRAMS := pmu device ring ring_identity ring_exec ring_hostile full_rings stress \
	linked_stacks attack_stacks

# Not every compiler makes tables without being asked.
$(BUILD)/tests/vm/linked_stacks: CFLAGS_ALL += -fasynchronous-unwind-tables

foreign-programs: $(FOREIGN_PROGRAMS:%=$(BUILD)/tests/vm/%) $(BUILD)/workloads/pages

-include $(GUEST_CHECKS:=.d)

.PHONY: foreign-programs

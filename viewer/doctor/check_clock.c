// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks: the kernel's own, on which rings depend, and that of the trace.
 */
#include "doctor/check_clock.h"

#include <stdio.h>
#include <string.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

/* annot record's default. */
#define TRACE_CLOCK "mono"

void doctor_check_clocksource(const struct machine *machine, struct verdict *verdict)
{
	char clock[64], clocks[256];

	if (!machine_file_line(machine, PATH_CLOCK, clock, sizeof(clock))) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "there is no current_clocksource");
		return;
	}
	if (!machine_is_x86(machine) || !strcmp(clock, "tsc")) {
		verdict_say(verdict, SEVERITY_OK, "the kernel's clock is %s", clock);
		return;
	}
	machine_file_line(machine, PATH_CLOCKS, clocks, sizeof(clocks));
	if (machine_text_has_word(clocks, "tsc")) {
		verdict_say(verdict, SEVERITY_LIMITS, "the kernel's clock is %s, not the TSC",
			    clock);
		verdict_cure(verdict, "boot with clocksource=tsc");
	} else {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "the TSC is unstable (the kernel's clock is %s): no rings", clock);
		verdict_cure(verdict, "boot with tsc=reliable, if you know that the TSC is good");
	}
}

/* Takes the brackets, which mark the current clock, out of a list of clocks. */
static void strip_brackets(char *clocks)
{
	for (; *clocks; clocks++) {
		if (*clocks == '[' || *clocks == ']')
			*clocks = ' ';
	}
}

void doctor_check_trace_clock(const struct machine *machine, struct verdict *verdict)
{
	char dir[PATH_MAX], path[PATH_MAX], clocks[256];

	if (!machine_tracing_dir(machine, dir, NULL)) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "tracefs is not mounted");
		return;
	}
	snprintf(path, sizeof(path), "%.2000s/trace_clock", dir);
	if (!machine_file_line(machine, path, clocks, sizeof(clocks))) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "only a user who may trace can check it");
		return;
	}
	strip_brackets(clocks);
	if (machine_text_has_word(clocks, TRACE_CLOCK)) {
		verdict_say(verdict, SEVERITY_OK, "the kernel has the trace clock " TRACE_CLOCK);
	} else {
		verdict_say(verdict, SEVERITY_PREVENTS,
			    "the kernel has no trace clock " TRACE_CLOCK);
		verdict_cure(verdict, "annot record --clock local (or another of trace_clock)");
	}
}

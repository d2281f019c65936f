// SPDX-License-Identifier: GPL-2.0
#include "doctor/checks.h"

#include "doctor/looks.h"
#include "util/diag.h"

static const struct {
	const char *name;
	look_function *look;
} checks[NR_CHECKS] = {
	[CHECK_TRACEFS] = { "tracefs", look_tracefs },
	[CHECK_ACCESS] = { "access", look_access },
	[CHECK_TRACE_CLOCK] = { "trace-clock", look_trace_clock },
	[CHECK_SWITCHES] = { "switches", look_switches },
	[CHECK_MEMORY] = { "memory", look_memory },
	[CHECK_MODULE] = { "module", look_module },
	[CHECK_SIGNING] = { "signing", look_signing },
	[CHECK_LOCKDOWN] = { "lockdown", look_lockdown },
	[CHECK_DEVICES] = { "devices", look_devices },
	[CHECK_MEMLOCK] = { "memlock", look_memlock },
	[CHECK_CLOCKSOURCE] = { "clocksource", look_clocksource },
	[CHECK_PERF] = { "perf", look_perf },
	[CHECK_PMU] = { "pmu", look_pmu },
	[CHECK_WATCHDOG] = { "watchdog", look_watchdog },
	[CHECK_VIRTUAL] = { "virtual", look_virtual },
	[CHECK_CONTAINER] = { "container", look_container },
	[CHECK_SECCOMP] = { "seccomp", look_seccomp },
	[CHECK_SYSFS] = { "sysfs", look_sysfs },
};

const char *doctor_check_name(enum check check)
{
	return checks[check].name;
}

void doctor_look(enum check check, const struct machine *machine, struct verdict *verdict)
{
	*verdict = (struct verdict){ 0 };
	checks[check].look(machine, verdict);
}

int doctor_tell(const char *command, enum check check, enum severity least)
{
	struct machine machine;
	struct verdict verdict;

	machine_read(&machine);
	doctor_look(check, &machine, &verdict);
	if (verdict.severity < least)
		return 0;
	return diag_error("%s: %s%s%s", command, verdict.what, *verdict.cure ? ": " : "",
			  verdict.cure);
}

// SPDX-License-Identifier: GPL-2.0
#include "doctor/checks.h"

#include "doctor/check_clock.h"
#include "doctor/check_container.h"
#include "doctor/check_devices.h"
#include "doctor/check_memory.h"
#include "doctor/check_module.h"
#include "doctor/check_perf.h"
#include "doctor/check_switches.h"
#include "doctor/check_tracefs.h"
#include "doctor/check_virtual.h"
#include "util/diag.h"

static const struct {
	const char *name;
	void (*run)(const struct machine *machine, struct verdict *verdict);
} checks[NR_CHECKS] = {
	[CHECK_TRACEFS] = { "tracefs", doctor_check_tracefs },
	[CHECK_ACCESS] = { "access", doctor_check_access },
	[CHECK_TRACE_CLOCK] = { "trace-clock", doctor_check_trace_clock },
	[CHECK_SWITCHES] = { "switches", doctor_check_switches },
	[CHECK_MEMORY] = { "memory", doctor_check_memory },
	[CHECK_MODULE] = { "module", doctor_check_module },
	[CHECK_SIGNING] = { "signing", doctor_check_signing },
	[CHECK_LOCKDOWN] = { "lockdown", doctor_check_lockdown },
	[CHECK_DEVICES] = { "devices", doctor_check_devices },
	[CHECK_MEMLOCK] = { "memlock", doctor_check_memlock },
	[CHECK_CLOCKSOURCE] = { "clocksource", doctor_check_clocksource },
	[CHECK_PERF] = { "perf", doctor_check_perf },
	[CHECK_PMU] = { "pmu", doctor_check_pmu },
	[CHECK_WATCHDOG] = { "watchdog", doctor_check_watchdog },
	[CHECK_VIRTUAL] = { "virtual", doctor_check_virtual },
	[CHECK_CONTAINER] = { "container", doctor_check_container },
	[CHECK_SECCOMP] = { "seccomp", doctor_check_seccomp },
	[CHECK_SYSFS] = { "sysfs", doctor_check_sysfs },
};

const char *doctor_check_name(enum doctor_check check)
{
	return checks[check].name;
}

void doctor_check_run(enum doctor_check check, const struct machine *machine,
		      struct verdict *verdict)
{
	*verdict = (struct verdict){ 0 };
	checks[check].run(machine, verdict);
}

int doctor_check_report(const char *command, enum doctor_check check, enum severity least)
{
	struct machine machine;
	struct verdict verdict;

	machine_read(&machine);
	doctor_check_run(check, &machine, &verdict);
	if (verdict.severity < least)
		return 0;
	return diag_error("%s: %s%s%s", command, verdict.what, *verdict.cure ? ": " : "",
			  verdict.cure);
}

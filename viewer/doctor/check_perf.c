// SPDX-License-Identifier: GPL-2.0
/* Permission to count and sample, the PMU, and other users of its counters. */
#include "doctor/check_perf.h"

#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"
#include "pmu/refusal.h"

void doctor_check_perf(const struct machine *machine, struct verdict *verdict)
{
	long long paranoid;

	if (!machine_file_number(machine, PATH_PARANOID, &paranoid)) {
		verdict_say(verdict, SEVERITY_LIMITS, "this kernel has no perf events");
		verdict_cure(verdict, "boot a kernel with CONFIG_PERF_EVENTS, as Debian's have it");
	} else if (machine_capable(machine, CAP_PERFMON) ||
		   machine_capable(machine, CAP_SYS_ADMIN)) {
		verdict_say(verdict, SEVERITY_OK, "%s may measure (perf_event_paranoid is %lld)",
			    machine->user, paranoid);
	} else {
		verdict_say(verdict, SEVERITY_LIMITS, REFUSAL_DENIED, (int)paranoid);
		verdict_cure(verdict, paranoid > 0 ? "sudo, or for annot stat sysctl "
						     "kernel.perf_event_paranoid=0" :
						     "sudo; annot stat may count without");
	}
}

/* The first PMU of a CPU: cpu; of hybrid ones cpu_core; of arm64 armv8_pmuv3_0; of riscv64 riscv... */
static bool find_pmu(const struct machine *machine, char *name, size_t size)
{
	static const char *const beginnings[] = { "cpu", "armv", "riscv" };
	char full[PATH_MAX];
	DIR *directory = opendir(machine_file_path(machine, PATH_PMUS, full));
	const struct dirent *entry;
	bool found = false;

	while (directory && !found && (entry = readdir(directory))) {
		for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
			found |= !strncmp(entry->d_name, beginnings[i], strlen(beginnings[i]));
		if (found)
			snprintf(name, size, "%.63s", entry->d_name);
	}
	if (directory)
		closedir(directory);
	return found;
}

static bool may_not_ask(const struct machine *machine)
{
	return machine->cycles_error == EACCES || machine->cycles_error == EPERM ||
	       machine->cycles_error == ENOSYS;
}

/* Without permission, it is still visible whether there is a driver. */
static bool has_pmu(const struct machine *machine)
{
	char name[64];

	return may_not_ask(machine) ? find_pmu(machine, name, sizeof(name)) :
				      !pmu_refusal_says_absent(machine->cycles_error);
}

void doctor_check_pmu(const struct machine *machine, struct verdict *verdict)
{
	char name[64] = "";

	find_pmu(machine, name, sizeof(name));
	if (!has_pmu(machine)) {
		verdict_say(verdict, SEVERITY_LIMITS, REFUSAL_NO_PMU_IS);
		verdict_cure(verdict, REFUSAL_NO_PMU_CURE);
	} else if (!machine->cycles_error) {
		verdict_say(verdict, SEVERITY_OK, "cycles can be counted%s%s",
			    *name ? "; the PMU is " : "", name);
	} else if (may_not_ask(machine)) {
		verdict_say(verdict, SEVERITY_UNKNOWN,
			    "the PMU %s is there; check 'perf' says who may use it", name);
	} else {
		verdict_say(verdict, SEVERITY_UNKNOWN, "cycles cannot be counted: %s",
			    strerror(machine->cycles_error));
	}
}

void doctor_check_watchdog(const struct machine *machine, struct verdict *verdict)
{
	long long runs = 0;

	machine_file_number(machine, PATH_NMI_WATCHDOG, &runs);
	if (runs == 1 && has_pmu(machine)) {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "the NMI watchdog holds one counter of each CPU");
		verdict_cure(verdict, "sudo " REFUSAL_FREE_WATCHDOG);
	} else {
		verdict_say(verdict, SEVERITY_OK, "the NMI watchdog holds no counter");
	}
}

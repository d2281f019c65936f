// SPDX-License-Identifier: GPL-2.0
#include "pmu/refusal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int read_number(const char *path, int otherwise)
{
	FILE *file = fopen(path, "re");
	int value;

	if (!file)
		return otherwise;
	if (fscanf(file, "%d", &value) != 1)
		value = otherwise;
	fclose(file);
	return value;
}

int pmu_refusal_try_cycles(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

bool pmu_refusal_says_absent(int error)
{
	return error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENXIO;
}

/* Without permission, it is still visible whether x86's driver is there. */
static bool has_pmu(void)
{
	int error = pmu_refusal_try_cycles();

	if (error == EACCES || error == EPERM)
		return !access("/sys/bus/event_source/devices/cpu", F_OK);
	return !pmu_refusal_says_absent(error);
}

void pmu_refusal_read_facts(struct pmu_refusal_facts *facts)
{
	*facts = (struct pmu_refusal_facts){
		.has_pmu = has_pmu(),
		.nmi_watchdog = read_number("/proc/sys/kernel/nmi_watchdog", 0) == 1,
		.paranoid = read_number("/proc/sys/kernel/perf_event_paranoid", 2),
	};
}

static void explain_denial(const struct pmu_refusal_facts *facts, char *why, size_t size)
{
	snprintf(why, size, "not permitted: " REFUSAL_DENIED, facts->paranoid);
}

static const char *explain_taken(const struct pmu_refusal_facts *facts)
{
	if (facts->nmi_watchdog)
		return "all counters are taken, one of them by the NMI watchdog: "
		       "'" REFUSAL_FREE_WATCHDOG "' frees it";
	return "all counters are taken: by other tools, or by the other events asked for";
}

static const char *explain_absence(int error, bool sampled)
{
	if (error == EOPNOTSUPP && sampled)
		return "the PMU cannot sample it: it has no interrupt (as in some virtual "
		       "machines); count it with --count";
	return "the kernel's driver of the PMU does not support it";
}

void pmu_refusal_explain(const struct pmu_refusal_facts *facts, int error, bool is_software,
			 bool sampled, char *why, size_t size)
{
	const char *text;

	if (pmu_refusal_says_absent(error) && !is_software && !facts->has_pmu)
		text = REFUSAL_NO_PMU;
	else if (pmu_refusal_says_absent(error))
		text = explain_absence(error, sampled);
	else if (error == EBUSY || error == ENOSPC || error == EAGAIN)
		text = explain_taken(facts);
	else if (error == EINVAL)
		text = "the kernel's driver of the PMU refuses these masks, modifiers or period";
	else if (error == ENODATA)
		text = "this CPU measures load latencies only together with a second "
		       "event, which the kernel does not allow a module";
	else if (error == EMFILE || error == ENFILE)
		text = "too many open files (ulimit -n)";
	else
		text = strerror(error);
	if (error == EACCES || error == EPERM)
		explain_denial(facts, why, size);
	else
		snprintf(why, size, "%s", text);
}

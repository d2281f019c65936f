// SPDX-License-Identifier: GPL-2.0
#include "pmu/cpu_counter.h"

#include <sys/syscall.h>
#include <unistd.h>

struct perf_event_attr cpu_counter_attr(const struct pmu_code *code)
{
	return (struct perf_event_attr){
		.type = code->type,
		.size = sizeof(struct perf_event_attr),
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

int cpu_counter_open(struct perf_event_attr attr, int cpu)
{
	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

bool cpu_counter_read(int fd, struct cpu_counter_reading *reading)
{
	return read(fd, reading, sizeof(*reading)) == sizeof(*reading);
}

void cpu_counter_allow_many(struct rlimit *before)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	if (before)
		*before = limit;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

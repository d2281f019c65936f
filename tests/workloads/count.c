// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count.h"
#include "load.h"

#define LOAD_MISSES(cache) \
	((cache) | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_MISS << 16)

static const struct event {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "l1d-load-misses", PERF_TYPE_HW_CACHE, LOAD_MISSES(PERF_COUNT_HW_CACHE_L1D) },
	{ "dtlb-load-misses", PERF_TYPE_HW_CACHE, LOAD_MISSES(PERF_COUNT_HW_CACHE_DTLB) },
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
};

static struct event find_event(const char *name)
{
	struct event raw = { .name = name, .type = PERF_TYPE_RAW };
	char *end;
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!strcmp(events[i].name, name))
			return events[i];
	}
	raw.config = strtoull(name + 1, &end, 16);
	if (name[0] != 'r' || end == name + 1 || *end)
		die("-e %s: no event that is known here", name);
	return raw;
}

int count_open(const char *name)
{
	struct event event = find_event(name);
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = event.type,
		.config = event.config,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

void count_start(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void count_stop(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

int64_t count_read(int fd)
{
	uint64_t count;

	if (fd < 0 || read(fd, &count, sizeof(count)) != sizeof(count))
		return -1;
	return (int64_t)count;
}

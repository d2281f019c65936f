/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer: who records meanwhile, in the main buffer and in one that comes and goes.
 */
#ifndef FUZZ_RECORDER_H
#define FUZZ_RECORDER_H

#include <linux/perf_event.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "fuzz.h"

static void try_to_set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		errno = 0;
	close(fd);
}

static const char *const events[] = {
	"annot/annot_begin",
	"annot/annot_end",
	"annot/annot_mark",
	"annot/annot_counter",
	"annot/annot_batch",
	"annot/annot_name",
	"annot/annot_lost",
	"annot/annot_config",
	"annot/annot_sample",
	"annot/annot_slice_counts",
	"annot/annot_pmu_state",
	"annot/annot_blocked",
	"annot/annot_stack",
	"annot",
	"annot",
	"sched/sched_switch",
};

static void toggle_event(const char *where)
{
	char path[128];

	snprintf(path, sizeof(path), "%sevents/%s/enable", where,
		 events[draw() % (sizeof(events) / sizeof(events[0]))]);
	try_to_set(path, draw() % 2 ? "1" : "0");
}

/* Events of its own at /dev/annot/ctl, or none. */
static void change_set(void)
{
	static int fd = -1;
	struct annot_event event = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.flags = 3,
		.name = "faults",
	};
	struct annot_events head = { .events = (uintptr_t)&event, .nr = 1 };

	if (fd >= 0) {
		close(fd);
		fd = -1;
		return;
	}
	fd = open("/dev/annot/ctl", O_RDONLY | O_CLOEXEC);
	event.mode = draw() % 2 ? ANNOT_EVENT_SAMPLE : ANNOT_EVENT_COUNT;
	event.period = event.mode == ANNOT_EVENT_SAMPLE ? 10 : 0;
	ioctl(fd, ANNOT_IOC_EVENTS, &head);
}

/* As perf would have an event of ours. */
static void change_perf(void)
{
	static int fd = -1;
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_TRACEPOINT };
	char path[128], text[16] = "";
	int id;

	if (fd >= 0) {
		close(fd);
		fd = -1;
		return;
	}
	snprintf(path, sizeof(path), TRACEFS "events/%s/id", events[draw() % 13]);
	id = open(path, O_RDONLY);
	if (id < 0 || read(id, text, sizeof(text) - 1) <= 0)
		die(path);
	close(id);
	attr.config = strtoull(text, NULL, 10);
	attr.sample_period = draw() % 2;
	fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)(draw() % nr_cpus), -1, 0);
}

static void change_something(void)
{
	static const char *const clocks[] = { "local", "global", "mono", "x86-tsc", "boot" };
	static const char *const other = TRACEFS "instances/fuzz/";

	switch (draw() % 16) {
	case 0:
		/* To make its thousands of files takes a debug kernel of 6.1 a minute. */
		if (draw() % (uint64_t)slowdown() == 0 && mkdir(other, 0700))
			rmdir(other);
		break;
	case 1:
		try_to_set(TRACEFS "tracing_on", draw() % 2 ? "1" : "0");
		break;
	case 2:
		try_to_set(TRACEFS "trace", "");
		break;
	case 3:
		try_to_set(TRACEFS "trace_clock", clocks[draw() % 5]);
		break;
	case 4:
		try_to_set(TRACEFS "options/stacktrace", draw() % 2 ? "1" : "0");
		break;
	case 5:
		try_to_set(TRACEFS "set_event_pid", draw() % 2 ? "1" : " ");
		break;
	case 6:
		change_set();
		break;
	case 7:
		change_perf();
		break;
	case 8:
	case 9:
		toggle_event(other);
		break;
	default:
		toggle_event(TRACEFS);
	}
}

static int record(uint64_t seed)
{
	seed_with(seed);
	while (!is_over()) {
		change_something();
		usleep(draw() % 20000);
	}
	try_to_set(TRACEFS "instances/fuzz/events/enable", "0");
	rmdir(TRACEFS "instances/fuzz");
	try_to_set(TRACEFS "events/enable", "0");
	try_to_set(TRACEFS "options/stacktrace", "0");
	try_to_set(TRACEFS "set_event_pid", " ");
	return 0;
}

#endif /* FUZZ_RECORDER_H */

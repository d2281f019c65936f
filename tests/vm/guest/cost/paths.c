// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: paths NR_ROUNDS
 *
 * What annotations cost by each of the ways into the trace: by write(), one by one or each a batch,
 * or by a ring, in batches, or by a call while slices are counted, with all that the kernel does until
 * they are events. The library is the same in
 * all, and so is the loop; rounds of all ways follow each other, so that what disturbs the machine
 * disturbs all alike. In a guest of one CPU that has annot.ko loaded.
 *
 * Prints a line of JSON: nanoseconds per annotation, the median and the least of the rounds.
 */
#include <linux/perf_event.h>
#include <time.h>

#include "annot/annot.h"
#include "ring.h"

#define NR_ANNOTATIONS 2048
#define NR_ROUNDS_MAX 200
#define NR_WAYS 4
#define NR_OTHER_EVENTS 20 /* annot_config, annot_name: at most */

static const struct way {
	const char *name;
	bool batches;
	bool by_ring;
	bool counted;
} ways[NR_WAYS] = {
	{ "write_each", false, false, false },
	{ "write_batched", true, false, false },
	{ "ring_batched", true, true, false },
	{ "call_counted", true, false, true },
};

static double ns[NR_WAYS][NR_ROUNDS_MAX];
static int device;
static int64_t rseq_offset;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void annotate(void)
{
	for (int i = 0; i < NR_ANNOTATIONS; i += 2) {
		annot_begin_value("span", i);
		annot_end();
	}
}

static double measure(const struct way *way)
{
	double begin_ns, end_ns;

	/* Without rseq the library writes: as on a machine that has none. */
	annot_rings.rseq_offset = way->by_ring || way->counted ? rseq_offset : 0;
	begin_ns = now_ns();
	annotate();
	if (way->by_ring || way->counted) {
		int answer = ioctl(device, ANNOT_IOC_DRAIN);

		if (answer != (way->counted ? ANNOT_DRAIN_CLOSED : ANNOT_DRAIN_OPEN))
			die("ANNOT_IOC_DRAIN");
	}
	end_ns = now_ns();
	annot_rings.rseq_offset = rseq_offset;
	return (end_ns - begin_ns) / NR_ANNOTATIONS;
}

/* A way is the one that it should be if it makes as many events. */
static bool makes_its_events(const struct way *way, long nr)
{
	if (way->batches && (way->by_ring || way->counted))
		return nr >= NR_ANNOTATIONS / 64 && nr <= NR_ANNOTATIONS / 16;
	return nr >= NR_ANNOTATIONS && nr <= NR_ANNOTATIONS + NR_OTHER_EVENTS;
}

/* Of the PMU, if there is one; else what the kernel counts itself. */
static void set_counted_events(void)
{
	struct annot_event event = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.flags = ANNOT_EVENT_USER,
		.mode = ANNOT_EVENT_COUNT,
		.name = "counted",
	};
	struct annot_events events = { .events = (uintptr_t)&event, .nr = 1 };
	int ctl = open("/dev/annot/ctl", O_RDONLY | O_CLOEXEC);

	if (ioctl(ctl, ANNOT_IOC_EVENTS, &events))
		die("ANNOT_IOC_EVENTS");
	if (!event.error)
		return;
	event.type = PERF_TYPE_SOFTWARE;
	event.config = PERF_COUNT_SW_PAGE_FAULTS;
	if (ioctl(ctl, ANNOT_IOC_EVENTS, &events) || event.error)
		die("ANNOT_IOC_EVENTS");
}

/* Not by an annotation that makes no event: it may have gone into a ring that is about to close. */
static bool counters_run(void)
{
	char text[256] = "";
	int ctl = open("/dev/annot/ctl", O_RDONLY | O_CLOEXEC);

	if (ctl < 0 || read(ctl, text, sizeof(text) - 1) <= 0)
		die("/dev/annot/ctl");
	close(ctl);
	return strstr(text, "\ncounters 1\n");
}

/* Counters are started after that is said, by who may have to wait for this thread. */
static void count_slices(void)
{
	enable("annot/annot_slice_counts", true);
	while (annot_control_page.recording != ANNOT_RECORDING_CALLS || !counters_run())
		usleep(1000);
}

static void run_round(int round)
{
	for (int i = 0; i < NR_WAYS; i++) {
		long nr;

		record_as(ways[i].batches);
		if (ways[i].counted)
			count_slices();
		measure(&ways[i]); /* names are told, and memory is at hand */
		nr = nr_events_on(0);
		ns[i][round] = measure(&ways[i]);
		nr = nr_events_on(0) - nr;
		if (!makes_its_events(&ways[i], nr)) {
			fprintf(stderr, "paths: %s: %ld events\n", ways[i].name, nr);
			exit(1);
		}
	}
}

static int by_size(const void *left, const void *right)
{
	double difference = *(const double *)left - *(const double *)right;

	return (difference > 0) - (difference < 0);
}

static void print(int nr_rounds)
{
	for (int i = 0; i < NR_WAYS; i++) {
		qsort(ns[i], nr_rounds, sizeof(ns[i][0]), by_size);
		printf("%s\"%s\": {\"median\": %.1f, \"min\": %.1f}", i ? ", " : "{", ways[i].name,
		       ns[i][nr_rounds / 2], ns[i][0]);
	}
	puts("}");
}

int main(int argc, char **argv)
{
	int nr_rounds = argc == 2 ? atoi(argv[1]) : 0;

	if (nr_rounds < 1 || nr_rounds > NR_ROUNDS_MAX) {
		fprintf(stderr, "usage: paths NR_ROUNDS (at most %d)\n", NR_ROUNDS_MAX);
		return 2;
	}
	go_first();
	set_counted_events();
	set(TRACEFS "trace_clock", "mono");
	set(TRACEFS "tracing_on", "1");
	record_as(true);
	annot_mark("first");
	rseq_offset = annot_rings.rseq_offset;
	if (!rseq_offset) {
		fprintf(stderr, "paths: no rings: %s\n", annot_status());
		return 1;
	}
	device = open_cpu(0);
	for (int round = 0; round < nr_rounds; round++)
		run_round(round);
	enable("annot", false);
	print(nr_rounds);
	return 0;
}

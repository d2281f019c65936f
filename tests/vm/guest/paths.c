// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: paths NR_ROUNDS
 *
 * What annotations cost by each of the ways into the trace: by write() or by a ring, one by one or
 * in batches, with all that the kernel does until they are events. The library is the same in
 * all, and so is the loop; rounds of all ways follow each other, so that what disturbs the machine
 * disturbs all alike. In a guest of one CPU that has annot.ko loaded.
 *
 * Prints a line of JSON: nanoseconds per annotation, the median and the least of the rounds.
 */
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
} ways[NR_WAYS] = {
	{ "write_each", false, false },
	{ "ring_each", false, true },
	{ "write_batched", true, false },
	{ "ring_batched", true, true },
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
	annot_rings.rseq_offset = way->by_ring ? rseq_offset : 0;
	begin_ns = now_ns();
	annotate();
	if (way->by_ring && ioctl(device, ANNOT_IOC_DRAIN))
		die("ANNOT_IOC_DRAIN");
	end_ns = now_ns();
	annot_rings.rseq_offset = rseq_offset;
	return (end_ns - begin_ns) / NR_ANNOTATIONS;
}

static long nr_events(void)
{
	char text[512] = "";
	char *entries, *overrun;
	int fd = open(TRACEFS "per_cpu/cpu0/stats", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die("stats");
	close(fd);
	entries = strstr(text, "entries: ");
	overrun = strstr(text, "\noverrun: ");
	if (!entries || !overrun)
		die("stats");
	return atol(entries + 9) + atol(overrun + 10);
}

/* A way is the one that it should be if it makes as many events. */
static bool makes_its_events(const struct way *way, long nr)
{
	if (way->batches && way->by_ring)
		return nr >= NR_ANNOTATIONS / 64 && nr <= NR_ANNOTATIONS / 16;
	return nr >= NR_ANNOTATIONS && nr <= NR_ANNOTATIONS + NR_OTHER_EVENTS;
}

static void run_round(int round)
{
	for (int i = 0; i < NR_WAYS; i++) {
		long nr;

		record_as(ways[i].batches);
		measure(&ways[i]); /* names are told, and memory is at hand */
		nr = nr_events();
		ns[i][round] = measure(&ways[i]);
		nr = nr_events() - nr;
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
	set(TRACEFS "trace_clock", "mono");
	set(TRACEFS "tracing_on", "1");
	record_as(false);
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

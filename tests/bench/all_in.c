// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: ANNOT_BACKEND=raw ANNOT_TRACEFS=DIRECTORY all_in
 *
 * What an annotation costs in all where there is no module: stored, gathered, and written into the
 * kernel's buffer, a batch at a time. The least and the median over rounds, as rounds.h prints
 * them, beside reading the clock; then "annotations", and how many were made.
 */
#include <annot/annot.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "loops.h"
#include "rounds.h"

static atomic_long nr_annotations;

static void bench_all_in(long nr_times)
{
	long i;

	nr_annotations += 2 * nr_times;
	for (i = 0; i < nr_times; i++) {
		annot_begin_value("loop", i);
		annot_end();
	}
	annot_flush();
}

int main(void)
{
	static const struct way ways[] = {
		{ "all_in_rdtsc_ns", bench_clock, NR_FAST, 1 },
		{ "annotate_all_in_ns", bench_all_in, NR_FAST, 2 },
	};

	annot_mark("begin");
	annot_flush();
	if (strncmp(annot_status(), "raw", 3)) {
		fprintf(stderr, "all_in: %s\n", annot_status());
		return 1;
	}
	if (measure_ways(ways, 2, 1))
		return 1;
	if (measure_ways(ways, 2, 2))
		fprintf(stderr, "all_in: not with two threads: only one CPU\n");
	printf("annotations %ld\n", nr_annotations);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: ANNOT_TRACEFS=DIRECTORY resting
 *
 * What an annotation costs that nobody records, in a program that may write to ftrace and has no
 * module. The least and the median over rounds, as rounds.h prints them, beside the empty loop.
 */
#include <annot/annot.h>
#include <stdio.h>
#include <string.h>

#include "loops.h"
#include "rounds.h"

static void bench_empty(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++)
		keep((uint64_t)i);
}

static void bench_resting(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++) {
		annot_begin("loop");
		keep((uint64_t)i);
	}
}

int main(void)
{
	static const struct way ways[] = {
		{ "resting_empty_ns", bench_empty, NR_FAST, 1 },
		{ "annotate_resting_ns", bench_resting, NR_FAST, 1 },
	};

	annot_mark("begin");
	if (annot_control_page.recording != ANNOT_UNLESS_RESTING) {
		fprintf(stderr, "resting: %s\n", annot_status());
		return 1;
	}
	if (measure_ways(ways, 2, 1))
		return 1;
	if (measure_ways(ways, 2, 2))
		fprintf(stderr, "resting: not with two threads: only one CPU\n");
	return 0;
}

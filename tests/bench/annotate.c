// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: annotate [TRACE_MARKER]
 *
 * What an annotation costs the thread that makes it, beside other ways of leaving a trace. The code
 * is what annot/annot.h compiles into a program; the rings are memory of this process, of the
 * module's usual size, and emptied without being read. What the module does with the records, later
 * and elsewhere, is not in these figures.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/anon_rings.h"
#include "annot/annot.h"
#include "loops.h"
#include "lttng.h"
#include "rounds.h"

#define RING_BYTES 8192

#define NR_SYSTEM_CALLS 2000

static void bench_empty(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++)
		keep((uint64_t)i);
}

/* Every thread sets the same, and waits for the others before and after. */
static void record(bool on)
{
	__atomic_store_n(&annot_control_page.recording, on, __ATOMIC_RELAXED);
}

static void bench_disabled(long nr_times)
{
	long i;

	record(false);
	for (i = 0; i < nr_times; i++) {
		annot_begin("loop");
		keep((uint64_t)i);
	}
}

static atomic_long nr_records;

static void bench_annotate(long nr_times)
{
	long i;

	nr_records += 2 * nr_times;
	record(true);
	for (i = 0; i < nr_times; i++) {
		annot_begin_value("loop", i);
		annot_end();
	}
}

static void bench_next(long nr_times)
{
	long i;

	nr_records += nr_times;
	record(true);
	for (i = 0; i < nr_times; i++)
		annot_next("phase");
}

static void bench_getppid(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++)
		syscall(SYS_getppid);
}

static int trace_marker = -1;

static void bench_trace_marker(long nr_times)
{
	static const char text[] = "B|12345|loop";
	long i;

	for (i = 0; i < nr_times; i++)
		if (write(trace_marker, text, sizeof(text) - 1) < 0)
			_exit(1);
}

/* What the module does, without looking at the records. */
static int empty_ring(void)
{
	struct annot_ring *ring = anon_ring((uint32_t)sched_getcpu());

	ring->limit = ring->head + RING_BYTES;
	return 0;
}

/* Whether each annotation was stored: else its price means nothing. */
static bool all_recorded(void)
{
	uint64_t nr_bytes = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < anon_rings_nr_cpus(); cpu++)
		nr_bytes += anon_ring(cpu)->head;
	return nr_bytes == (uint64_t)nr_records * sizeof(struct annot_record);
}

static int measure(unsigned int nr_threads)
{
	struct way ways[16] = {
		{ "rdtsc_ns", bench_clock, NR_FAST, 1 },
		{ "annotate_ns", bench_annotate, NR_FAST, 2 },
		{ "annotate_next_ns", bench_next, NR_FAST, 1 },
		{ "annotate_disabled_ns", bench_disabled, NR_FAST, 1 },
		{ "empty_ns", bench_empty, NR_FAST, 1 },
		{ "syscall_getppid_ns", bench_getppid, NR_SYSTEM_CALLS, 1 },
	};
	size_t nr_ways = 6;

	if (trace_marker >= 0)
		ways[nr_ways++] = (struct way){ "trace_marker_ns", bench_trace_marker,
						NR_SYSTEM_CALLS, 1 };
	if (bench_lttng_is_recording())
		ways[nr_ways++] = (struct way){ "lttng_ust_ns", bench_lttng, NR_FAST, 1 };
	return measure_ways(ways, nr_ways, nr_threads);
}

int main(int argc, char **argv)
{
	int error = anon_rings_install(RING_BYTES, empty_ring);

	if (error) {
		fprintf(stderr, "annotate: no rings: %s\n", strerror(-error));
		return 1;
	}
	if (argc > 1) {
		trace_marker = open(argv[1], O_WRONLY | O_CLOEXEC);
		if (trace_marker < 0) {
			perror(argv[1]);
			return 1;
		}
	}
	if (measure(1))
		return 1;
	if (measure(2))
		fprintf(stderr, "annotate: not with two threads: only one CPU\n");
	if (!all_recorded()) {
		fprintf(stderr, "annotate: not every annotation came into a ring\n");
		return 1;
	}
	return 0;
}

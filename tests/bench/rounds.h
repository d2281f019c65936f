/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares ways of doing something: each is done a while, one after another, round after round, so
 * that what disturbs the machine disturbs all of them alike.
 */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include <stddef.h>

/*
 * @name:	of the figure, ending in _ns
 * @run:	does it @nr_times; called at once in every thread
 * @per_call:	how many of what is measured one time does
 */
struct way {
	const char *name;
	void (*run)(long nr_times);
	long nr_times;
	double per_call;
};

/* Prints "NAME THREADS MIN MEDIAN" for each way, in ns. 0, or -1 when it could not. */
int measure_ways(const struct way *ways, size_t nr_ways, unsigned int nr_threads);

#endif /* BENCH_ROUNDS_H */

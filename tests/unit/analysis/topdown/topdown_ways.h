/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ways to count for top-down: the events of a CPU, and what they count in a slice of which the shares of slots are known.
 */
#ifndef TEST_TOPDOWN_WAYS_H
#define TEST_TOPDOWN_WAYS_H

#include <stdint.h>

#define CYCLES 3000000.0 /* of a slice of 1 ms */
#define MOST_EVENTS 20

/* What happens in a task: of slots; levels of cycles. */
struct truth {
	double retiring, bad, front, memory, core;
	double l1, l2, l3, dram;
	double smt;
	double latency, branches, heavy; /* of front, of bad, of retiring */
};

extern const struct truth computing, chasing, branching;

/* A way to count: names, and what each counts of a slice. */
struct way {
	const char *names[MOST_EVENTS];
	void (*count)(const struct truth *truth, uint64_t *counts);
	double slots; /* of a cycle */
};

/* Those whose names end in 2 count what divides level 1, too. */
extern const struct way skylake, skylake_2, haswell_2, haswell, ice_lake, ice_lake_2,
	sapphire_rapids, mispredict_slots, metrics, metrics_2, zen4, zen5, zen4_2, zen5_2;

uint32_t topdown_way_events(const struct way *way);

/* What a counter has counted then. */
uint64_t topdown_number(double number);

/* Of the back end, in slots. */
double topdown_backend(const struct truth *truth);

#endif /* TEST_TOPDOWN_WAYS_H */

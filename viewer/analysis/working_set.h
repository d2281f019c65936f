/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The working set of each task: how many different cache lines it uses in so many accesses, in the
 * thread that has most samples of it, against the sizes of the caches of its CPU.
 *
 * What is known are the addresses of one access in each period. A point of the curve is of windows
 * of k samples that follow each other, k * period accesses: all windows together give the mean
 * number of different lines among the samples, of lines seen once and seen twice. From these the
 * number of lines with those that no sample hit is estimated (estimate_distinct_of_part()), and cut off
 * at the number of accesses, than which it cannot be greater. The estimate takes each line of the window
 * to be as likely to be hit as any other; where that is not so it is a lower bound. With s samples
 * of N lines, its relative error is about 2 * sqrt(N) / s. A task that goes through its data in the
 * same order again and again, sampled with a fixed period, hits each line as often as the others
 * rather than at random: then there must be some samples for each line, and the period should be a
 * prime number.
 *
 * Where the curve does not rise any more (the last doubling of accesses adds less than a quarter to
 * it, and less than half of what accesses allow), the task's working set is known: the knee.
 *
 * Of loads, the share that would miss a cache of each level's size follows from the curve's slope
 * (miss_ratio.h), for which more points are taken around that size. Beside it stands what missed the
 * level, where that was counted or sampled, for each load of the same thread, task and mode.
 *
 * Of a level that misses were measured of, tasks tell together what it holds: the greatest working set
 * of which less than a tenth of loads missed it, and the smallest of which more than half did, if that
 * is greater.
 *
 * The event is memory_loads, if that is sampled with addresses; else the one of the least of misses,
 * whose lines are those that are missed. At least 64 samples are needed, and more than 65536 of a
 * task are not looked at.
 */
#ifndef ANNOT_WORKING_SET_H
#define ANNOT_WORKING_SET_H

#include "analysis/miss_level.h"
#include "analysis/miss_ratio.h"
#include "analysis/tasks.h"

#define WORKING_SET_MOST_POINTS 17
#define WORKING_SET_LEVELS 3

/* Misses of one level for each load. */
struct working_set_misses {
	bool expected_known;
	double expected; /* by the curve */
	bool measured_known;
	double measured;
	size_t event; /* that was measured */
};

struct working_set_task {
	uint32_t task; /* of the analysis */
	uint32_t thread;
	int16_t cpu; /* of its first sample */
	uint64_t nr_samples;
	uint64_t from_ns; /* of the samples looked at */
	uint64_t to_ns;
	uint8_t precise; /* of the first sample */
	size_t nr_points;
	struct working_set_point points[WORKING_SET_MOST_POINTS];
	bool knee_known;
	double knee_bytes;
	double knee_accesses; /* from where on it is */
	struct working_set_misses misses[WORKING_SET_LEVELS];
};

/* What a level holds, going by the misses of tasks; 0: not known. */
struct working_set_held {
	double bytes; /* so much, at least */
	double not_bytes; /* so much it does not */
};

struct working_sets {
	bool known; /* an event was sampled with addresses */
	bool is_of_loads; /* of all loads, not only of those that missed */
	size_t event;
	uint32_t line_bytes;
	uint64_t level_bytes[WORKING_SET_LEVELS]; /* 0: not known */
	struct working_set_held held[WORKING_SET_LEVELS];
	size_t nr;
	struct working_set_task *tasks; /* those with most samples first */
};

/* What an event is good for here: nothing, or the more the greater. @levels is miss_levels()'. */
struct working_set_choice {
	const enum miss_level *levels;
	const bool *is_loads; /* of each of the model's events: it is all loads */
};

/* Never fails. Cost: sorting the samples a few times. */
struct working_sets *analyse_working_sets(const struct model *model,
					  const struct analysis *analysis,
					  const struct working_set_choice *choice);
void working_sets_free(struct working_sets *sets);

/* Whether an event of that name happens at each load. */
bool event_is_loads(const char *name);

#endif /* ANNOT_WORKING_SET_H */

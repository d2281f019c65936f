/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The working set of each task: how many different cache lines it uses in a number of accesses. It is computed for the
 * thread that has most samples of the task, and compared with the sizes of the caches of its CPU.
 *
 * The samples give the address of one access in each period. A point of the curve is for windows of k consecutive
 * samples, that is k * period accesses. All windows together give the mean number of different lines among the samples,
 * of lines hit once, and of lines hit twice. From these, the number of lines with those that no sample hit is estimated
 * (chao_estimate_of_part()). It is limited to the number of accesses. The estimate assumes that each line of the window
 * is hit with the same probability; otherwise it is a lower bound. With s samples of N lines, its relative error is about
 * 2 * sqrt(N) / s.
 *
 * If a task goes through its data in the same order again and again, and the period is fixed, samples hit each line about
 * equally often, not at random. As long as few lines were hit twice, the estimate may then be 10 to 100 times too large.
 * So a point is unsure unless
 * - it is at most a quarter above the lines that samples hit, and these are at most 1.3 times those of windows half as
 *   large, or
 * - lines were hit twice as often as by chance (sampled_windows.h), and there is a sample for each tenth line at least,
 *   according to the numbers of lines hit once and twice.
 * If all lines recur at the same distance, and the period is no prime number, the period may be in step with the program,
 * and hit the same few lines each time. In this case, or if the last point is unsure, all points are unsure. The number
 * of lines in the last window is then only known to be between those that were hit and the number of accesses.
 *
 * The working set of a task is known, as the knee, where the curve no longer rises: the last doubling of accesses adds
 * less than a quarter to it (or to the lines that were hit, if the point is unsure), and less than half of what the
 * accesses allow.
 *
 * For loads, the share that would miss a cache of the size of each level follows from the slope of the curve
 * (miss_ratio.h). More points are computed around that size. Below the first sure point, the share is only an upper
 * bound. If misses of the level were counted or sampled, the analysis also has them, per load of the same thread, task
 * and mode.
 *
 * If misses of a level were measured, all tasks together show the size that it holds: it lies between the greatest working
 * set of which less than a tenth of the loads missed, and the smallest of which more than half did, if that is greater.
 *
 * The event is memory_loads, if that was sampled with addresses. Otherwise it is the lowest-level miss event, and the lines
 * are those that missed. A task needs at least 64 samples. Of a task, at most 262144 samples are used.
 */
#ifndef ANNOT_WORKING_SET_H
#define ANNOT_WORKING_SET_H

#include "analysis/events/miss_level.h"
#include "analysis/stats/miss_ratio.h"
#include "analysis/tasks/task_stats.h"

#define WORKING_SET_MOST_POINTS 19
#define WORKING_SET_LEVELS 3

/* Misses of one level for each load. */
struct working_set_misses {
	bool expected_known;
	bool expected_is_bound; /* it is at most that */
	double expected; /* by the curve */
	bool measured_known;
	double measured;
	size_t event; /* that was measured */
};

/* Why a task's curve is not known. */
enum working_set_doubt {
	WORKING_SET_SURE,
	WORKING_SET_SELDOM, /* too few samples for so many lines */
	WORKING_SET_IN_ORDER, /* lines were hit in a fixed order, and some not yet */
	WORKING_SET_IN_STEP, /* the period may be in step with the program */
	NR_WORKING_SET_DOUBTS,
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
	enum working_set_doubt doubt;
	double least_bytes; /* what samples hit, in the window of the last point */
	double most_bytes; /* of as many lines as accesses, there */
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

struct working_set {
	bool known; /* an event was sampled with addresses */
	bool is_of_loads; /* of all loads, not only of those that missed */
	size_t event;
	uint32_t line_bytes;
	uint64_t level_bytes[WORKING_SET_LEVELS]; /* 0: not known */
	struct working_set_held held[WORKING_SET_LEVELS];
	size_t nr;
	struct working_set_task *tasks; /* those with most samples first */
};

/* What an event is good for here: nothing, or the more the greater. @levels is miss_levels_of_model()'. */
struct working_set_choice {
	const enum miss_level *levels;
	const bool *is_loads; /* of each of the model's events: it is all loads */
};

/* Never fails. Cost: sorting the samples a few times. */
struct working_set *working_set_compute(const struct model *model, const struct task_stats *stats,
					const struct working_set_choice *choice);
void working_set_free(struct working_set *sets);

#endif /* ANNOT_WORKING_SET_H */

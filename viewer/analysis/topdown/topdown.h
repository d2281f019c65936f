/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Top-down by task, by thread and by region: where the issue slots of the CPU went, from counts of slices. What events were not counted
 * for is unknown.
 */
#ifndef ANNOT_TOPDOWN_H
#define ANNOT_TOPDOWN_H

#include "analysis/regions/regions.h"
#include "analysis/tasks/task_stats.h"
#include "analysis/topdown/formulas.h"
#include "analysis/topdown/metric_estimate.h"

/* As VTune's: what was measured for less of the time is not to be relied on. */
#define TOPDOWN_RELIABLE 0.9
/* Of events that take turns, which each part of the time has the same chance to see, the interval tells how reliable a figure is. */
#define TOPDOWN_MOST_ERROR 0.1

/* Why figures may be wrong beyond their interval. */
enum topdown_doubt {
	TOPDOWN_SURE,
	TOPDOWN_NOT_COUNTED, /* none of the figures is known */
	TOPDOWN_NOTHING, /* nothing retired, which cannot be: the events do not count, as in an emulator */
	TOPDOWN_SUM, /* the four do not add up to all slots: the events do not fit together */
	TOPDOWN_PARTLY, /* measured for less than TOPDOWN_RELIABLE of the time, and not in turns */
	TOPDOWN_FEW, /* too few slices for an interval */
	TOPDOWN_WIDE, /* in turns: an error of more than TOPDOWN_MOST_ERROR */
	TOPDOWN_SMT, /* formulas that take the thread for the only one on its core, and cores with several */
	NR_TOPDOWN_DOUBTS,
};

struct topdown_row {
	uint32_t task; /* NO_TASK: it is of a thread or a region */
	uint32_t thread; /* MODEL_NO_THREAD: it is of a task or a region, of all threads */
	size_t region; /* a group of regions; NO_REGION: it is of a task or a thread */
	uint64_t on_cpu_ns;
	struct metric_estimate figures[NR_TOPDOWN_FIGURES];
	bool is_any_known;
	double measured; /* the least of the known figures' */
	bool has_error;
	double error; /* the greatest of theirs: half an interval */
	enum topdown_doubt doubt; /* the worst */
};

struct topdown {
	bool is_computed; /* events of at least one figure were counted */
	unsigned int sides; /* EVENT_*: of which code */
	bool needs_whole_core; /* TOPDOWN_SMT holds of all rows */
	bool takes_turns; /* there were too few counters for all events */
	bool divides_slots; /* events were counted for figures of level 2 other than those of the back end */
	size_t nr_tasks;
	struct topdown_row *tasks; /* those that were on a CPU, by time there */
	size_t nr_threads;
	struct topdown_row *threads; /* of the session, the same */
	size_t nr_regions;
	struct topdown_row *regions; /* groups of them, the same */
};

/*
 * Never fails. topdown_free() frees what is in it. Cost: O(slices * open spans + threads of regions * log(slices)), and 499
 * bootstraps of 64 blocks for each figure that was measured for a part of the time.
 */
struct topdown topdown_compute(const struct model *model, const struct task_stats *stats,
			       const struct regions *regions);
void topdown_free(struct topdown *topdown);

/* What is in doubt; NULL: nothing. */
const char *topdown_doubt_text(enum topdown_doubt doubt);

#endif /* ANNOT_TOPDOWN_H */

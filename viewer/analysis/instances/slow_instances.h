/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the slow instances of a task have more of than its typical ones.
 *
 * Of each task of work with SLOW_LEAST_INSTANCES or more instances that begin and end in the trace: typical are those of
 * the middle half, by wall time; slow are those beyond the upper quartile by more than 1.5 times the distance of the
 * quartiles (Tukey: Exploratory Data Analysis, 1977), if they are longer than the median by SLOW_LEAST_SHARE.
 *
 * Of a task with a deadline, slow are those that take longer, and typical the middle half of the others, if these are
 * SLOW_LEAST_INSTANCES or more, else of all. With several deadlines, it has a row for each.
 *
 * The extra time of a slow instance is its wall time less the mean of the typical ones; instance_split.h splits it.
 */
#ifndef ANNOT_SLOW_INSTANCES_H
#define ANNOT_SLOW_INSTANCES_H

#include "analysis/tasks/task_stats.h"
#include "analysis/instances/deadlines.h"
#include "analysis/instances/instance_split.h"

#define SLOW_LEAST_INSTANCES 8
#define SLOW_LEAST_SHARE 0.1
#define SLOW_LEAST_PART 0.001 /* of the extra time: smaller parts of a task have no row */
#define SLOW_MOST_SHOWN 5 /* instances of a task that have rows */

/* A part of the extra time of a task's slow instances; what they were blocked on has a part for each cause. */
struct slow_instances_part {
	uint32_t task;
	uint64_t deadline_ns; /* 0: none */
	enum instance_part part;
	uint32_t cause; /* of PART_BLOCKED: string id, TRACE_NO_STRING: not known */
	int64_t extra_ns; /* on average; those of a task add up to its mean extra time, but for the smallest */
	double share_pct; /* of the extra time */
	double p_value; /* slow_chance_of_part() */
};

struct slow_instance {
	uint32_t task;
	uint64_t deadline_ns; /* that it is slow by; 0: none */
	uint32_t thread;
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t wall_ns;
	int64_t extra_ns;
	int64_t parts_ns[NR_INSTANCE_PARTS]; /* they add up to extra_ns */
	enum instance_part most; /* the greatest of them */
	uint32_t
		cause; /* of PART_BLOCKED: on what; of PART_PREEMPTED, PART_WAKEUP: who had the CPU */
	bool is_counted;
	double instructions;
	double ipc;
	double ghz; /* cycles in a ns of useful time */
	uint64_t moves; /* how often it came to another CPU */
};

struct slow_instances_task {
	uint32_t task; /* of the task_stats */
	uint64_t nr_instances;
	uint64_t nr_slow;
	uint64_t deadline_ns; /* 0: none */
	uint64_t median_ns;
	uint64_t typical_ns; /* the mean of the typical ones */
	uint64_t slow_ns; /* the mean of the slow ones */
	uint64_t extra_ns; /* of all slow ones together */
	uint64_t under_way_ns; /* for how long a slow one or more was */
	double p_value; /* slow_chance_of_number(); of a task with a deadline 1 */
	bool is_counted; /* useful time is split further */
	bool with_kernel; /* counts are of the kernel, too */
	enum instance_part most;
	uint32_t cause;
	double most_share_pct;
	double typical_ipc;
	double typical_ghz;
	double typical_moves; /* how often one of them came to another CPU, on average */
	double slow_moves;
	uint32_t slowest_thread;
	uint64_t slowest_from_ns;
	uint64_t slowest_to_ns;
	size_t first_part; /* of the parts */
	size_t nr_parts;
	size_t first_instance; /* of the instances */
	size_t nr_shown;
};

/* What became of a deadline. */
struct slow_instances_deadline {
	uint32_t task;
	uint64_t deadline_ns;
	uint64_t nr_instances; /* that begin and end in the trace */
	uint64_t nr_missed; /* of these, how many took longer */
	double missed_pct;
	uint64_t longest_ns; /* 0: there is no instance */
	uint32_t longest_thread;
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

/* Of tasks with slow instances: the one that lost most time by them first. */
struct slow_instances {
	size_t nr_deadlines;
	struct slow_instances_deadline *deadlines; /* in the order of the user's */
	size_t nr_tasks;
	struct slow_instances_task *tasks;
	size_t nr_parts;
	struct slow_instances_part *parts; /* task by task, the greatest first */
	size_t nr_instances;
	struct slow_instance *instances; /* task by task, the slowest first */
};

/*
 * Never fails. slow_instances_free() frees what is in it. Cost: of n spans O(n log n); of each task, at most 1024 typical and
 * 1024 slow instances are looked at, the slowest ones of these; the figures of the others are not in its parts.
 */
struct slow_instances slow_instances_compute(const struct model *model,
					     const struct task_stats *stats,
					     const struct deadlines *deadlines);

/* The same of all tasks; shown are instances of @thread alone. */
struct slow_instances slow_instances_of_thread(const struct model *model,
					       const struct task_stats *stats, uint32_t thread);

/* Whether @task has as many instances as it takes to compare them. */
bool slow_instances_are_enough(const struct model *model, const struct task_stats *stats,
			       uint32_t task);

/*
 * The same of one task, and of all its instances that hold the moment @at_ns, slow or not; of @thread, unless that is
 * MODEL_NO_THREAD. Without instances if there are none, or too few of the task to compare them with.
 */
struct slow_instances slow_instances_at(const struct model *model, const struct task_stats *stats,
					uint32_t task, uint64_t at_ns, uint32_t thread);
void slow_instances_free(struct slow_instances *slow);

#endif /* ANNOT_SLOW_INSTANCES_H */

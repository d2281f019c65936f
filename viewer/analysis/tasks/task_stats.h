/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> figures of each task (spans of one name and kind) and of each thread.
 *
 * The wall time of every span is divided completely:
 *
 *	wall = on CPU + preempted + wakeup + blocked + unknown
 *
 * where "wakeup" is from being woken to running and "blocked" is any sleep or stop. Preempted,
 * wakeup and blocked are time that the scheduler took; waiting and imbalance are time that the program lost.
 *
 * Definitions and their sources:
 * - waiting: wall time inside wait spans. A wait span inside another is not counted again.
 * - stolen: on a CPU, but in an interrupt, a softirq or a tasklet. None of the other times on a CPU has it.
 * - spinning: on a CPU inside wait spans. The rest of the waiting time is off CPU, stolen, or unknown.
 * - useful: on a CPU, inside a work span, outside wait spans. The term is that of POP's metrics
 *   (co-design.pop-coe.eu/metrics) and of DLB's TALP.
 * - load balance = avg(u) / max(u), where u is each thread's useful time in the task, over the
 *   threads that ran it (POP, TALP).
 * - imbalance time = max(u) - avg(u); imbalance percentage = (max - avg) / max * P / (P - 1) * 100
 *   of P threads: 0 when all did the same, 100 when one did everything (DeRose, Homer, Johnson:
 *   Detecting Application Load Imbalance on High End Massively Parallel Systems, Euro-Par 2007).
 *   Of one thread there is no percentage.
 * So a span's wall time, and what a thread lived within the trace, is also divided completely by what it
 * was for:
 *
 *	wall = useful + spinning + waiting off CPU + at work off CPU + outside spans + unknown + stolen
 *
 * where "off CPU" is preempted, wakeup or blocked, "at work" is inside spans and outside wait spans, and "outside
 * spans" is any state but unknown, on a CPU or not, but not stolen. A span has no time outside spans.
 *
 * A task inside itself (recursion) counts as an instance each time, but its useful time only once.
 */
#ifndef ANNOT_TASK_STATS_H
#define ANNOT_TASK_STATS_H

#include "analysis/stats/distribution.h"
#include "model/model.h"

enum task_metric {
	METRIC_WALL,
	METRIC_ON_CPU,
	METRIC_PREEMPTED, /* preempted: it was switched out while it still wanted to run */
	METRIC_WAKEUP, /* runnable: it was woken, but not switched in yet */
	METRIC_BLOCKED, /* asleep, in I/O, or stopped */
	METRIC_UNKNOWN, /* events were lost */
	METRIC_WAITING, /* inside wait spans, whatever it did there */
	METRIC_USEFUL,
	METRIC_SPINNING, /* on a CPU inside wait spans */
	METRIC_WAITING_OFF_CPU, /* preempted, woken or blocked inside wait spans */
	METRIC_WORK_OFF_CPU, /* the same in spans, outside wait spans */
	METRIC_OUTSIDE, /* of threads: alive, in a known state, and in no span */
	METRIC_STOLEN, /* of METRIC_ON_CPU, wherever: by interrupts */
	NR_TASK_METRICS,
};

struct event_figures;

struct counts {
	uint64_t switches;
	uint64_t preemptions;
	uint64_t migrations;
};

/* What one thread did of a task; or all it did, in spans and out of them (then METRIC_WALL is how
 * long it was alive within the trace). */
struct thread_figures {
	uint32_t thread;
	uint64_t instances;
	uint64_t ns[NR_TASK_METRICS];
	uint64_t once_on_cpu_ns; /* of a task, on a CPU, where it is inside itself only once */
	struct counts counts;
	struct event_figures *events; /* one for each of the model's pmu_events */
};

struct task {
	uint32_t name; /* string id */
	enum trace_span_kind kind;
	uint64_t instances;
	uint64_t open_ends; /* instances without an end, cut at the thread's or trace's end */
	struct distribution ns[NR_TASK_METRICS]; /* over the instances */
	struct counts counts;
	size_t nr_threads;
	struct thread_figures *threads; /* those that ran it, in the model's order */
	/* Over the threads' useful time; none of it for waits, nor when nobody was on a CPU. */
	bool has_balance;
	double load_balance;
	uint64_t imbalance_time_ns;
	bool has_imbalance_pct; /* at least two threads */
	double imbalance_pct;
	struct event_figures *events; /* all threads together */
};

struct task_stats {
	size_t nr_tasks;
	struct task *tasks; /* by first appearance, thread by thread */
	struct thread_figures *threads; /* one for each of the model's */
	struct event_figures *events; /* all that was measured, idle and unknown threads, too */
	struct event_figures *all_events; /* where all of them are kept */
	struct turn_sums *all_turns; /* theirs */
	uint32_t *task_of_name; /* at task_stats_place(): 1 + the task's index, 0 for none */
	size_t nr_task_names;
};

#define NO_TASK UINT32_MAX

static inline size_t task_stats_place(uint32_t name, enum trace_span_kind kind)
{
	return 2 * (size_t)name + (kind == TRACE_SPAN_WAIT);
}

/* The task of spans of that name and kind, or NO_TASK. */
static inline uint32_t task_stats_find(const struct task_stats *stats, uint32_t name,
				       enum trace_span_kind kind)
{
	size_t at = task_stats_place(name, kind);

	/* 0 - 1 is NO_TASK. */
	return at < stats->nr_task_names ? stats->task_of_name[at] - 1 : NO_TASK;
}

/* The thread that was longest on a CPU in it. */
const struct thread_figures *task_longest_thread(const struct task *task);

/* Never fails. task_stats_free() frees it. */
struct task_stats *task_stats_compute(const struct model *model);
void task_stats_free(struct task_stats *stats);

#endif /* ANNOT_TASK_STATS_H */

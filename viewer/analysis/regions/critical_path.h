/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The critical path of an interval of the session: the chain of work and waits that determined its end.
 * Only a shorter time in one of its segments could have brought the end forward.
 *
 * The path is followed backwards from the end, through the states of the thread that ended last:
 * - where a barrier released the thread, to the thread that arrived there last;
 * - where the thread slept and a running thread of the session woke it, to that thread;
 * - where the thread began, to its creator.
 * Sleep that something else ended (a timer, a device, a thread outside the session) is a segment of the
 * path, with what it waited for if the trace tells that, as is time that the scheduler took. (This is the walk of Böhme, Wolf, Geimer: Characterizing Load
 * and Communication Imbalance in Large-Scale Parallel Applications, IPDPS workshops 2012, with the
 * scheduler's events in place of messages.)
 *
 * The slack of a thread is the time that it waited off the path: in wait spans, asleep, or after its end.
 * Its work could take this much longer in all, though not at any place, without delaying the end.
 *
 * Cost: O(n log n) of n states, spans and wakeups. At most PATH_MOST_SEGMENTS segments of a path are
 * kept: the longest.
 */
#ifndef ANNOT_CRITICAL_PATH_H
#define ANNOT_CRITICAL_PATH_H

#include "analysis/base/by_thread.h"
#include "analysis/regions/regions.h"
#include "analysis/tasks/top_spans.h"
#include "analysis/base/top_k.h"

#define PATH_MOST_SEGMENTS TOP_K_MAX

enum path_kind {
	PATH_RUNNING,
	PATH_PREEMPTED,
	PATH_RUNNABLE,
	PATH_BLOCKED,
	PATH_UNKNOWN,
	NR_PATH_KINDS,
};

/* How the path came to a segment. */
enum path_cause {
	CAUSE_ORDER, /* from what this thread did before */
	CAUSE_START, /* it is the first of the interval, or the thread was just created */
	CAUSE_WAKEUP,
	CAUSE_BARRIER,
};

struct critical_path_segment {
	uint32_t thread;
	uint32_t task; /* name of the top span it is in: string id; TRACE_NO_STRING: in none */
	enum path_kind kind;
	uint32_t
		waits_for; /* of PATH_BLOCKED: string id, as in the cause tables; TRACE_NO_STRING: unknown */
	enum path_cause cause;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* Segments of one thread, task, kind and cause of a wait, taken together. */
struct critical_path_line {
	uint32_t thread;
	uint32_t task;
	enum path_kind kind;
	uint32_t waits_for;
	size_t nr; /* of segments */
	uint64_t ns;
};

struct critical_path_thread {
	uint32_t thread;
	uint64_t on_path_ns;
	uint64_t slack_ns;
};

struct critical_path {
	uint64_t from_ns;
	uint64_t to_ns;
	size_t nr;
	struct critical_path_segment
		*segments; /* in time order; if none is left out, without gaps up to to_ns */
	size_t left_out; /* the shortest, where there are more than PATH_MOST_SEGMENTS */
	size_t nr_lines;
	struct critical_path_line *lines; /* sums of all segments, the longest first */
	size_t nr_threads;
	struct critical_path_thread *threads; /* of the session, least slack first */
};

/* What all paths of one timeline need. */
struct path_finder {
	const struct model *model;
	const struct barriers *barriers;
	struct top_spans tops;
	struct by_thread passed; /* the barriers that each passed: rows of passed_barriers */
	size_t *passed_barriers;
};

struct path_finder path_finder_new(const struct model *model, const struct task_stats *stats,
				   const struct barriers *barriers);
void path_finder_free(struct path_finder *finder);

/* The path of [from_ns, to_ns) that ends with @thread. critical_path_free() frees it. */
struct critical_path critical_path_compute(const struct path_finder *finder, uint32_t thread,
					   uint64_t from_ns, uint64_t to_ns);
void critical_path_free(struct critical_path *path);

/* The thread of the session that was last on a CPU, and until when. MODEL_NO_THREAD: none was. */
uint32_t critical_path_last_on_cpu(const struct model *model, uint64_t *until_ns);

/* "running", ...; "start", "wakeup", ... */
const char *critical_path_kind_name(enum path_kind kind);
const char *critical_path_cause_name(enum path_cause cause);

#endif /* ANNOT_CRITICAL_PATH_H */

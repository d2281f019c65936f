/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The critical path of a stretch of the session: what its end waited for, all the way back. A
 * shorter time in any of its segments, and in no other, could have brought the end forward.
 *
 * It is walked from the end: the thread that ended last, back through its states. Where it was let
 * go by a barrier, on to whoever came to that barrier last; where it slept and was woken by a thread
 * of the session that was running, on to that one; where it began, on to who created it. Sleep that
 * something else ended (a timer, a device, a stranger) is a segment of the path itself, as is what
 * the scheduler took. (The walk is that of Böhme, Wolf, Geimer: Characterizing Load and
 * Communication Imbalance in Large-Scale Parallel Applications, IPDPS workshops 2012, with the
 * scheduler's events for the messages.)
 *
 * A thread's slack is for how long it waited (in wait spans, asleep, or after its end), off the path:
 * all it does could take so much longer in all, if not everywhere, before anybody noticed.
 *
 * Cost: O(n log n) of n states, spans and wakeups. What is told of a path does not grow with it: of
 * many segments, the longest PATH_MOST_SEGMENTS are kept.
 */
#ifndef ANNOT_CRITICAL_PATH_H
#define ANNOT_CRITICAL_PATH_H

#include "analysis/base/by_thread.h"
#include "analysis/regions/regions.h"
#include "analysis/base/top_spans.h"
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
	CAUSE_START, /* the stretch begins with it, or the thread, which was just created */
	CAUSE_WAKEUP,
	CAUSE_BARRIER,
};

struct critical_path_segment {
	uint32_t thread;
	uint32_t task; /* name of the top span it is in: string id; TRACE_NO_STRING: in none */
	enum path_kind kind;
	enum path_cause cause;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* Segments of one thread, task and kind, taken together. */
struct critical_path_line {
	uint32_t thread;
	uint32_t task;
	enum path_kind kind;
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
	struct critical_path_line *lines; /* what all of it is made of, the most first */
	size_t nr_threads;
	struct critical_path_thread
		*threads; /* those of the session that were there, least slack first */
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

/* Of [from_ns, to_ns), with @thread at its end. critical_path_free() frees it. */
struct critical_path critical_path_compute(const struct path_finder *finder, uint32_t thread,
					   uint64_t from_ns, uint64_t to_ns);
void critical_path_free(struct critical_path *path);

/* The thread of the session that was last on a CPU, and until when. MODEL_NO_THREAD: none was. */
uint32_t critical_path_last_on_cpu(const struct model *model, uint64_t *until_ns);

/* "running", ...; "start", "wakeup", ... */
const char *critical_path_kind_name(enum path_kind kind);
const char *critical_path_cause_name(enum path_cause cause);

#endif /* ANNOT_CRITICAL_PATH_H */

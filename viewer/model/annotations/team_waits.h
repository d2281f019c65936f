/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for the end of a team (team_names.h). A thread that has done its part of a region may not hear that the
 * others are done until it is given something else. So it does not end the wait: that ends when the team's
 * mark is made, or with the thread's next annotation, whichever comes first.
 *
 * Annotations come into the trace late, and not in the order of time among threads. So the mark may come before
 * the wait that it ends, or after annotations that follow the wait. Rows of waits stay in their thread's
 * table without an end until both are known.
 */
#ifndef ANNOT_MODEL_TEAM_WAITS_H
#define ANNOT_MODEL_TEAM_WAITS_H

#include "model/model.h"
#include "model/annotations/team_names.h"

#define TEAM_MARKS_KEPT 65536 /* the latest; a power of two */
#define TEAM_WAITS_KEPT 1024 /* of a thread, without a mark */
/*
 * Where CPUs have no common clock, a mark may seem to be made before the wait that it ends. One that is older than this
 * is of a program that the process executed before.
 */
#define TEAM_CLOCK_SLACK_NS 1000000

struct model_builder;

/* A wait whose end is not known. */
struct team_wait {
	size_t row; /* of its thread's spans */
	uint32_t mark; /* string id */
	int64_t value;
	uint64_t until_ns; /* the thread's next annotation, or end; UINT64_MAX: not yet */
};

/* Those of a thread, by row. */
struct team_wait_list {
	size_t nr;
	size_t capacity;
	struct team_wait *waits;
};

/* A mark that ended a team. */
struct team_mark {
	int32_t tgid;
	uint32_t mark;
	int64_t value;
	uint64_t time_ns;
};

struct team_build {
	struct team_names names;
	struct team_mark *marks; /* TEAM_MARKS_KEPT slots, once there is one */
	size_t nr_waiting;
	size_t waiting_capacity;
	uint32_t *waiting; /* threads that have such waits */
};

/*
 * Thread @thread begins such a wait. Its next annotation calls team_waits_bound() first. The oldest of too
 * many waits ends where it must, with SPAN_OPEN_END.
 */
void team_wait_begin(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		     const struct trace_event *begin, const struct team_name *name);

/* The thread's waits end at @time_ns at the latest. */
void team_waits_bound(struct team_wait_list *list, uint64_t time_ns);

/* Thread @thread makes a mark. */
void team_mark_made(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		    const struct trace_event *mark);

/* Rows were taken from the spans of a thread: those that stayed are its @nr_open open ones and these waits. */
void team_waits_renumber(struct team_wait_list *list, size_t *open, size_t nr_open);

/* At the end of the trace, at @time_ns: waits without a mark end where they must, with SPAN_OPEN_END. */
void team_waits_finish(struct model_builder *builder, uint64_t time_ns);

#endif /* ANNOT_MODEL_TEAM_WAITS_H */

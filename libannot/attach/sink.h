/* SPDX-License-Identifier: MIT */
/*
 * The sink: the one interface between fronts, which know the conventions of OpenMP, MPI and others,
 * and the library, which writes annotations. A front says what the program does in the words below.
 * The sink makes them spans and marks, alike for all conventions. annot-attach(1) describes what
 * users see.
 *
 * Each front is a shared object of its own, with a sink of its own in it, all hidden: what is attached adds
 * no name to the program's but those that it wraps.
 *
 * All functions may be called in any thread, and none fails. errno is preserved. A front asks
 * attach_is_recording() first, and does nothing if nothing records. It remembers the answer
 * from the begin of what it tells to its end, so that begins and ends match when a recording begins or
 * ends meanwhile.
 *
 * Spans nest in each thread. A thread that executes a task while it waits does not wait meanwhile: the
 * sink ends the wait's span before the task, and begins it again behind it.
 */
#ifndef LIBANNOT_ATTACH_SINK_H
#define LIBANNOT_ATTACH_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "annot/annot.h"
#include "place.h"

/*
 * The wait that the calling thread is in, as a task saves it: the index of its place, and its value's lower
 * 48 bits. 0: its innermost span is no wait. In eight bytes, because libraries that come by dlopen()
 * find little room for thread-local variables.
 */
struct attach_wait {
	uint64_t packed;
};

extern __thread struct attach_wait attach_wait __attribute__((tls_model("initial-exec")));

static inline struct attach_wait attach_wait_of(const struct place *place, int64_t value)
{
	return (struct attach_wait){ (uint64_t)place->index << 48 |
				     ((uint64_t)value & UINT64_C(0xffffffffffff)) };
}

/* Whether an annotation would be recorded. Cost: about a nanosecond. */
static inline bool attach_is_recording(void)
{
	return annot_is_wanted();
}

/* A span of work: a loop, a section, a call. */
static inline void attach_work_begin(struct place *place)
{
	annot_put(&place->site, ANNOT_OP_BEGIN, place->name, 0);
}

static inline void attach_work_begin_value(struct place *place, int64_t value)
{
	annot_put(&place->site, ANNOT_OP_BEGIN | ANNOT_OP_HAS_VALUE, place->name, value);
}

static inline void attach_work_end(void)
{
	annot_put(0, ANNOT_OP_END, 0, 0);
}

/* A wait for other threads. It ends with attach_wait_end(); until then, only tasks may begin in it. */
static inline void attach_wait_begin_value(struct place *place, int64_t value)
{
	attach_wait = attach_wait_of(place, value);
	annot_put(&place->site, ANNOT_OP_WAIT_BEGIN | ANNOT_OP_HAS_VALUE, place->name, value);
}

static inline void attach_wait_begin(struct place *place)
{
	attach_wait = attach_wait_of(place, 0);
	annot_put(&place->site, ANNOT_OP_WAIT_BEGIN, place->name, 0);
}

static inline void attach_wait_end(void)
{
	attach_wait.packed = 0;
	annot_put(0, ANNOT_OP_END, 0, 0);
}

/* The wait ends, and the work begins that it was for. */
static inline void attach_wait_end_work_begin_value(struct place *place, int64_t value)
{
	attach_wait.packed = 0;
	annot_put(&place->site, ANNOT_OP_NEXT | ANNOT_OP_HAS_VALUE, place->name, value);
}

/*
 * Work of another kind begins in the wait that the calling thread may be in: the wait's span ends.
 * attach_wait_resume() begins it again after that work.
 */
struct attach_wait attach_wait_suspend(void);
void attach_wait_resume(struct attach_wait suspended);

/* An instant. */
static inline void attach_mark(struct place *place)
{
	annot_put(&place->site, ANNOT_OP_MARK, place->name, 0);
}

/* An instant, with a value. */
static inline void attach_mark_value(struct place *place, int64_t value)
{
	annot_put(&place->site, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, place->name, value);
}

/* What a quantity is from now on. */
static inline void attach_counter(struct place *place, int64_t value)
{
	annot_put(&place->site, ANNOT_OP_COUNTER | ANNOT_OP_HAS_VALUE, place->name, value);
}

/*
 * Teams of threads. @runtime is a literal, "gomp". Numbers of teams are
 * unique in the process among those of one runtime, from 1 on, and less than 2^48.
 */
struct attach_runtime {
	/* "@team_gomp" ends a team; "barrier @team_gomp" ends with such a mark of the same value. */
	const char *mark_name;
	const char *wait_name;
	struct place *mark;
	struct place *wait;
	uint64_t nr_teams;
};

#define ATTACH_RUNTIME(word)                                                   \
	{                                                                      \
		.mark_name = "@team_" word, .wait_name = "barrier @team_" word \
	}

uint64_t attach_team_begin(struct attach_runtime *runtime);

/* The calling thread begins its part of @team's region at @place. */
void attach_region_begin(uint64_t team, struct place *place);

/*
 * The calling thread has done its part. It waits for the others until the team ends, though it may not
 * hear of that until it does something else. Of a region whose threads do not wait for each other, use
 * attach_work_end().
 */
void attach_region_end(struct attach_runtime *runtime, uint64_t team);

/* All have arrived, and the master goes on. Ends the waits of attach_region_end(). */
void attach_team_end(struct attach_runtime *runtime, uint64_t team);

/*
 * The calling thread executes a task. attach_task_begin() returns what attach_task_end() needs. Tasks
 * nest: the one begun last ends first.
 */
struct attach_wait attach_task_begin(struct place *place);
void attach_task_end(struct attach_wait suspended);

#endif /* LIBANNOT_ATTACH_SINK_H */

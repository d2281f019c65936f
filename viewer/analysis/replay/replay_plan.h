/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the threads of a session did, without when: for each the order of its work on CPUs, of those whom it woke, and of what
 * it waited for. replay.h runs it again on any CPUs.
 *
 * - Work is time on a CPU, divided where spans begin and end, so that the work of a task can be made shorter.
 * - A wait that a thread of the session ended is a wait for that wakeup, whenever it comes; if it came before, the thread goes on.
 * - Meetings at a barrier (barriers.h) wait for all of their threads, whoever is last. Time on a CPU while waiting there is no
 *   work: in the replay, such a thread leaves its CPU to others.
 * - A receive of a message (messages.h) waits until its send begins, whenever that is; then it lasts as long as it did from there.
 *   Time on a CPU before is no work either.
 * - All other waits (timers, devices, threads outside of the session) last as long as they did.
 * - So does a wait of which nobody knows who ended it, or it takes no time: what it was for may have come earlier.
 * - Work between two instances of a merged task is left out, where the thread does not wait there.
 * - What the scheduler took is left out: replaying tells it.
 * - Who runs outside of the session takes its CPU when it did, and as long.
 *
 * Critical sections that can be recognised (replay_locks.h) are had by one thread at a time, whoever comes first. Other locks
 * are handed over in the order of the recording.
 *
 * Cost: O(n log n) of n states, spans and wakeups; 16 bytes a step.
 */
#ifndef ANNOT_REPLAY_PLAN_H
#define ANNOT_REPLAY_PLAN_H

#include "analysis/base/programs.h"
#include "analysis/regions/regions.h"
#include "util/pair_table.h"

enum replay_step_kind {
	STEP_RUN, /* value: ns */
	STEP_WAKE, /* value: the wakeup */
	STEP_WAIT, /* value: the wakeup */
	STEP_SLEEP, /* value: ns */
	STEP_WAIT_UNKNOWN, /* value: ns; for whom is not known */
	STEP_SLEEP_UNTIL, /* value: time in ns */
	STEP_MEET, /* value: the meeting */
	STEP_LOCK, /* value: the lock */
	STEP_UNLOCK,
};

struct replay_step {
	uint8_t kind;
	int16_t cpu; /* of STEP_RUN: where it was */
	uint32_t place; /* of STEP_RUN: in which spans; a row of places */
	uint64_t value;
};

/* The spans that a thread is in: the innermost one, and those around it. Row 0: in none. */
struct replay_place {
	uint32_t outer; /* a row */
	uint32_t name; /* string id; TRACE_NO_STRING: in none */
};

struct replay_thread {
	uint32_t thread; /* of the model */
	size_t first; /* its steps */
	size_t nr;
	int main_cpu; /* on which it ran longest */
	bool is_real_time; /* it had a real-time priority when it ran */
};

/* Who ran on a CPU that is not of the session. */
struct replay_load {
	uint64_t from_ns;
	uint64_t to_ns;
};

struct replay_cpu {
	size_t nr_loads;
	size_t loads_capacity;
	struct replay_load *loads; /* in order of time */
};

/* What is changed in the plan itself; replay.h has the rest. */
struct replay_changes {
	/* String ids; TRACE_NO_STRING: none. */
	uint32_t balanced; /* in all regions of this name, work is divided evenly */
	uint32_t without; /* a program that does not run */
	uint32_t no_lock; /* a lock that nobody waits for */
	uint32_t merged; /* a task whose instances follow each other without work between them */
};

struct replay_plan {
	const struct model *model;
	uint64_t from_ns; /* the session's begin */
	uint64_t to_ns; /* when the last of its threads left its CPU */
	size_t nr_threads;
	struct replay_thread *threads;
	size_t nr_steps;
	size_t steps_capacity;
	struct replay_step *steps;
	size_t nr_places;
	size_t places_capacity;
	struct replay_place *places;
	struct pair_table place_numbers;
	size_t nr_wakeups;
	size_t nr_unknown; /* waits for nobody knows whom */
	size_t nr_locks;
	size_t nr_meetings;
	uint32_t *meeting_sizes; /* how many threads each waits for */
	int nr_cpus;
	struct replay_cpu *cpus;
	struct programs programs;
	bool *is_of_session; /* by CPU: a thread of the session ran there, replayed or not */
	bool *may_run; /* row of threads * nr_cpus + CPU: the thread ran there */
};

/* Never fails. replay_plan_free() frees it. */
struct replay_plan *replay_plan_new(const struct model *model, const struct regions *regions,
				    const struct replay_changes *changes);
void replay_plan_free(struct replay_plan *plan);

#endif /* ANNOT_REPLAY_PLAN_H */

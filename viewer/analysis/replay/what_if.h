/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long the recorded session would have taken with something changed: its plan (replay_plan.h) is run again, first as it
 * was, then with the change.
 *
 * What is predicted is the recorded length, times the changed replay's length over the unchanged one's. Its interval: the
 * replay runs with several time slices, and with each placement that may be the right one, too, and each length is off by as
 * much as the unchanged replay was: the interval has all of them. Where the unchanged replay is off by more than
 * WHAT_IF_MOST_ERROR, nothing is predicted. Nor where threads of a changed replay wait for ever: in another order, one may wait for
 * a lock whose holder waits for it. Nor where nobody knows for whom threads waited, and a replay without these waits, changed or
 * not, is shorter by more than WHAT_IF_MOST_ERROR: what they waited for may be done earlier. Where it is not, the interval has
 * that, too.
 *
 * The scheduler's model takes from the trace: the time slice (the median of those that ended in preemption, or 3 ms; longer
 * where all CPUs would have more than 4 million of them), how long an idle CPU takes to switch a thread in (the median), and
 * where threads may run: of the placements of replay.h, the first that replays the recording within WHAT_IF_GOOD_ERROR, else
 * the one that comes nearest. Others may be the right ones that replay it within WHAT_IF_MOST_ERROR; PLACE_AS_RECORDED, which
 * replays any recording, only if no other one is good. Without a program, which may be why threads were where they were, it is the
 * right one only if no other one may be.
 */
#ifndef ANNOT_WHAT_IF_H
#define ANNOT_WHAT_IF_H

#include "analysis/base/run_change.h"
#include "analysis/replay/lock_waits.h"
#include "analysis/replay/replay.h"

#define WHAT_IF_MOST_ERROR 0.10
#define WHAT_IF_GOOD_ERROR 0.03
#define WHAT_IF_MOST_FASTER 16
#define WHAT_IF_MOST_CPUS 4096
#define WHAT_IF_SLICES 3
/* What the table of tasks makes faster, and how much: one percent alone is less than what schedules differ by. */
#define WHAT_IF_STEP 0.05
/* Tasks with less of the work are not in the table. */
#define WHAT_IF_LEAST_SHARE 0.01

struct what_if_faster {
	uint32_t task; /* string id: name of spans */
	double factor; /* 2: half the time */
};

struct what_if_question {
	struct replay_changes changes;
	int nr_cpus; /* 0: as they were */
	bool is_pinned;
	bool is_unpinned; /* threads may run on any CPU of the session, whatever the recording shows */
	size_t nr_faster;
	struct what_if_faster faster[WHAT_IF_MOST_FASTER];
};

/* A task, and what the run gains if its work takes less time. */
struct what_if_task {
	uint32_t name; /* string id */
	uint64_t work_ns; /* on CPUs, all threads */
	double gain; /* share of the length, for each share of the task's time: 1 % faster makes the run gain % faster */
};

/* How long the session would have taken. */
struct what_if_prediction {
	uint64_t ns;
	uint64_t least_ns; /* its interval */
	uint64_t most_ns;
	size_t nr_stuck; /* threads that a replay of it could not bring to their end */
	double unknown; /* as that of the unchanged replay */
};

/* Else the rest of it tells nothing. */
static inline bool what_if_prediction_is_known(const struct what_if_prediction *predicted)
{
	return !predicted->nr_stuck && predicted->unknown <= WHAT_IF_MOST_ERROR;
}

struct what_if {
	uint64_t recorded_ns; /* length of the session */
	uint64_t replayed_ns; /* the same, unchanged, by the replay */
	double error; /* replayed_ns / recorded_ns - 1 */
	size_t nr_stuck; /* threads that the replay could not bring to their end; not 0: no answer */
	/* Share of replayed_ns that waits for nobody knows whom may be; above WHAT_IF_MOST_ERROR: no answer. */
	double unknown;
	bool has_answer;
	uint64_t slice_ns;
	uint64_t latency_ns;
	enum replay_placement placement;
	struct what_if_prediction predicted; /* of a question that changes something */
	size_t nr_tasks;
	struct what_if_task *tasks; /* with the change: what gains most first */
};

struct what_if_question what_if_question_of(const struct run_change *change);

/* Why there is no answer. */
const char *what_if_why_no_answer(const struct what_if *what_if);

bool what_if_is_changed(const struct what_if_question *question);

/* The unchanged replay with a placement. */
struct what_if_placement {
	uint64_t length_ns;
	double error;
	bool may_be_right; /* and differs from those before */
};

/* What answers questions about one recording. */
struct what_if_oracle {
	const struct model *model;
	const struct regions *regions;
	struct replay_plan *unchanged;
	struct lock_spans lock_waits; /* lock_waits.h */
	struct what_if base; /* without a prediction and tasks */
	struct what_if_placement placements[NR_REPLAY_PLACEMENTS];
	/* Lengths of the unchanged replay, each with another time slice; not set without an answer. */
	uint64_t slices_ns[WHAT_IF_SLICES];
	struct replay_result results[WHAT_IF_SLICES];
};

/* Replays it as it was. Never fails. what_if_oracle_free() frees what is in it. */
struct what_if_oracle what_if_oracle_new(const struct model *model, const struct regions *regions);
void what_if_oracle_free(struct what_if_oracle *oracle);

/* Of an oracle that has an answer. */
struct what_if_prediction what_if_predict(const struct what_if_oracle *oracle,
					  const struct what_if_question *question);

/* Never fails. what_if_free() frees it. */
struct what_if what_if_compute(const struct what_if_oracle *oracle,
			       const struct what_if_question *question);
void what_if_free(struct what_if *what_if);

#endif /* ANNOT_WHAT_IF_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model of a trace: who ran where and when, and what programs said of themselves. There is never
 * a heap object per event: what happened stands in tables (tables.h).
 */
#ifndef ANNOT_MODEL_H
#define ANNOT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/tables.h"
#include "model/topology.h"
#include "trace/trace.h"

struct thread {
	int32_t tid;
	int32_t tgid; /* 0: not known */
	uint32_t comm; /* the last one it had; string id */
	uint32_t parent; /* who created it, or MODEL_NO_THREAD */
	bool in_session; /* what the user traced: the command of annot record and all that
				 * descends from it; in a trace that does not tell the command, the
				 * processes that annotate; if none does, what was created or
				 * exec'd within the trace; each with its descendants; if there are none
				 * of these either, all */
	struct state_table states;
	struct span_table spans;
	struct mark_table marks;
	uint64_t nr_unmatched_ends; /* an end without a begin: begun before the trace */
	struct state_checkpoint totals; /* of its whole life */
};

struct cpu {
	bool seen; /* it has a buffer with at least one event */
	struct slice_table slices;
	struct gap_table gaps;
};

/* An event that was sampled or counted, or refused: what annot_config says of it. */
struct pmu_event {
	uint32_t name; /* string id */
	uint32_t text; /* the whole of it */
	bool is_counted; /* it has counts per slice; else samples */
	bool user;
	bool kernel;
	uint8_t precise_asked;
	uint8_t precise;
	int error; /* errno with which the kernel refused it; 0: it was measured */
	uint64_t period;
	uint32_t counter; /* is_counted: place in slice_count_table.counts' rows */
	uint64_t nr_lost; /* samples known to be missing */
	bool has_total; /* each CPU that measured it has told what it counted in all: */
	uint64_t total;
	uint64_t enough_ns; /* no more samples were wanted since then; UINT64_MAX: they were */
	bool is_merged; /* made up for one that was told later, and has its counts: nothing is
				 * left of it */
};

struct state_delta;

struct model {
	struct trace *trace; /* for strings and info; not owned */
	uint64_t start_ns; /* of the first event, on the trace's clock */
	uint64_t duration_ns; /* to the last event */
	size_t nr_threads;
	struct thread *threads; /* in order of first appearance; a reused tid is a new thread */
	int nr_cpus;
	struct cpu *cpus;
	struct migration_table migrations;
	struct wakeup_table wakeups;
	size_t nr_pmu_events; /* 0: nothing was measured */
	struct pmu_event *pmu_events;
	struct sample_table samples;
	struct slice_count_table slice_counts;
	struct pmu_gap_table pmu_gaps;
	struct mapping_table mappings;
	struct space_table spaces;
	struct topology topology;
	uint64_t nr_odd_counts; /* slices whose counts were not those of the set: left out */
	uint64_t nr_switches;
	uint64_t nr_reordered; /* annotations moved, to stand behind their thread's one before */
	uint32_t config_text; /* annot_config of the recording, or TRACE_NO_STRING */
	struct state_delta *state_deltas; /* of each thread: in place of its states, where a window
					 * has none that are implied (window.h); else NULL */
};

/* Time in each state, and what happened, in a range of one thread's life. */
struct thread_account {
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_switches; /* times it was switched out */
	uint64_t nr_preemptions; /* of these: while it still wanted to run */
	uint64_t nr_migrations;
};

/*
 * Reads all events of @trace into a new model, which model_free() frees (the trace stays open).
 * Returns -1 after one line on stderr: a damaged file, no sched_switch events in it, no memory.
 */
int model_build(struct trace *trace, struct model **out);

/*
 * The same of a file that is read otherwise, too, so that what is missing of it is not told again, and
 * of at most @most_events: each in a batch counts, and none that only tells who ran. If there are more,
 * @out is NULL, and @read_ns how far into the trace so many are.
 */
int model_build_again(struct trace *trace, uint64_t most_events, uint64_t *read_ns,
		      struct model **out);

void model_free(struct model *model);

/*
 * What thread @thread did in [from_ns, to_ns). Cost: two binary searches and at most a hundred
 * rows. Any range is allowed: the states' times always add up to its length; before the thread was
 * seen and after the trace they are STATE_UNKNOWN.
 */
void model_account(const struct model *model, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
		   struct thread_account *account);

/*
 * What is at @address of @thread at @time_ns: a row of model.mappings, or SIZE_MAX. What was told
 * too late is better than nothing: a mapping of a later time, where there is none of an earlier.
 */
size_t model_find_mapping(const struct model *model, uint32_t thread, uint64_t time_ns,
			  uint64_t address);

/*
 * The one with the highest start at or below @address of those that are @wanted: what a program has
 * behind the end of its file, and data where only code was told, is found by it.
 */
size_t model_find_mapping_below(const struct model *model, uint32_t thread, uint64_t time_ns,
				uint64_t address,
				bool (*wanted)(const struct model *model, size_t row));

#endif /* ANNOT_MODEL_H */

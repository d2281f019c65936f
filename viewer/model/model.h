/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model of a trace: which thread ran where and when, and the annotations of programs. It has no
 * heap objects for single events; all rows are in tables (tables.h).
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
	uint32_t comm; /* its last comm; string id */
	uint32_t parent; /* its creator, or MODEL_NO_THREAD */
	bool in_session; /* what the user traced: the command of annot record and all that
				 * descends from it; in a trace that does not tell the command, the
				 * processes that annotate; if none does, what was created or
				 * exec'd within the trace; each with its descendants; if there are none
				 * of these either, all */
	struct state_table states;
	struct span_table spans;
	struct mark_table marks;
	uint64_t nr_unmatched_ends; /* ends whose begin was before the trace */
	struct state_checkpoint totals; /* of its whole life */
};

struct cpu {
	bool seen; /* it has a buffer with at least one event */
	struct slice_table slices;
	struct gap_table gaps;
};

/* A PMU event that was sampled, counted or refused, from its annot_config. */
struct pmu_event {
	uint32_t name; /* string id */
	uint32_t text; /* text of the annot_config */
	bool is_counted; /* it has counts per slice; otherwise samples */
	bool user;
	bool kernel;
	uint8_t precise_asked;
	uint8_t precise;
	int error; /* errno with which the kernel refused it; 0: it was measured */
	uint64_t period;
	uint32_t counter; /* is_counted: place in slice_count_table.counts' rows */
	uint64_t nr_lost; /* number of samples that are known to be missing */
	bool has_total; /* total is valid: all CPUs that measured it reported their total */
	uint64_t total;
	uint64_t enough_ns; /* from here on, the limit of samples was reached; UINT64_MAX: never */
	bool is_merged; /* a placeholder; its counts were moved to the event that was described later */
};

struct state_delta;

struct model {
	struct trace *trace; /* for strings and info; the caller closes it */
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
	uint64_t nr_odd_counts; /* slices whose number of counts differs from the set's; dropped */
	uint64_t nr_switches;
	uint64_t nr_reordered; /* annotations moved behind their thread's previous one */
	uint32_t config_text; /* annot_config of the recording, or TRACE_NO_STRING */
	/* One for each thread, in windows that have deltas in place of states (window.h). Else NULL. */
	struct state_delta *state_deltas;
};

/* Time in each state and number of switches, in an interval of one thread. */
struct thread_account {
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_switches; /* times it was switched out */
	uint64_t nr_preemptions; /* of these, preemptions */
	uint64_t nr_migrations;
};

/*
 * Reads all events of @trace into a new model; free it with model_free(). The trace stays open.
 * Returns -1 after one line on stderr: the file is damaged, has no sched_switch events, or memory
 * ran out.
 */
int model_build(struct trace *trace, struct model **out);

/*
 * Like model_build(), for a file that is also read in another way: does not print again what is
 * missing in it. It reads at most @most_events. Each annotation in a batch counts as one; events
 * that only name the running thread do not count. If there are more, @out is NULL, and @read_ns is
 * the time that was reached.
 */
int model_build_again(struct trace *trace, uint64_t most_events, uint64_t *read_ns,
		      struct model **out);

void model_free(struct model *model);

/*
 * Time of @thread in each state in [from_ns, to_ns). Cost: two binary searches and at most a
 * hundred rows. Any range is allowed, and the times always add up to its length. Before the thread
 * was first seen, and after the trace, they are STATE_UNKNOWN.
 */
void model_account(const struct model *model, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
		   struct thread_account *account);

/*
 * The row of model.mappings that contains @address in @thread at @time_ns, or SIZE_MAX. If no
 * mapping is older than @time_ns, a newer one is returned: mappings are recorded late.
 */
size_t model_find_mapping(const struct model *model, uint32_t thread, uint64_t time_ns,
			  uint64_t address);

/*
 * Among the mappings that are @wanted, the one with the highest start at or below @address. It
 * finds the file of data that is not in a recorded mapping: bss, and data where only code was
 * recorded.
 */
size_t model_find_mapping_below(const struct model *model, uint32_t thread, uint64_t time_ns,
				uint64_t address,
				bool (*wanted)(const struct model *model, size_t row));

#endif /* ANNOT_MODEL_H */

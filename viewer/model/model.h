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

#include "model/kernel/stolen.h"
#include "model/tables.h"
#include "model/topology.h"
#include "trace/trace.h"

struct thread {
	int32_t tid;
	int32_t tgid; /* 0: not known */
	uint32_t comm; /* its last comm; string id */
	/* Of a thread of the kernel, comm up to its '/': all kworkers are of one kind. 0: none. */
	uint32_t kind;
	uint32_t parent; /* its creator, or MODEL_NO_THREAD */
	bool in_session; /* what the user traced: the command of annot record and all that
				 * descends from it; in a trace that does not tell the command, the
				 * processes that annotate; if none does, what was created or
				 * exec'd within the trace; each with its descendants; if there are none
				 * of these either, all */
	struct state_table states;
	struct span_table spans;
	struct mark_table marks;
	struct cause_table causes;
	struct stack_point_table stack_points;
	struct waker_stack_table waker_stacks;
	struct kernel_slice_table kernel_slices;
	bool has_rank; /* it told the rank of its process in MPI_COMM_WORLD */
	uint32_t rank;
	bool leads_teams; /* it ended a team outside of all its spans: not as a part of another team */
	bool joins_teams; /* it waited for the end of a team */
	uint64_t nr_unmatched_ends; /* ends whose begin was before the trace */
	uint64_t
		nr_unmatched_kernel_ends; /* ends whose begin is not in the trace: see kernel_slices.h */
	struct state_checkpoint totals; /* of its whole life */
	struct stolen_time stolen; /* from its time on CPUs, by interrupts */
};

struct cpu {
	bool seen; /* it has a buffer with at least one event */
	struct slice_table slices;
	struct gap_table gaps;
	struct interrupt_table interrupts;
	struct idle_table idle;
	struct frequency_table frequencies;
};

/* Of pmu_gap_table.state, beside ANNOT_PMU_THROTTLED and ANNOT_PMU_FAILED: counters that annot record reads could not be read. */
#define PMU_GAP_UNREAD 128

/* A PMU event that was sampled, counted or refused, from its annot_config. */
struct pmu_event {
	uint32_t name; /* string id */
	uint32_t text; /* text of the annot_config */
	bool is_counted; /* it has counts per slice; otherwise samples */
	bool is_software; /* the kernel counts it, not the CPU */
	bool is_clock; /* its period is in ns: time on a CPU */
	/*
	 * Its samples are of instructions, and how many each stands for is not known: they tell shares, not counts. AMD's IBS
	 * begins each period at a random number, and its interrupt's own instructions count, too.
	 */
	bool by_ratio;
	bool is_shared; /* it is counted, and took turns with others: what it counted is a part (turn_estimate.h) */
	/*
	 * The CPU drops those of its samples whose instruction did not miss the last-level cache (IBS: l3missonly): what share of all
	 * instructions they are is not known.
	 */
	bool is_filtered;
	uint64_t
		threshold_cycles; /* loads that took less are not sampled; 0: the event has no such limit */
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

/* A type of event without rows (event_source.h). */
struct left_out_event {
	uint32_t name; /* string id: "system:event" */
	uint64_t nr;
};

/* A damaged trace may tell of any number: the others have no lane. */
#define MODEL_MOST_BLOCK_DEVICES 1024u

/* A block device that has requests. */
struct block_device {
	uint32_t name; /* string id: "8:0" */
	uint32_t in_flight; /* while the model is built */
	uint32_t most_in_flight; /* requests at once, of the whole trace, whatever was clipped */
};

/* A trace is damaged that tells of more: the others are left out. */
#define MODEL_MOST_UNCORE_COUNTERS 1024u

/* A counter that the CPUs of a socket or a die share. */
struct uncore_counter {
	uint32_t name; /* string id: "power/energy-pkg/" */
	uint32_t unit; /* string id: "Joules"; TRACE_NO_STRING: events */
	int cpu; /* that counts it for its socket or die */
	double scale; /* a count of 1 is so many units */
	double most_per_s; /* units: the highest rate of all readings, whatever was clipped; 0: none is known */
};

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
	struct block_io_table block_io;
	size_t nr_block_devices; /* at most MODEL_MOST_BLOCK_DEVICES: the first ones */
	struct block_device *block_devices; /* in order of first appearance */
	struct timed_sleep_table timed_sleeps;
	size_t nr_uncore_counters; /* at most MODEL_MOST_UNCORE_COUNTERS */
	struct uncore_counter *uncore_counters; /* as the recording numbers them */
	struct uncore_reading_table uncore_readings;
	size_t nr_pmu_events; /* 0: nothing was measured */
	struct pmu_event *pmu_events;
	struct sample_table samples;
	struct slice_count_table slice_counts;
	struct pmu_gap_table pmu_gaps;
	struct event_table events;
	size_t nr_left_out_events; /* types that have no rows in `events`, the most frequent first */
	struct left_out_event *left_out_events;
	uint64_t
		nr_early_events; /* of types that are wanted, before the first event that annot decodes: without rows */
	struct note_table notes;
	struct data_object_table data_objects;
	struct frame_table frames; /* they get names by frame_names_fill() */
	struct mapping_table mappings;
	struct page_reading_table page_readings;
	struct space_table spaces;
	struct topology topology;
	bool is_virtual; /* the trace tells that the machine was */
	uint32_t hypervisor; /* string id: what it calls itself; TRACE_NO_STRING: not known */
	uint64_t nr_odd_counts; /* slices whose number of counts differs from the set's; dropped */
	uint64_t nr_switches;
	bool has_interrupts; /* the trace has events of them */
	bool has_wakings; /* the same of sched_waking, which comes from the waker */
	uint64_t nr_reordered; /* annotations moved behind their thread's previous one */
	uint32_t config_text; /* annot_config of the recording, or TRACE_NO_STRING */
	/* One for each thread, in windows that have deltas in place of states (window.h). Else NULL. */
	struct state_delta *state_deltas;
};

void model_free(struct model *model);

#endif /* ANNOT_MODEL_H */

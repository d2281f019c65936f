/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events -> timeline. Columns, never a heap object per event: each table is a struct of parallel
 * arrays, in time order. All times are nanoseconds since model.start_ns, so that they fit what a
 * page can compute with.
 *
 * Rows refer to each other by index: a thread by its place in model.threads, a string by its id
 * in the trace (trace_string()).
 */
#ifndef ANNOT_MODEL_H
#define ANNOT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/topology.h"
#include "trace/trace.h"

#define MODEL_NO_THREAD UINT32_MAX

enum thread_state {
	STATE_UNKNOWN, /* before it was first seen, or while events were lost */
	STATE_RUNNING, /* on a CPU */
	STATE_PREEMPTED, /* switched out while it still wanted to run */
	STATE_WOKEN, /* woken, not yet on a CPU: wakeup latency */
	STATE_BLOCKED, /* asleep: lock, timer, pipe, ... */
	STATE_BLOCKED_IO, /* uninterruptible sleep */
	STATE_STOPPED, /* stopped by a signal or a debugger */
	STATE_DEAD, /* after its last switch */
	NR_THREAD_STATES,
};

/* Sums over the rows before one of every STATE_CHECKPOINT_ROWS, so that any range of a thread's
 * life is added up from two of them and a few rows. */
#define STATE_CHECKPOINT_ROWS 64

struct state_checkpoint {
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_switches;
	uint64_t nr_preemptions;
	uint64_t nr_migrations;
};

/* The states of one thread: row i lasts from start_ns[i] to start_ns[i + 1] (which stands behind the
 * last one, too, if there are any: the end of the trace); it may last 0 ns. The first row is where it was first seen, or created; each
 * row from STATE_PREEMPTED on, STATE_WOKEN left out, is one switch-out. cpu[i] is where it runs;
 * while it waits, where it last ran or was queued; -1 when not known. */
struct state_column {
	size_t nr;
	uint64_t *start_ns;
	uint8_t *state;
	int16_t *cpu;
	uint8_t *migrated; /* 1: it runs, on another CPU than when it ran before */
	struct state_checkpoint *checkpoints; /* row i * STATE_CHECKPOINT_ROWS has the i-th */
	uint64_t *end_ns; /* of the rest of a timeline in windows (window.h); else NULL */
};

/* Annotation spans of one thread, by start time; a parent stands before its children. Times are
 * when the program said so, whenever that came into the trace. */
struct span_column {
	size_t nr;
	uint64_t *start_ns;
	uint64_t *end_ns;
	uint32_t *name; /* string id */
	uint8_t *kind; /* enum trace_span_kind */
	uint8_t *depth; /* 0: not inside another span; stops counting at 255 */
	uint8_t *flags; /* SPAN_* */
	int64_t *value;
	uint64_t *drained_ns; /* when its begin came into the trace; start_ns if at once */
};

#define SPAN_HAS_VALUE 1u
#define SPAN_OPEN_END 2u /* no end was seen: it is cut at the thread's or the trace's end */

/* Marks and counter values of one thread. */
struct mark_column {
	size_t nr;
	uint64_t *time_ns;
	uint32_t *name;
	uint8_t *is_counter;
	uint8_t *has_value;
	int64_t *value;
	uint64_t *drained_ns; /* when it came into the trace */
};

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
	struct state_column states;
	struct span_column spans;
	struct mark_column marks;
	uint64_t nr_unmatched_ends; /* an end without a begin: begun before the trace */
	struct state_checkpoint totals; /* of its whole life */
};

/* Who ran on one CPU, idle left out. */
struct slice_column {
	size_t nr;
	uint64_t *start_ns;
	uint64_t *end_ns;
	uint32_t *thread;
	uint8_t *end_state; /* enum thread_state after it; STATE_RUNNING: still on at the end */
	size_t room; /* while it is filled: for so many rows, if nr was larger before */
};

enum gap_kind {
	GAP_LOST, /* the trace says that events were lost */
	GAP_MISSING, /* it does not, but an event contradicts those before */
};

/* A stretch of one CPU of which nothing is known. */
struct gap_column {
	size_t nr;
	uint64_t *start_ns;
	uint64_t *end_ns;
	uint64_t *nr_events; /* 0: not counted; of GAP_MISSING: switches, at least */
	uint8_t *kind; /* enum gap_kind */
};

struct cpu {
	bool seen; /* it has a buffer with at least one event */
	struct slice_column slices;
	struct gap_column gaps;
};

/* A thread's next slice is on another CPU than its last: one row, at the start of that slice. Not
 * told when events were lost in between: it may have been elsewhere, too. */
struct migration_column {
	size_t nr;
	uint64_t *time_ns; /* switched in on to_cpu */
	uint64_t *left_ns; /* switched out on from_cpu */
	uint32_t *thread;
	int16_t *from_cpu;
	int16_t *to_cpu;
};

/* Wakeups, for latency and flow arrows. */
struct wakeup_column {
	size_t nr;
	uint64_t *time_ns;
	uint32_t *waker; /* thread, or MODEL_NO_THREAD: idle or interrupt */
	uint32_t *wakee;
	int16_t *cpu; /* the waker's */
	size_t room; /* as that of slices */
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
	uint32_t counter; /* is_counted: place in slice_count_column.counts' rows */
	uint64_t nr_lost; /* samples known to be missing */
	bool has_total; /* each CPU that measured it has told what it counted in all: */
	uint64_t total;
	uint64_t enough_ns; /* no more samples were wanted since then; UINT64_MAX: they were */
	bool is_merged; /* made up for one that was told later, and has its counts: nothing is
				 * left of it */
};

/* Samples of all CPUs and threads, in time order. What `has` does not name is 0. */
struct sample_column {
	size_t nr;
	uint64_t *time_ns;
	uint32_t *thread; /* MODEL_NO_THREAD: idle, or not known */
	int16_t *cpu;
	uint8_t *event; /* index into model.pmu_events */
	uint8_t *has; /* ANNOT_SAMPLE_* */
	uint8_t *precise;
	uint64_t *period;
	uint64_t *ip;
	uint64_t *addr;
	uint64_t *weight;
	uint64_t *data_src;
	size_t *first_reg; /* its registers: regs[first_reg[i]] to regs[first_reg[i + 1]] */
	uint64_t *regs;
};

/* What each slice counted, in time order (of the slice's end). */
struct slice_count_column {
	size_t nr;
	uint32_t nr_counters; /* of the counted events: values in a row */
	uint64_t *start_ns;
	uint64_t *end_ns; /* in this order; or of a part of the slice; idle has slices here, too */
	uint32_t *thread; /* MODEL_NO_THREAD: idle */
	int16_t *cpu;
	uint32_t *invalid; /* bit i: counter i did not run all the time, or not at all */
	uint64_t *counts; /* row i: counts[i * nr_counters] ... */
};

/* Times in which an event was not measured on a CPU: throttled, or no counter to be had. In order
 * of their starts. */
struct pmu_gap_column {
	size_t nr;
	uint64_t *start_ns;
	uint64_t *end_ns;
	int16_t *cpu;
	uint8_t *event;
	uint8_t *state; /* ANNOT_PMU_THROTTLED or ANNOT_PMU_FAILED */
};

/* Files mapped into processes, in time order; before the trace: at 0. */
struct mapping_column {
	size_t nr;
	uint64_t *time_ns;
	int32_t *tgid;
	uint64_t *start;
	uint64_t *length;
	uint64_t *offset_bytes;
	uint32_t *path; /* string id */
	uint32_t *build_id; /* string id, hexadecimal; TRACE_NO_STRING: not known */
};

#define MODEL_NO_SPACE UINT32_MAX

/* The address spaces of processes: fork makes one like the parent's, exec one that is empty. */
struct space_column {
	size_t nr;
	uint64_t *start_ns;
	uint32_t *parent; /* it began as a copy of that one; MODEL_NO_SPACE: empty */
	uint32_t *before; /* which the process (its pid, rather) had before */
	uint32_t *of_thread; /* the last one of each thread's process */
	size_t *first; /* what was mapped into it: rows[first[i]] to rows[first[i + 1]] */
	size_t *rows; /* of mapping_column, in time order */
};

struct thread_edits;

struct model {
	struct trace *trace; /* for strings and info; not owned */
	uint64_t start_ns; /* of the first event, on the trace's clock */
	uint64_t duration_ns; /* to the last event */
	size_t nr_threads;
	struct thread *threads; /* in order of first appearance; a reused tid is a new thread */
	int nr_cpus;
	struct cpu *cpus;
	struct migration_column migrations;
	struct wakeup_column wakeups;
	size_t nr_pmu_events; /* 0: nothing was measured */
	struct pmu_event *pmu_events;
	struct sample_column samples;
	struct slice_count_column slice_counts;
	struct pmu_gap_column pmu_gaps;
	struct mapping_column mappings;
	struct space_column spaces;
	struct topology topology;
	uint64_t nr_odd_counts; /* slices whose counts were not those of the set: left out */
	uint64_t nr_switches;
	uint64_t nr_reordered; /* annotations moved, to stand behind their thread's one before */
	uint32_t config_text; /* annot_config of the recording, or TRACE_NO_STRING */
	struct thread_edits *edits; /* of each thread: in place of its states, where a window
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

/* Names of the states as users read them: "running", "preempted", ... */
const char *thread_state_name(enum thread_state state);

#endif /* ANNOT_MODEL_H */

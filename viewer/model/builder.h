/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds a model event by event. model_build() feeds it from a file; tests feed it by hand.
 *
 * Rules for events that contradict each other, and for lost events ("lost events" in
 * annot-report(1) describes the same to users):
 * - When a CPU loses events, its running thread is unknown until its next event names it. The
 *   thread that ran there when the loss began, and the threads in its queue, are STATE_UNKNOWN
 *   until they are seen again. A sleeping thread is assumed to sleep on.
 * - Each event, of any kind, names the thread that runs on its CPU (evidence.h). A switch is
 *   missing if that is not the thread that the model has there, or if a thread appears where it
 *   cannot be. Then the model's state is valid up to the last event of the CPU concerned, and
 *   STATE_UNKNOWN from there. The time from there to the CPU's next event is a gap. The threads in
 *   the CPU's queue are STATE_UNKNOWN, too. If a thread's switch onto a CPU was not seen, the
 *   thread is STATE_UNKNOWN from that CPU's last event on.
 * - If the trace has wakeups and a sleeping thread runs without a wakeup, it is STATE_UNKNOWN since
 *   it fell asleep, or since a loss that may have included its wakeup.
 * - A CPU may have no events although other CPUs put threads into its queue. A sleeping thread may
 *   have run there, and the threads in its queue are STATE_UNKNOWN.
 * - A move between CPUs is a migration only if the thread was certainly nowhere else in between. So
 *   the number of migrations is a lower bound in a trace with losses.
 */
#ifndef ANNOT_MODEL_BUILDER_H
#define ANNOT_MODEL_BUILDER_H

#include "model/mappings.h"
#include "model/model.h"
#include "model/pmu.h"
#include "model/spans.h"
#include "model/states/states.h"
#include "model/tids.h"
#include "model/window/window.h"

#define RUNNER_UNKNOWN UINT32_MAX /* nobody knows who runs there */
#define RUNNER_IDLE (UINT32_MAX - 1)

/* State of a thread during the build, beside its state in the model. */
struct thread_build {
	struct thread_track track;
	struct span_stack spans;
	bool created; /* within the trace, and not as a thread of the kernel */
	bool execed; /* within the trace */
	bool annotated;
	bool is_command; /* of annot record */
	bool exiting;
	bool has_waker; /* a waking event was seen, at waking_ns: */
	uint64_t waking_ns; /* if it was asleep, it was until then */
	uint32_t waker; /* MODEL_NO_THREAD: an interrupt */
	int waker_cpu;
	bool is_thread; /* a thread of its creator's process, not a new process */
	uint64_t renamed_ns; /* when it renamed itself to renamed_to; an exec begins with that */
	uint32_t renamed_to;
	uint64_t since_ns; /* when its state began, if has_state */
	bool has_state;
	size_t row_to_end; /* row of counts that ends at the next annotation; SIZE_MAX: none */
	bool row_is_sure; /* that annotation is in the same batch, so it cannot be lost */
};

struct cpu_build {
	uint32_t runner; /* a thread, RUNNER_IDLE or RUNNER_UNKNOWN */
	uint64_t since_ns; /* since when the runner runs, if it is known */
	uint8_t priority; /* of the runner when it was switched in: TRACE_PRIORITY_* */
	int32_t left_tid; /* thread that was switched out last */
	bool is_silent; /* the trace has no events of this CPU */
	bool is_used; /* it is silent, but other CPUs put threads into its queue: */
	uint64_t used_ns; /* when the first one came, on the trace's clock */
	bool is_dark; /* it is used, and its running threads are not seen: see silent.h */
	bool misses_switch; /* a switch is missing since missing_ns; until the next event names the runner */
	uint64_t missing_ns;
	uint64_t last_event_ns; /* of events that name the runner */
	uint64_t counted_ns; /* the rows of its counts reach up to here */
};

struct model_builder {
	struct model *model;
	struct tid_table tids;
	struct thread_build *threads; /* beside model->threads */
	struct cpu_build *cpus; /* beside model->cpus */
	struct pmu_build pmu;
	struct mapping_build mappings;
	bool started;
	bool has_gaps; /* on any CPU */
	bool has_wakeups; /* the trace has wakeups */
	int nr_dark; /* number of dark CPUs */
	uint64_t now_ns; /* of the last event, since the model's start */
	struct model_windows *windows; /* receive the rows; NULL: rows stay in the model */
	struct window_thread *window_threads; /* beside threads, if windows_log_states() */
};

/* The model refers to @trace. It may be NULL if no strings are needed. */
void model_builder_init(struct model_builder *builder, struct trace *trace);
void model_builder_feed(struct model_builder *builder, const struct trace_event *event);

/* Lets the rows go into @windows, which the caller has set up. Call before the first event. */
void model_builder_use_windows(struct model_builder *builder, struct model_windows *windows);

/*
 * Completes and returns the model; with windows, the rest. Free it with model_free(). The builder
 * cannot be used afterwards.
 */
struct model *model_builder_finish(struct model_builder *builder);

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

/*
 * Like model_build(), but gives each window to @sink when its time is over, and returns the rest in
 * @rest. Memory holds one window, the rows that cross cuts, and what is known of threads.
 */
int model_stream(struct trace *trace, const struct model_sink *sink, struct model **rest);

/* The same, but without the messages on stderr about what is missing in the trace. */
int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest);

#endif /* ANNOT_MODEL_BUILDER_H */

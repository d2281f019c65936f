/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds a model event by event. model_build() feeds it from a file; tests feed it by hand.
 *
 * What is booked while events contradict each other or were lost (see "lost events" in
 * annot-report(1), which tells users the same):
 * - A CPU whose events were lost runs somebody unknown until its next event names who. Whoever ran
 *   there when the loss began, or waited in its queue, is STATE_UNKNOWN until seen again; a sleeper
 *   is taken to have slept on.
 * - Each event, of whatever kind, names who runs on its CPU (evidence.h). If that is not who was
 *   believed to run there, or if a thread turns up where it cannot be, a switch is missing, though
 *   nobody said so: what was believed holds up to the last event of the CPU concerned, and is
 *   STATE_UNKNOWN from there. From there to the CPU's next event is a gap, and whoever waits in its
 *   queue is STATE_UNKNOWN, too.
 *   If a thread's entry to a CPU was not seen, it is STATE_UNKNOWN from that CPU's last event on.
 * - A sleeper that runs without having been woken, in a trace that has wakeups, is STATE_UNKNOWN
 *   since it fell asleep, or since a loss that may have taken its wakeup.
 * - A CPU that others put threads on, but that tells nothing, hides what they do there: a sleeper may
 *   have run on it, and whoever is in its queue is STATE_UNKNOWN.
 * - A move from CPU to CPU is a migration only if the thread is known to have been nowhere else in
 *   between, so their number is a lower bound in a trace with losses.
 */
#ifndef ANNOT_MODEL_BUILDER_H
#define ANNOT_MODEL_BUILDER_H

#include "model/mappings.h"
#include "model/model.h"
#include "model/pmu.h"
#include "model/spans.h"
#include "model/states.h"
#include "model/tids.h"
#include "model/window.h"

#define RUNNER_UNKNOWN UINT32_MAX /* nobody knows who runs there */
#define RUNNER_IDLE (UINT32_MAX - 1)

/* What is known of a thread while the trace is read, beside what is in the model. */
struct thread_build {
	struct thread_track track;
	struct span_stack spans;
	bool created; /* within the trace, and not as a thread of the kernel */
	bool execed; /* within the trace */
	bool annotated;
	bool is_command; /* of annot record */
	bool exiting;
	bool has_waker; /* somebody began to wake it: */
	uint64_t waking_ns; /* then; it was asleep until then, if it was */
	uint32_t waker; /* a thread; MODEL_NO_THREAD: an interrupt */
	int waker_cpu;
	bool is_thread; /* of its creator's process */
	uint64_t renamed_ns; /* it gave itself the name renamed_to: an exec does, as it begins */
	uint32_t renamed_to;
	uint64_t since_ns; /* it is in its state, if there is a row of that */
	bool has_state;
	size_t row_to_end; /* counts until the annotation that comes next; SIZE_MAX: none are */
	bool row_is_sure; /* that annotation cannot have been lost */
};

struct cpu_build {
	uint32_t runner; /* a thread, RUNNER_IDLE or RUNNER_UNKNOWN */
	uint64_t since_ns; /* it runs since then, if it is known who that is */
	uint8_t priority; /* with which it was switched in: TRACE_PRIORITY_* */
	int32_t left_tid; /* who left it last */
	bool is_silent; /* the trace has no event of it */
	bool is_used; /* it is silent, but threads are put into its queue: */
	uint64_t used_ns; /* the first one then; the trace's time */
	bool is_dark; /* it is used, and who runs there is not seen: see silent.h */
	bool misses_switch; /* since missing_ns; until its next event tells who runs there */
	uint64_t missing_ns;
	uint64_t last_event_ns; /* of those that tell who runs there */
	uint64_t counted_ns; /* what it counted until then has its row */
};

struct model_builder {
	struct model *model;
	struct tid_table tids;
	struct thread_build *threads; /* beside model->threads */
	struct cpu_build *cpus; /* beside model->cpus */
	struct pmu_build pmu;
	struct mapping_build mappings;
	bool started;
	bool has_gaps; /* of any CPU */
	bool has_wakeups; /* it tells when sleepers are woken */
	int nr_dark; /* CPUs that are */
	uint64_t now_ns; /* of the last event, since the model's start */
	struct model_windows *windows; /* where the rows go; NULL: they stay */
	struct window_thread *window_threads; /* beside threads, if windows_log_states() */
};

/* @trace becomes the model's; it may be NULL where no strings are asked for. */
void model_builder_init(struct model_builder *builder, struct trace *trace);
void model_builder_feed(struct model_builder *builder, const struct trace_event *event);

/* Before the first event: the rows go into @windows, which the caller has set up. */
void model_builder_use_windows(struct model_builder *builder, struct model_windows *windows);

/*
 * Completes and returns the model (in windows: the rest), which model_free() frees; the builder is
 * done with.
 */
struct model *model_builder_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_BUILDER_H */

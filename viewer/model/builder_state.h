/* SPDX-License-Identifier: GPL-2.0 */
/* What is kept while a model is built, for the files that build it. */
#ifndef ANNOT_MODEL_BUILDER_STATE_H
#define ANNOT_MODEL_BUILDER_STATE_H

#include "model/kernel/block_build.h"
#include "model/pmu/group_build.h"
#include "model/pmu/uncore_build.h"
#include "model/kernel/interrupt_nest.h"
#include "model/kernel/kernel_slices.h"
#include "model/memory/data_objects.h"
#include "model/memory/mappings.h"
#include "model/model.h"
#include "model/kernel/power_build.h"
#include "model/pmu/pmu.h"
#include "model/annotations/spans.h"
#include "model/kernel/stacks.h"
#include "model/states/states.h"
#include "model/kernel/timers_build.h"
#include "model/annotations/team_waits.h"
#include "model/threads/tids.h"
#include "model/window/window.h"

#define RUNNER_UNKNOWN UINT32_MAX /* nobody knows who runs there */
#define RUNNER_IDLE (UINT32_MAX - 1)

/* State of a thread during the build, beside its state in the model. It is found quickest at 256 bytes. */
struct thread_build {
	struct thread_track track;
	struct span_stack spans;
	struct kernel_stack kernel;
	bool created; /* within the trace, and not as a thread of the kernel */
	bool execed; /* within the trace */
	bool annotated;
	bool is_command; /* of annot record */
	bool exiting;
	bool is_thread; /* a thread of its creator's process, not a new process */
	bool has_waker; /* a waking event was seen, at waking_ns: */
	uint64_t waking_ns; /* if it was asleep, it was until then */
	uint32_t waker; /* MODEL_NO_THREAD: an interrupt */
	int waker_cpu;
	uint64_t renamed_ns; /* when it renamed itself to renamed_to; an exec begins with that */
	uint32_t renamed_to;
	uint64_t since_ns; /* when its state began, if has_state */
	bool has_state;
	struct started_timer timer; /* that it started last */
	struct started_timer timer_before; /* and the one before */
	size_t row_to_end; /* row of counts that ends at the next annotation; SIZE_MAX: none */
	bool row_is_sure; /* that annotation is in the same batch, so it cannot be lost */
};

/* What annot_blocked said of the thread that leaves, or left last. */
struct blocked_note {
	int32_t tid; /* 0: nothing */
	bool is_due; /* its switch follows */
	uint32_t system_call;
	uint32_t cause;
	uint32_t cause_if_stopped;
	uint32_t object;
	uint64_t object_id;
	uint32_t holder;
	uint32_t stack; /* in the program; 0: none */
};

struct cpu_build {
	uint32_t runner; /* a thread, RUNNER_IDLE or RUNNER_UNKNOWN */
	uint64_t since_ns; /* since when the runner runs, if it is known */
	uint8_t priority; /* of the runner when it was switched in: TRACE_PRIORITY_* */
	int32_t left_tid; /* thread that was switched out last */
	uint32_t left; /* the same in the model, or RUNNER_IDLE, ... */
	enum trace_switch_reason left_for; /* ... and why */
	bool may_have_stack; /* the stack of that switch may follow */
	struct blocked_note blocked;
	int32_t named_tid; /* whom the last event named that is not a stack itself: */
	uint64_t named_ns; /* ... and when */
	bool is_silent; /* the trace has no events of this CPU */
	bool is_used; /* it is silent, but other CPUs put threads into its queue: */
	uint64_t used_ns; /* when the first one came, on the trace's clock */
	bool is_dark; /* it is used, and its running threads are not seen: see silent.h */
	bool misses_switch; /* a switch is missing since missing_ns; until the next event names the runner */
	uint64_t missing_ns;
	uint64_t last_event_ns; /* of events that name the runner */
	uint64_t counted_ns; /* the rows of its counts reach up to here */
	struct interrupt_nest interrupts;
	uint32_t ipi_reasons[NR_TRACE_IPIS]; /* of what is sent there, and did not come yet */
	struct power_build power;
	struct expired_timer timer;
};

struct model_builder {
	struct model *model;
	struct tid_table tids;
	struct thread_build *threads; /* beside model->threads */
	struct cpu_build *cpus; /* beside model->cpus */
	struct pmu_build pmu;
	struct mapping_build mappings;
	size_t first_of_reading; /* row of page_readings: the first of the reading that is told */
	int32_t recorder_tid; /* who told of the machine first: annot record; 0: nobody did */
	struct object_build objects;
	struct team_build teams;
	struct stack_build stacks;
	struct block_build block;
	struct uncore_build uncore;
	struct group_build groups;
	uint64_t nr_timer_losses;
	bool started;
	bool has_gaps; /* on any CPU */
	bool has_wakeups; /* the trace has wakeups */
	int nr_dark; /* number of dark CPUs */
	uint64_t now_ns; /* of the last event, since the model's start */
	struct model_windows *windows; /* receive the rows; NULL: rows stay in the model */
	struct event_rows *event_rows; /* NULL: events that nothing decodes leave no rows */
	struct window_thread *window_threads; /* beside threads, if windows_log_states() */
};

/* Whether the model has rows of states. */
static inline bool model_builder_keeps_states(const struct model_builder *builder)
{
	return !builder->window_threads || builder->windows->keeps;
}

#endif /* ANNOT_MODEL_BUILDER_STATE_H */

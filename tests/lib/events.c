// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "events.h"
#include "model/builder_state.h"
#include "model/window/rest.h"
#include "model_check.h"

#define MOST_CPUS 64

static struct model_builder builder;
static int32_t switched_to[MOST_CPUS];
static uint64_t drain_ns; /* 0: annotations are drained at once */
static int32_t writer_tid; /* 0: each thread writes its own */

static void ignore_window(void *context, const struct model *window, uint64_t from_ns,
			  uint64_t to_ns)
{
	(void)context;
	(void)window;
	(void)from_ns;
	(void)to_ns;
}

static void ignore_state(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
			 uint64_t end_ns)
{
	(void)context;
	(void)thread;
	(void)state;
	(void)start_ns;
	(void)end_ns;
}

static const struct model_sink ignore = { .take = ignore_window,
					  .state = ignore_state,
					  .step_ns = 16 };
static struct model_windows windows;
static size_t nr_events_each; /* of windows, while rows stay; 0: there are none */

int script_without_windows(void **state)
{
	(void)state;
	nr_events_each = 0;
	return 0;
}

int script_with_windows_of_1(void **state)
{
	(void)state;
	nr_events_each = 1;
	return 0;
}

int script_with_windows_of_5(void **state)
{
	(void)state;
	nr_events_each = 5;
	return 0;
}

int script_with_one_window(void **state)
{
	(void)state;
	nr_events_each = 1000000;
	return 0;
}

struct model_builder *script_begin(void)
{
	memset(switched_to, 0, sizeof(switched_to));
	model_builder_init(&builder, NULL);
	drain_ns = 0;
	writer_tid = 0;
	windows = (struct model_windows){
		.sink = &ignore,
		.nr_events_each = nr_events_each,
		.keeps = true,
	};
	if (nr_events_each)
		model_builder_use_windows(&builder, &windows);
	return &builder;
}

struct model *script_end(void)
{
	struct model *model = model_builder_finish(&builder);

	rest_free(windows.kept_rest);
	windows.kept_rest = NULL;
	check_model(model);
	return model;
}

uint32_t thread_of(const struct model *model, int32_t tid, int nth)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].tid == tid && !nth--)
			return (uint32_t)i;
	}
	fail_msg("no such thread: tid %d", tid);
	return MODEL_NO_THREAD;
}

static struct trace_event event_at(uint64_t time_ns, int cpu, int32_t tid,
				   enum trace_event_kind kind)
{
	return (struct trace_event){ .time_ns = time_ns, .cpu = cpu, .tid = tid, .kind = kind };
}

/* As the kernel does, events that are nobody's name who runs. */
static int32_t runner_on(int cpu)
{
	uint32_t runner = cpu < builder.model->nr_cpus ? builder.cpus[cpu].runner : RUNNER_IDLE;

	return runner < RUNNER_IDLE ? builder.model->threads[runner].tid : 0;
}

void feed_drained_at(uint64_t time_ns)
{
	drain_ns = time_ns;
}

void feed_written_by(int32_t tid)
{
	writer_tid = tid;
}

/* An annotation made at @time_ns, drained then or at the time that was asked for. */
static struct trace_event annotation_at(uint64_t time_ns, int cpu, int32_t tid,
					enum trace_event_kind kind)
{
	struct trace_event event = event_at(drain_ns ? drain_ns : time_ns, cpu, tid, kind);

	event.annot.true_ns = time_ns;
	if (writer_tid) {
		event.tid = writer_tid;
		event.annot.owner_tid = tid;
	}
	return event;
}

void feed_switch_with(uint64_t time_ns, int cpu, int32_t prev, int32_t next,
		      enum trace_switch_reason reason, uint8_t next_priority)
{
	struct trace_event event = event_at(time_ns, cpu, prev, TRACE_SWITCH);

	event.sw.next_tid = next;
	event.sw.reason = reason;
	event.sw.next_priority = next_priority;
	if (cpu < MOST_CPUS)
		switched_to[cpu] = next;
	model_builder_feed(&builder, &event);
}

int32_t script_switched_to(int cpu)
{
	return switched_to[cpu];
}

void feed_switch_at(uint64_t time_ns, int cpu, int32_t prev, int32_t next,
		    enum trace_switch_reason reason)
{
	feed_switch_with(time_ns, cpu, prev, next, reason, TRACE_PRIORITY_UNKNOWN);
}

void feed_waking_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee)
{
	struct trace_event event = event_at(time_ns, cpu, waker, TRACE_WAKING);

	event.wakeup.wakee_tid = wakee;
	model_builder_feed(&builder, &event);
}

void feed_wakeup_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee, int target_cpu)
{
	struct trace_event event = event_at(time_ns, cpu, waker, TRACE_WAKEUP);

	event.wakeup.wakee_tid = wakee;
	event.wakeup.target_cpu = target_cpu;
	model_builder_feed(&builder, &event);
}

void feed_wakeup_new_at(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee, int target_cpu)
{
	struct trace_event event = event_at(time_ns, cpu, waker, TRACE_WAKEUP);

	event.wakeup.wakee_tid = wakee;
	event.wakeup.target_cpu = target_cpu;
	event.wakeup.is_new = true;
	model_builder_feed(&builder, &event);
}

void feed_migrate_at(uint64_t time_ns, int cpu, int32_t by, int32_t tid, int to_cpu)
{
	struct trace_event event = event_at(time_ns, cpu, by, TRACE_MIGRATE);

	event.migrate.moved_tid = tid;
	event.migrate.to_cpu = to_cpu;
	model_builder_feed(&builder, &event);
}

void feed_fork_at(uint64_t time_ns, int cpu, int32_t parent, int32_t child, bool is_thread)
{
	struct trace_event event = event_at(time_ns, cpu, parent, TRACE_FORK);

	event.fork.child_tid = child;
	event.fork.thread_known = true;
	event.fork.is_thread = is_thread;
	model_builder_feed(&builder, &event);
}

void feed_exec_at(uint64_t time_ns, int cpu, int32_t tid, int32_t old_tid, uint32_t comm)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_RENAME);

	event.rename.subject_tid = tid;
	event.rename.exec_old_tid = old_tid;
	event.rename.is_exec = true;
	event.rename.comm = comm;
	model_builder_feed(&builder, &event);
}

void feed_rename_at(uint64_t time_ns, int cpu, int32_t by, int32_t tid, uint32_t comm)
{
	struct trace_event event = event_at(time_ns, cpu, by, TRACE_RENAME);

	event.rename.subject_tid = tid;
	event.rename.exec_old_tid = tid;
	event.rename.comm = comm;
	model_builder_feed(&builder, &event);
}

void feed_exit_at(uint64_t time_ns, int cpu, int32_t tid)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_EXIT);

	model_builder_feed(&builder, &event);
}

void feed_begin_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name, enum trace_span_kind kind)
{
	struct trace_event event = annotation_at(time_ns, cpu, tid, TRACE_SPAN_BEGIN);

	event.annot.name = name;
	event.annot.span_kind = kind;
	model_builder_feed(&builder, &event);
}

void feed_end_at(uint64_t time_ns, int cpu, int32_t tid)
{
	struct trace_event event = annotation_at(time_ns, cpu, tid, TRACE_SPAN_END);

	model_builder_feed(&builder, &event);
}

void feed_mark_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name)
{
	struct trace_event event = annotation_at(time_ns, cpu, tid, TRACE_MARK);

	event.annot.name = name;
	model_builder_feed(&builder, &event);
}

void feed_value_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name, int64_t value)
{
	struct trace_event event = annotation_at(time_ns, cpu, tid, TRACE_MARK);

	event.annot.name = name;
	event.annot.has_value = true;
	event.annot.value = value;
	model_builder_feed(&builder, &event);
}

void feed_other_at(uint64_t time_ns, int cpu, int32_t tid, bool may_be_in_switch)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_OTHER);

	event.other.may_be_in_switch = may_be_in_switch;
	model_builder_feed(&builder, &event);
}

void feed_kernel_stack_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t cause, uint32_t frames)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_KERNEL_STACK);

	event.stack.may_be_in_switch = true;
	event.stack.cause = cause;
	event.stack.frames = frames;
	event.stack.id = frames;
	model_builder_feed(&builder, &event);
}

void feed_user_stack_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t id)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_USER_STACK);

	event.stack.may_be_in_switch = true;
	event.stack.cause = TRACE_NO_STRING;
	event.stack.frames = TRACE_NO_STRING;
	event.stack.id = id;
	model_builder_feed(&builder, &event);
}

void feed_waker_stack_at(uint64_t time_ns, int cpu, int32_t tid, int32_t wakee, uint32_t id)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_WAKER_STACK);

	event.waker.wakee_tid = wakee;
	event.waker.stack = id;
	model_builder_feed(&builder, &event);
}

void feed_blocked_at(uint64_t time_ns, int cpu, int32_t tid, const struct blocked_words *words)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_BLOCKED);

	event.blocked.system_call = words->system_call;
	event.blocked.cause = words->cause;
	event.blocked.cause_if_stopped = BLOCKED_STOPPED;
	event.blocked.object = words->object;
	event.blocked.object_id = words->object_id;
	event.blocked.holder_tid = words->holder_tid;
	event.blocked.is_of_process = words->is_of_process;
	event.blocked.stack = words->stack;
	model_builder_feed(&builder, &event);
}

void feed_kernel_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_event_kind kind,
		    enum trace_kernel_kind kernel_kind, uint64_t key, int32_t level)
{
	struct trace_event event = event_at(time_ns, cpu, tid, kind);

	event.kernel.kind = kernel_kind;
	event.kernel.key = key;
	event.kernel.name = (uint32_t)key;
	event.kernel.level = level;
	model_builder_feed(&builder, &event);
}

void feed_step_end_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t key, int64_t result)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_KERNEL_END);

	event.kernel.kind = TRACE_KERNEL_HOTPLUG;
	event.kernel.key = key;
	event.kernel.value = result;
	event.kernel.has_value = true;
	model_builder_feed(&builder, &event);
}

void feed_fault_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t address)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_KERNEL_MARK);

	event.kernel.kind = TRACE_KERNEL_FAULT;
	event.kernel.level = TRACE_FAULT_USER;
	event.kernel.value = (int64_t)address;
	event.kernel.has_value = true;
	model_builder_feed(&builder, &event);
}

void feed_others_mark_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_kernel_kind kernel_kind,
			 uint32_t name, int32_t of_tid)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_KERNEL_MARK);

	event.kernel.kind = kernel_kind;
	event.kernel.name = name;
	event.kernel.of_tid = of_tid;
	model_builder_feed(&builder, &event);
}

void feed_result_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t number, int64_t result)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_KERNEL_END);

	event.kernel.kind = TRACE_KERNEL_SYSCALL;
	event.kernel.key = number;
	event.kernel.name = (uint32_t)number;
	event.kernel.value = result;
	event.kernel.has_value = true;
	model_builder_feed(&builder, &event);
}

void feed_interrupt_begin_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_interrupt_kind kind,
			     uint32_t id, bool in_softirq)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_INTERRUPT_BEGIN);

	event.interrupt.kind = (uint8_t)kind;
	event.interrupt.id = id;
	event.interrupt.name = id;
	event.interrupt.in_softirq = in_softirq;
	model_builder_feed(&builder, &event);
}

void feed_ipi_send_at(uint64_t time_ns, int cpu, uint64_t targets, bool is_reschedule,
		      uint32_t reason)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), TRACE_IPI_SEND);

	event.ipi.is_reschedule = is_reschedule;
	event.ipi.reason = reason;
	event.ipi.targets = &targets;
	event.ipi.nr_words = 1;
	model_builder_feed(&builder, &event);
}

void feed_ipi_begin_at(uint64_t time_ns, int cpu, uint32_t id, enum trace_ipi ipi)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), TRACE_INTERRUPT_BEGIN);

	event.interrupt.kind = TRACE_VECTOR;
	event.interrupt.id = id;
	event.interrupt.name = id;
	event.interrupt.ipi = (uint8_t)ipi;
	model_builder_feed(&builder, &event);
}

void feed_interrupt_end_at(uint64_t time_ns, int cpu, int32_t tid, enum trace_interrupt_kind kind,
			   uint32_t id)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_INTERRUPT_END);

	event.interrupt.kind = (uint8_t)kind;
	event.interrupt.id = id;
	model_builder_feed(&builder, &event);
}

void feed_idle_at(uint64_t time_ns, int cpu, uint32_t state)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), TRACE_CPU_IDLE);

	event.power.cpu = cpu;
	event.power.value = state;
	event.power.is_exit = state == NOT_IDLE;
	model_builder_feed(&builder, &event);
}

void feed_frequency_at(uint64_t time_ns, int cpu, int of_cpu, uint32_t khz)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), TRACE_CPU_FREQUENCY);

	event.power.cpu = of_cpu;
	event.power.value = khz;
	model_builder_feed(&builder, &event);
}

void feed_block_at(uint64_t time_ns, int cpu, enum trace_event_kind kind, uint32_t dev,
		   uint64_t sector, enum trace_block_op op)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), kind);

	event.block.dev = dev;
	event.block.device = dev;
	event.block.sector = sector;
	event.block.nr_sectors = 8;
	event.block.op = (uint8_t)op;
	model_builder_feed(&builder, &event);
}

void feed_uncore_event_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t counter, double scale)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_UNCORE_EVENT);

	event.uncore_event.counter = counter;
	event.uncore_event.name = counter + 1;
	event.uncore_event.unit = TRACE_NO_STRING;
	event.uncore_event.cpu = cpu;
	event.uncore_event.scale = scale;
	model_builder_feed(&builder, &event);
}

void feed_uncore_count_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t counter,
			  struct uncore_count count)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_UNCORE_COUNTS);

	event.uncore.first = counter;
	event.uncore.nr = 1;
	event.uncore.counts = &count;
	model_builder_feed(&builder, &event);
}

void feed_group_event_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, uint32_t name)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_PMU_EVENT);

	event.pmu_event.group = group + 1;
	event.pmu_event.name = name;
	event.pmu_event.is_counted = true;
	event.pmu_event.user = true;
	model_builder_feed(&builder, &event);
}

void feed_group_rows_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, int of,
			uint64_t start_ns, const char *rows)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_GROUP_COUNTS);

	event.group.group = group;
	event.group.cpu = of;
	event.group.start_ns = start_ns;
	event.group.rows = (struct scan_text){ rows, rows + strlen(rows) };
	model_builder_feed(&builder, &event);
}

void feed_group_gap_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t group, int of,
		       uint64_t start_ns, uint64_t end_ns)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_GROUP_GAP);

	event.group.group = group;
	event.group.cpu = of;
	event.group.start_ns = start_ns;
	event.group.end_ns = end_ns;
	model_builder_feed(&builder, &event);
}

void feed_mark_of_process_at(uint64_t time_ns, int cpu, int32_t tid, int32_t tgid)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_MARK);

	event.annot.name = 1;
	event.annot.tgid = tgid;
	model_builder_feed(&builder, &event);
}

void feed_timer_start_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id, int64_t earliest_ns,
			 int64_t latest_ns)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_TIMER_START);

	event.timer.id = id;
	event.timer.earliest_ns = earliest_ns;
	event.timer.latest_ns = latest_ns;
	model_builder_feed(&builder, &event);
}

void feed_timer_expire_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id, int64_t now_ns)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_TIMER_EXPIRE);

	event.timer.id = id;
	event.timer.now_ns = now_ns;
	model_builder_feed(&builder, &event);
}

void feed_timer_done_at(uint64_t time_ns, int cpu, int32_t tid, uint64_t id)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_TIMER_DONE);

	event.timer.id = id;
	model_builder_feed(&builder, &event);
}

void feed_session_at(uint64_t time_ns, int cpu, int32_t tid)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_SESSION);

	event.session.tid = tid;
	event.session.tgid = 0;
	model_builder_feed(&builder, &event);
}

void feed_counter_at(uint64_t time_ns, int cpu, int32_t tid, uint32_t name, int64_t value)
{
	struct trace_event event = annotation_at(time_ns, cpu, tid, TRACE_COUNTER);

	event.annot.name = name;
	event.annot.has_value = true;
	event.annot.value = value;
	model_builder_feed(&builder, &event);
}

void feed_lost_at(uint64_t time_ns, int cpu, uint64_t since_ns, uint64_t nr_events)
{
	struct trace_event event = event_at(time_ns, cpu, 0, TRACE_LOST);

	event.lost.since_ns = since_ns;
	event.lost.nr_events = nr_events;
	model_builder_feed(&builder, &event);
}

static struct trace_event pmu_event_at(uint64_t time_ns, uint8_t index, uint32_t text,
				       uint64_t period, int error)
{
	struct trace_event event = event_at(time_ns, 0, runner_on(0), TRACE_PMU_EVENT);

	event.pmu_event.event = index;
	event.pmu_event.text = text;
	event.pmu_event.name = text;
	event.pmu_event.period = period;
	event.pmu_event.is_counted = !period;
	event.pmu_event.user = true;
	event.pmu_event.error = error;
	return event;
}

void feed_pmu_event_at(uint64_t time_ns, uint8_t index, uint32_t text, uint64_t period, int error)
{
	struct trace_event event = pmu_event_at(time_ns, index, text, period, error);

	model_builder_feed(&builder, &event);
}

void feed_shared_event_at(uint64_t time_ns, uint8_t index, uint32_t text)
{
	struct trace_event event = pmu_event_at(time_ns, index, text, 0, 0);

	event.pmu_event.is_shared = true;
	model_builder_feed(&builder, &event);
}

void feed_sample_at(uint64_t time_ns, int cpu, int32_t tid, uint8_t index, uint64_t period,
		    uint64_t ip)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_SAMPLE);

	event.sample.event = index;
	event.sample.period = period;
	event.sample.ip = ip;
	event.sample.has = ANNOT_SAMPLE_USER;
	model_builder_feed(&builder, &event);
}

void feed_counts_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts, uint32_t nr,
		    uint32_t invalid)
{
	feed_counts_ended_by_at(time_ns, cpu, tid, counts, nr, invalid, ANNOT_ENDED_BY_SWITCH);
}

void feed_counts_of_batch_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts,
			     uint32_t nr)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_SLICE_COUNTS);

	event.counts.counts = counts;
	event.counts.nr = nr;
	event.counts.ended_by = ANNOT_ENDED_BY_END;
	event.counts.in_batch = true;
	model_builder_feed(&builder, &event);
}

void feed_counts_ended_by_at(uint64_t time_ns, int cpu, int32_t tid, const uint64_t *counts,
			     uint32_t nr, uint32_t invalid, uint8_t ended_by)
{
	struct trace_event event = event_at(time_ns, cpu, tid, TRACE_SLICE_COUNTS);

	event.counts.counts = counts;
	event.counts.nr = nr;
	event.counts.invalid = invalid;
	event.counts.ended_by = ended_by;
	model_builder_feed(&builder, &event);
}

void feed_pmu_state_at(uint64_t time_ns, int cpu, uint8_t index, uint8_t state, uint64_t value)
{
	struct trace_event event = event_at(time_ns, cpu, runner_on(cpu), TRACE_PMU_STATE);

	event.pmu.event = index;
	event.pmu.state = state;
	event.pmu.value = value;
	model_builder_feed(&builder, &event);
}

static struct trace_event mapping_at(uint64_t time_ns, int32_t tgid, uint64_t start,
				     uint64_t length, uint32_t path)
{
	struct trace_event event = event_at(time_ns, 0, runner_on(0), TRACE_MAPPING);

	event.mapping.tgid = tgid;
	event.mapping.start = start;
	event.mapping.length = length;
	event.mapping.path = path;
	event.mapping.true_ns = time_ns;
	return event;
}

void feed_mapping_at(uint64_t time_ns, uint64_t true_ns, int32_t tgid, uint64_t start,
		     uint64_t length, uint32_t path)
{
	struct trace_event event = mapping_at(time_ns, tgid, start, length, path);

	event.mapping.true_ns = true_ns;
	model_builder_feed(&builder, &event);
}

void feed_kind_of_mapping_at(uint64_t time_ns, int32_t tgid, uint64_t start, uint64_t length,
			     uint32_t path, enum trace_mapping_kind kind)
{
	struct trace_event event = mapping_at(time_ns, tgid, start, length, path);

	event.mapping.kind = kind;
	model_builder_feed(&builder, &event);
}

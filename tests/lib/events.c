// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "events.h"
#include "model/account.h"
#include "model/builder_state.h"

#define ANY_CPUS 3
#define ANY_TIDS 7
#define MOST_PLAIN_NS 1000 /* more take too long to go through */

static struct model_builder builder;
/* Of feed_anything_at(): on each CPU. */
static int32_t running[ANY_CPUS];
static uint64_t drain_ns; /* 0: annotations are drained at once */
static int32_t writer_tid; /* 0: each thread writes its own */

struct model_builder *script_begin(void)
{
	memset(running, 0, sizeof(running));
	model_builder_init(&builder, NULL);
	drain_ns = 0;
	writer_tid = 0;
	return &builder;
}

struct model *script_end(void)
{
	struct model *model = model_builder_finish(&builder);

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

/* What model_account() tells, by adding up every row. */
static void plain_account(const struct model *model, const struct state_table *states,
			  uint64_t from_ns, uint64_t to_ns, struct thread_account *account)
{
	*account = (struct thread_account){ .state_ns[STATE_UNKNOWN] = to_ns - from_ns };
	for (size_t row = 0; row < states->nr; row++) {
		uint64_t start = states->start_ns[row], end = model->duration_ns;
		bool starts = from_ns < to_ns && start >= from_ns &&
			      (start < to_ns || to_ns >= model->duration_ns);

		if (row + 1 < states->nr)
			end = states->start_ns[row + 1];
		if (starts && states->state[row] >= STATE_PREEMPTED &&
		    states->state[row] != STATE_RUNNABLE)
			account->nr_switches++;
		if (starts && states->state[row] == STATE_PREEMPTED)
			account->nr_preemptions++;
		if (starts && states->migrated[row])
			account->nr_migrations++;
		start = start < from_ns ? from_ns : start;
		end = end > to_ns ? to_ns : end;
		if (start >= end)
			continue;
		account->state_ns[states->state[row]] += end - start;
		account->state_ns[STATE_UNKNOWN] -= end - start;
	}
}

/* The same of what interrupts took, nanosecond by nanosecond. */
static uint64_t plain_stolen_ns(const struct model *model, uint32_t thread, uint64_t from_ns,
				uint64_t to_ns)
{
	const struct state_table *states = &model->threads[thread].states;
	uint64_t sum_ns = 0;

	for (uint64_t ns = from_ns; ns < to_ns && ns < model->duration_ns; ns++) {
		size_t row = column_find(states->start_ns, states->nr, ns);
		bool taken = false;

		if (row == SIZE_MAX || states->state[row] != STATE_RUNNING)
			continue;
		for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
			const struct interrupt_table *rows = &model->cpus[cpu].interrupts;

			for (size_t i = 0; i < rows->nr; i++)
				taken |= rows->thread[i] == thread &&
					 rows->flags[i] & INTERRUPT_STEALS &&
					 rows->start_ns[i] <= ns && ns < rows->end_ns[i];
		}
		sum_ns += taken;
	}
	return sum_ns;
}

static void check_range(const struct model *model, uint32_t thread, uint64_t from_ns,
			uint64_t to_ns)
{
	struct thread_account account, plain;
	uint64_t sum_ns = 0;

	model_account(model, thread, from_ns, to_ns, &account);
	plain_account(model, &model->threads[thread].states, from_ns, to_ns, &plain);
	for (int state = 0; state < NR_THREAD_STATES; state++) {
		assert_int_equal(account.state_ns[state], plain.state_ns[state]);
		sum_ns += account.state_ns[state];
	}
	assert_int_equal(sum_ns, to_ns - from_ns);
	assert_int_equal(account.nr_switches, plain.nr_switches);
	assert_int_equal(account.nr_preemptions, plain.nr_preemptions);
	assert_int_equal(account.nr_migrations, plain.nr_migrations);
	assert_true(account.stolen_ns <= account.state_ns[STATE_RUNNING]);
	if (model->has_interrupts && model->duration_ns < MOST_PLAIN_NS)
		assert_int_equal(account.stolen_ns, plain_stolen_ns(model, thread, from_ns, to_ns));
}

static void check_thread(const struct model *model, uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;
	const struct span_table *spans = &model->threads[thread].spans;
	const struct kernel_slice_table *kernel = &model->threads[thread].kernel_slices;
	uint64_t step = model->duration_ns / 7 + 1;

	assert_true(states->nr > 0);
	for (size_t row = 1; row < states->nr; row++)
		assert_true(states->start_ns[row - 1] <= states->start_ns[row]);
	for (uint64_t from = 0; from <= model->duration_ns + step; from += step)
		for (uint64_t to = from; to <= model->duration_ns + 2 * step; to += step)
			check_range(model, thread, from, to);
	check_range(model, thread, 0, model->duration_ns);
	for (size_t row = 0; row < kernel->nr; row++) {
		assert_true(kernel->start_ns[row] <= kernel->end_ns[row]);
		assert_true(kernel->end_ns[row] <= model->duration_ns);
		assert_true(!row || kernel->start_ns[row - 1] <= kernel->start_ns[row]);
	}
	for (size_t span = 0; span < spans->nr; span++) {
		assert_true(spans->start_ns[span] <= spans->end_ns[span]);
		assert_true(spans->end_ns[span] <= model->duration_ns);
		assert_true(!span || spans->start_ns[span - 1] <= spans->start_ns[span]);
	}
}

static void check_interrupts(const struct interrupt_table *interrupts, uint64_t duration_ns)
{
	size_t around[NR_TRACE_INTERRUPT_KINDS];
	uint64_t taken_until_ns = 0;

	for (size_t i = 0; i < interrupts->nr; i++) {
		uint8_t depth = interrupts->depth[i];

		assert_true(depth < NR_TRACE_INTERRUPT_KINDS);
		assert_true(interrupts->start_ns[i] <= interrupts->end_ns[i]);
		assert_true(interrupts->end_ns[i] <= duration_ns);
		assert_true(!i || interrupts->start_ns[i - 1] <= interrupts->start_ns[i]);
		if (depth) {
			assert_true(interrupts->end_ns[i] <= interrupts->end_ns[around[depth - 1]]);
			assert_true(interrupts->kind[i] > interrupts->kind[around[depth - 1]]);
		}
		around[depth] = i;
		if (!(interrupts->flags[i] & INTERRUPT_STEALS))
			continue;
		assert_int_not_equal(interrupts->thread[i], MODEL_NO_THREAD);
		assert_true(interrupts->start_ns[i] >= taken_until_ns);
		taken_until_ns = interrupts->end_ns[i];
	}
}

static void check_power(const struct cpu *cpu, uint64_t duration_ns)
{
	const struct idle_table *idle = &cpu->idle;
	const struct frequency_table *frequencies = &cpu->frequencies;

	for (size_t i = 0; i < idle->nr; i++) {
		assert_true(idle->start_ns[i] <= idle->end_ns[i]);
		assert_true(idle->end_ns[i] <= duration_ns);
		assert_true(!i || idle->end_ns[i - 1] <= idle->start_ns[i]);
	}
	for (size_t i = 0; i < frequencies->nr; i++) {
		assert_true(frequencies->start_ns[i] < frequencies->end_ns[i]);
		assert_true(frequencies->end_ns[i] <= duration_ns);
		assert_true(!i || frequencies->end_ns[i - 1] <= frequencies->start_ns[i]);
		assert_int_not_equal(frequencies->khz[i], 0);
	}
}

void check_model(const struct model *model)
{
	uint64_t running_ns = 0, slices_ns = 0;

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		struct thread_account account;

		check_thread(model, thread);
		model_account(model, thread, 0, model->duration_ns, &account);
		running_ns += account.state_ns[STATE_RUNNING];
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		check_interrupts(&model->cpus[cpu].interrupts, model->duration_ns);
		check_power(&model->cpus[cpu], model->duration_ns);
		for (size_t i = 0; i < slices->nr; i++) {
			assert_true(slices->start_ns[i] < slices->end_ns[i]);
			assert_true(!i || slices->end_ns[i - 1] <= slices->start_ns[i]);
			slices_ns += slices->end_ns[i] - slices->start_ns[i];
		}
	}
	assert_int_equal(running_ns, slices_ns);
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
	model_builder_feed(&builder, &event);
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

static void feed_any_annotation_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	switch (chance / 17 % 6) {
	case 0:
	case 1:
		feed_begin_at(time_ns, cpu, tid, 1 + chance % 3,
			      chance % 2 ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK);
		break;
	case 2:
	case 3:
		feed_end_at(time_ns, cpu, tid);
		break;
	case 4:
		feed_mark_at(time_ns, cpu, tid, 1 + chance % 3);
		break;
	default:
		feed_counter_at(time_ns, cpu, tid, 1 + chance % 3, (int64_t)(chance % 100) - 50);
	}
}

static void feed_any_kernel_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	static const enum trace_event_kind kinds[] = {
		TRACE_KERNEL_BEGIN, TRACE_KERNEL_BEGIN, TRACE_KERNEL_END,
		TRACE_KERNEL_END,   TRACE_KERNEL_MARK,
	};

	feed_kernel_at(time_ns, cpu, tid, kinds[chance / 17 % 5],
		       chance / 85 % NR_TRACE_KERNEL_KINDS, 1 + chance / 510 % 3,
		       (int32_t)(chance / 1530 % 3));
}

/* Of two counters, of which the second one is counted half of the time. */
static void feed_any_uncore_at(uint64_t time_ns, int cpu, int32_t tid, unsigned int chance)
{
	uint32_t counter = chance / 19 % 2;

	if (chance / 38 % 8)
		feed_uncore_count_at(time_ns, cpu, tid, counter,
				     (struct uncore_count){ time_ns * (3 + chance / 304 % 2),
							    time_ns, time_ns >> counter });
	else
		feed_uncore_event_at(time_ns, cpu, tid, counter, 0.5);
}

void feed_anything_at(uint64_t time_ns, int32_t first_tid, unsigned int chance)
{
	static const enum trace_switch_reason reasons[] = {
		TRACE_OUT_RUNNABLE, TRACE_OUT_SLEEPING, TRACE_OUT_UNINTERRUPTIBLE,
		TRACE_OUT_STOPPED,  TRACE_OUT_DEAD,
	};
	int32_t *on = running;
	uint64_t counts[] = { chance % 1000, chance % 10 };
	int cpu = (int)(chance / 7 % ANY_CPUS);
	int32_t tid = first_tid + (int32_t)(chance / 131 % ANY_TIDS);

	switch (chance / 2003 % 40) {
	case 0:
		feed_migrate_at(time_ns, cpu, on[cpu], tid, (int)(chance % ANY_CPUS));
		break;
	case 1:
		feed_lost_at(time_ns, cpu, time_ns - 1, 0);
		break;
	case 2:
		feed_wakeup_new_at(time_ns, cpu, on[cpu], tid, cpu);
		break;
	case 3:
		feed_fork_at(time_ns, cpu, on[cpu], tid, chance % 2);
		break;
	case 4:
		feed_exit_at(time_ns, cpu, on[cpu]);
		break;
	case 5:
	case 6:
		feed_counts_at(time_ns, cpu, on[cpu], counts, 2, chance % 4);
		break;
	case 7:
	case 8:
	case 9:
	case 10:
	case 11:
	case 12:
	case 13:
		feed_any_annotation_at(time_ns, cpu, on[cpu], chance);
		break;
	case 20:
	case 21:
		feed_any_kernel_at(time_ns, cpu, on[cpu], chance);
		break;
	case 14:
		feed_waking_at(time_ns, cpu, on[cpu], tid);
		break;
	case 15:
	case 16:
	case 17:
	case 18:
	case 19:
		feed_wakeup_at(time_ns, cpu, on[cpu], tid, (int)(chance % ANY_CPUS));
		break;
	case 24:
	case 25:
		feed_interrupt_begin_at(time_ns, cpu, on[cpu],
					chance / 19 % NR_TRACE_INTERRUPT_KINDS, 1 + chance / 37 % 2,
					chance / 79 % 2);
		break;
	case 28:
		feed_idle_at(time_ns, cpu, chance / 19 % 3 ? NOT_IDLE : chance / 57 % 3);
		break;
	case 30:
		feed_block_at(time_ns, cpu,
			      chance / 19 % 2 ? TRACE_BLOCK_ISSUE : TRACE_BLOCK_COMPLETE, 1,
			      chance / 38 % 5, TRACE_BLOCK_READ);
		break;
	case 31:
		feed_timer_start_at(time_ns, cpu, on[cpu], 1 + chance / 19 % 3, (int64_t)time_ns,
				    (int64_t)time_ns + 5);
		break;
	case 32:
		feed_timer_expire_at(time_ns, cpu, on[cpu], 1 + chance / 19 % 3, (int64_t)time_ns);
		break;
	case 33:
		feed_any_uncore_at(time_ns, cpu, on[cpu], chance);
		break;
	case 29:
		feed_frequency_at(time_ns, cpu, (int)(chance / 19 % ANY_CPUS),
				  chance / 57 % 4 * 800000);
		break;
	case 26:
	case 27:
		feed_interrupt_end_at(time_ns, cpu, on[cpu], chance / 19 % NR_TRACE_INTERRUPT_KINDS,
				      1 + chance / 37 % 2);
		break;
	default:
		if (chance / 13 % 2)
			feed_blocked_at(time_ns, cpu, on[cpu],
					&(struct blocked_words){
						.system_call = chance % 3,
						.cause = 1 + chance % 4,
						.object = chance % 7,
						.object_id = chance,
						.holder_tid = chance / 11 % 3 ? tid : 0,
						.stack = chance / 13 % 5,
					});
		feed_switch_at(time_ns, cpu, on[cpu], chance % 5 ? tid : 0,
			       reasons[chance / 31 % 5]);
		if (chance / 17 % 3)
			feed_kernel_stack_at(time_ns, cpu, on[cpu], chance % 4, 1 + chance % 3);
		if (chance / 51 % 2)
			feed_user_stack_at(time_ns, cpu, on[cpu], 1 + chance % 7);
		on[cpu] = chance % 5 ? tid : 0;
	}
}

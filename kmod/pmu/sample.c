// SPDX-License-Identifier: GPL-2.0
/*
 * Samples, taken in the overflow interrupt of a counter. On x86 it is an NMI: no lock, no
 * allocation,
 * no message, nothing that sleeps.
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "ftrace/events.h"
#include "pmu/counter.h"
#include "pmu/cpu.h"
#include "pmu/event.h"
#include "pmu/regs.h"
#include "pmu/sample.h"
#include "stack/stack.h"

static bool address_is_kernel(u64 address)
{
	return address >= TASK_SIZE_MAX;
}

/* Drivers fill in a source without content when they do not know it. */
static bool data_has_source(union perf_mem_data_src source)
{
	u64 known_levels = source.mem_lvl & ~(u64)PERF_MEM_LVL_NA;

	return known_levels || (source.mem_lvl_num && source.mem_lvl_num != PERF_MEM_LVLNUM_NA);
}

static void sample_take_ip(struct annot_sample_data *sample, struct pt_regs *regs, bool hide_kernel)
{
	sample->ip = instruction_pointer(regs);
	if (user_mode(regs)) {
		sample->has |= ANNOT_SAMPLE_USER;
	} else if (hide_kernel) {
		sample->ip = 0;
		sample->has |= ANNOT_SAMPLE_HIDDEN;
	}
}

/* Since 6.1 sample_flags says what the driver filled in. 0 is no address and no latency. */
static void sample_take_data(struct annot_sample_data *sample, const struct perf_sample_data *data,
			     bool hide_kernel)
{
	if (data->sample_flags & PERF_SAMPLE_ADDR && data->addr) {
		if (hide_kernel && address_is_kernel(data->addr)) {
			sample->has |= ANNOT_SAMPLE_HIDDEN;
		} else {
			sample->addr = data->addr;
			sample->has |= ANNOT_SAMPLE_HAS_ADDR;
		}
	}
	if (data->sample_flags & PERF_SAMPLE_WEIGHT_TYPE && data->weight.full) {
		sample->weight = data->weight.full;
		sample->has |= ANNOT_SAMPLE_HAS_WEIGHT;
	}
	if (data->sample_flags & PERF_SAMPLE_DATA_SRC && data_has_source(data->data_src)) {
		sample->data_src = data->data_src.val;
		sample->has |= ANNOT_SAMPLE_HAS_DATA_SRC;
	}
}

static void sample_emit(const struct annot_pmu_event *event, const struct perf_sample_data *data,
			struct pt_regs *regs)
{
	u64 values[ANNOT_PMU_REGS_MAX];
	struct annot_sample_data sample = {
		.period = data->period,
		.regs = values,
		.event = event->index,
		.precise = event->attr.precise_ip,
	};

	sample_take_ip(&sample, regs, event->hide_kernel);
	sample_take_data(&sample, data, event->hide_kernel);
	/* The kernel's registers hold kernel addresses. */
	if (event->tells_registers && (user_mode(regs) || !event->hide_kernel)) {
		sample.nr_regs = annot_pmu_regs_copy(values, regs);
		sample.has |= ANNOT_SAMPLE_HAS_REGISTERS;
	}
	if (event->tells_stack)
		sample.stack = annot_stack_take_user(regs);
	annot_events_emit_sample(&sample);
}

/* perf's exclude_idle would do the same, but leave unknown how many samples are due. */
static bool sample_is_wanted(const struct annot_pmu_event *event, struct pt_regs *regs)
{
	u8 side = user_mode(regs) ? ANNOT_EVENT_USER : ANNOT_EVENT_KERNEL;

	return event->sides & side && !(event->skips_idle && is_idle_task(current));
}

/* Only with a limit do all CPUs write to one place. */
static bool sample_is_within_limit(struct annot_pmu_event *event, bool *last)
{
	u64 nr;

	*last = false;
	if (!event->max_samples)
		return true;
	nr = atomic64_inc_return(&event->nr_samples);
	*last = nr == event->max_samples;
	return nr <= event->max_samples;
}

void annot_pmu_sample_overflow(struct perf_event *perf, struct perf_sample_data *data,
			       struct pt_regs *regs)
{
	struct annot_pmu_counter *counter = perf->overflow_handler_context;
	struct annot_pmu_event *event = counter->event;
	bool wanted, last = false;

	if (!READ_ONCE(counter->running)) {
		WRITE_ONCE(counter->nr_ignored, counter->nr_ignored + 1);
		return;
	}
	counter->nr_overflows++;
	annot_pmu_counter_unthrottled(counter);
	wanted = sample_is_wanted(event, regs);
	counter->nr_wanted += wanted;
	if (wanted && sample_is_within_limit(event, &last))
		sample_emit(event, data, regs);
	if (last)
		annot_events_emit_pmu_state(event->index, ANNOT_PMU_LIMIT_REACHED,
					    event->max_samples);
	if (annot_pmu_counter_is_throttled(counter))
		annot_pmu_counter_throttled(counter);
	if (last || test_bit(COUNTER_THROTTLED, &counter->flags))
		irq_work_queue(this_cpu_ptr(&annot_pmu_cpu.kick));
}

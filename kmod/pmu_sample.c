// SPDX-License-Identifier: GPL-2.0
/*
 * Samples: what a counter's overflow interrupt knows. On x86 that is an NMI: no lock, no memory,
 * no message, nothing that sleeps.
 */
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/uaccess.h>

#include "annot.h"
#include "pmu.h"

static bool is_kernel_address(u64 address)
{
	return address >= TASK_SIZE_MAX;
}

/* Drivers fill in a source that says nothing when they do not know it. */
static bool has_source(union perf_mem_data_src source)
{
	u64 known_levels = source.mem_lvl & ~(u64)PERF_MEM_LVL_NA;

	return known_levels || (source.mem_lvl_num && source.mem_lvl_num != PERF_MEM_LVLNUM_NA);
}

static void take_code_address(struct annot_sample_data *sample, struct pt_regs *regs,
			      bool hide_kernel)
{
	sample->ip = instruction_pointer(regs);
	if (user_mode(regs)) {
		sample->has |= ANNOT_SAMPLE_USER;
	} else if (hide_kernel) {
		sample->ip = 0;
		sample->has |= ANNOT_SAMPLE_HIDDEN;
	}
}

/* Since 6.1 sample_flags says what the driver has filled in; zeros are no address or latency. */
static void take_data(struct annot_sample_data *sample, const struct perf_sample_data *data,
		      bool hide_kernel)
{
	if (data->sample_flags & PERF_SAMPLE_ADDR && data->addr) {
		if (hide_kernel && is_kernel_address(data->addr)) {
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
	if (data->sample_flags & PERF_SAMPLE_DATA_SRC && has_source(data->data_src)) {
		sample->data_src = data->data_src.val;
		sample->has |= ANNOT_SAMPLE_HAS_DATA_SRC;
	}
}

static void emit(const struct annot_pmu_event *event, const struct perf_sample_data *data,
		 struct pt_regs *regs)
{
	u64 values[ANNOT_REGS_MAX];
	struct annot_sample_data sample = {
		.period = data->period,
		.regs = values,
		.event = event->index,
		.precise = event->attr.precise_ip,
	};

	take_code_address(&sample, regs, event->hide_kernel);
	take_data(&sample, data, event->hide_kernel);
	/* The kernel's registers are full of its addresses. */
	if (event->attr.sample_type & PERF_SAMPLE_REGS_INTR &&
	    (user_mode(regs) || !event->hide_kernel)) {
		sample.nr_regs = annot_regs_copy(values, regs);
		sample.has |= ANNOT_SAMPLE_HAS_REGISTERS;
	}
	annot_emit_sample(&sample);
}

bool annot_pmu_event_has_enough(const struct annot_pmu_event *event)
{
	return event->max_samples && atomic64_read(&event->nr_samples) >= event->max_samples;
}

/* Only with a limit all CPUs write to one place. */
static bool is_one_more(struct annot_pmu_event *event, bool *last)
{
	u64 nr;

	*last = false;
	if (!event->max_samples)
		return true;
	nr = atomic64_inc_return(&event->nr_samples);
	*last = nr == event->max_samples;
	return nr <= event->max_samples;
}

void annot_counter_overflow(struct perf_event *perf, struct perf_sample_data *data,
			    struct pt_regs *regs)
{
	struct annot_counter *counter = perf->overflow_handler_context;
	struct annot_pmu_event *event = counter->event;
	bool last;

	if (!READ_ONCE(counter->running)) {
		WRITE_ONCE(counter->nr_ignored, counter->nr_ignored + 1);
		return;
	}
	counter->nr_overflows++;
	annot_counter_unthrottled(counter);
	if (is_one_more(event, &last))
		emit(event, data, regs);
	if (last)
		annot_emit_pmu_state(event->index, ANNOT_PMU_ENOUGH, event->max_samples);
	if (annot_counter_is_throttled(counter))
		annot_counter_throttled(counter);
	if (last || test_bit(COUNTER_THROTTLED, &counter->flags))
		irq_work_queue(this_cpu_ptr(&annot_pmu_cpu.kick));
}

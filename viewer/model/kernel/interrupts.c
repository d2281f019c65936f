// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/interrupts.h"

#include <string.h>

#include "model/table_rows.h"

/* Threads whose work softirqs are; ktimers are those of PREEMPT_RT. */
static const char *const softirq_threads[] = { "ksoftirqd/", "ktimers/" };

static bool runs_softirqs(const struct model *model, uint32_t thread)
{
	const char *comm;

	if (!model->trace)
		return false;
	comm = trace_string(model->trace, model->threads[thread].comm);
	for (size_t i = 0; i < sizeof(softirq_threads) / sizeof(softirq_threads[0]); i++) {
		if (!strncmp(comm, softirq_threads[i], strlen(softirq_threads[i])))
			return true;
	}
	return false;
}

static bool takes_time(const struct model *model, const struct interrupt_row *row)
{
	bool of_softirqs = row->kind == TRACE_SOFTIRQ || row->kind == TRACE_TASKLET;

	return row->thread != MODEL_NO_THREAD &&
	       !(of_softirqs && runs_softirqs(model, row->thread));
}

/* The outermost one has ended: none of its nest changes any more. */
static void take_nest(struct model_builder *builder, int cpu)
{
	struct interrupt_nest *nest = &builder->cpus[cpu].interrupts;

	for (size_t i = 0; i < nest->nr; i++)
		interrupt_table_add(&builder->model->cpus[cpu].interrupts, &nest->rows[i]);
	nest->nr = 0;
}

void interrupts_cut_open(struct model_builder *builder, int cpu)
{
	interrupt_nest_cut(&builder->cpus[cpu].interrupts);
	take_nest(builder, cpu);
}

void interrupts_note_send(struct model_builder *builder, const struct trace_event *event)
{
	enum trace_ipi ipi = event->ipi.is_reschedule ? TRACE_IPI_RESCHEDULE : TRACE_IPI_CALL;
	uint32_t nr_cpus = (uint32_t)builder->model->nr_cpus;

	for (uint32_t cpu = 0; cpu < nr_cpus && cpu / 64 < event->ipi.nr_words; cpu++) {
		uint32_t *reason = &builder->cpus[cpu].ipi_reasons[ipi];

		/* One that is on its way takes others along. */
		if (event->ipi.targets[cpu / 64] >> cpu % 64 & 1 && *reason == TRACE_NO_STRING)
			*reason = event->ipi.reason;
	}
}

void interrupts_forget_sends(struct model_builder *builder, int cpu)
{
	memset(builder->cpus[cpu].ipi_reasons, 0, sizeof(builder->cpus[cpu].ipi_reasons));
}

static uint32_t take_reason(struct cpu_build *on, uint8_t ipi)
{
	uint32_t reason;

	if (ipi == TRACE_NO_IPI)
		return TRACE_NO_STRING;
	reason = on->ipi_reasons[ipi];
	on->ipi_reasons[ipi] = TRACE_NO_STRING;
	return reason;
}

static void feed_begin(struct model_builder *builder, const struct trace_event *event)
{
	struct cpu_build *on = &builder->cpus[event->cpu];
	const struct interrupt_row row = {
		.start_ns = builder->now_ns,
		.thread = on->runner < RUNNER_IDLE ? on->runner : MODEL_NO_THREAD,
		.name = event->interrupt.name,
		.kind = event->interrupt.kind,
		.reason = take_reason(on, event->interrupt.ipi),
	};

	interrupt_nest_settle(&on->interrupts, event);
	if (!on->interrupts.nr_open)
		take_nest(builder, event->cpu);
	interrupt_nest_begin(&on->interrupts, &row, event->interrupt.id,
			     takes_time(builder->model, &row));
}

void interrupts_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct interrupt_nest *nest = &builder->cpus[event->cpu].interrupts;

	builder->model->has_interrupts = true;
	if (event->kind == TRACE_INTERRUPT_BEGIN) {
		feed_begin(builder, event);
		return;
	}
	interrupt_nest_end(nest, builder->now_ns, event);
	if (!nest->nr_open)
		take_nest(builder, event->cpu);
}

void interrupts_finish(struct model_builder *builder)
{
	for (int cpu = 0; cpu < builder->model->nr_cpus; cpu++) {
		interrupts_cut(builder, cpu);
		interrupt_nest_free(&builder->cpus[cpu].interrupts);
	}
}

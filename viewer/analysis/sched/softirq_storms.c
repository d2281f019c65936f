// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/softirq_storms.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/base/intervals.h"
#include "util/text/figure.h"
#include "util/lower_bound.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define MANY_STORMS 10
#define MOST_NAMES 16 /* the kernel has ten kinds of softirqs */

struct name_sum {
	uint32_t name;
	uint64_t ns;
};

struct cpu_build {
	struct softirq_storms_cpu row;
	struct intervals softirqs; /* of storms, in order */
	uint64_t *lost_ns; /* by thread */
	size_t nr_names;
	struct name_sum names[MOST_NAMES];
};

struct builder {
	const struct model *model;
	struct cpu_build *cpus;
	struct intervals lost;
};

/* Rows of interrupts that may be a storm. */
struct run {
	size_t first;
	size_t end; /* behind the last softirq */
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t ns; /* of softirqs */
};

static void lose(struct builder *builder, struct cpu_build *on, uint32_t thread, uint64_t from_ns,
		 uint64_t to_ns)
{
	struct softirq_storms_cpu *row = &on->row;

	if (!on->lost_ns)
		on->lost_ns = xcalloc(builder->model->nr_threads + 1, sizeof(*on->lost_ns));
	on->lost_ns[thread] += to_ns - from_ns;
	if (row->worst_thread == MODEL_NO_THREAD ||
	    on->lost_ns[thread] > on->lost_ns[row->worst_thread])
		row->worst_thread = thread;
	intervals_add(&builder->lost, from_ns, to_ns);
}

static void add_name(struct cpu_build *on, uint32_t name, uint64_t ns)
{
	size_t at = 0;

	while (at < on->nr_names && on->names[at].name != name)
		at++;
	if (at == MOST_NAMES)
		return;
	if (at == on->nr_names)
		on->names[on->nr_names++] = (struct name_sum){ .name = name };
	on->names[at].ns += ns;
	if (on->names[at].ns > on->row.worst_name_ns) {
		on->row.worst_name = name;
		on->row.worst_name_ns = on->names[at].ns;
	}
}

static void add_softirq(struct builder *builder, struct cpu_build *on,
			const struct interrupt_table *rows, size_t at)
{
	uint64_t from_ns = rows->start_ns[at], to_ns = rows->end_ns[at];
	uint32_t thread = rows->thread[at];

	on->row.softirqs++;
	on->row.ns += to_ns - from_ns;
	add_name(on, rows->name[at], to_ns - from_ns);
	intervals_add(&on->softirqs, from_ns, to_ns);
	if (!(rows->flags[at] & INTERRUPT_STEALS) || !builder->model->threads[thread].in_session)
		return;
	on->row.stolen_ns += to_ns - from_ns;
	lose(builder, on, thread, from_ns, to_ns);
}

static void end_run(struct builder *builder, struct cpu_build *on,
		    const struct interrupt_table *rows, const struct run *run)
{
	uint64_t length_ns = run->to_ns - run->from_ns;
	struct softirq_storms_cpu *row = &on->row;

	if (length_ns < SOFTIRQ_STORM_LEAST_NS ||
	    (double)run->ns < SOFTIRQ_STORM_SHARE * (double)length_ns)
		return;
	row->storms++;
	if (length_ns > row->longest_ns) {
		row->longest_ns = length_ns;
		row->longest_from_ns = run->from_ns;
		row->longest_to_ns = run->to_ns;
	}
	for (size_t at = run->first; at < run->end; at++) {
		if (rows->kind[at] == TRACE_SOFTIRQ)
			add_softirq(builder, on, rows, at);
	}
}

/* Returns whether @cpu has any softirq. */
static bool find_storms(struct builder *builder, int cpu)
{
	const struct interrupt_table *rows = &builder->model->cpus[cpu].interrupts;
	struct cpu_build *on = &builder->cpus[cpu];
	struct run run = { 0 };

	for (size_t at = 0; at < rows->nr; at++) {
		if (rows->kind[at] != TRACE_SOFTIRQ)
			continue;
		if (!run.end || rows->start_ns[at] > run.to_ns + SOFTIRQ_STORM_PAUSE_NS) {
			end_run(builder, on, rows, &run);
			run = (struct run){ .first = at, .from_ns = rows->start_ns[at] };
		}
		run.end = at + 1;
		run.to_ns = rows->end_ns[at];
		run.ns += rows->end_ns[at] - rows->start_ns[at];
	}
	end_run(builder, on, rows, &run);
	return run.end;
}

static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct builder *builder = context;
	const struct intervals *softirqs;
	struct cpu_build *on;
	size_t at;

	if (wait->cpu < 0 || wait->cpu >= builder->model->nr_cpus)
		return;
	on = &builder->cpus[wait->cpu];
	softirqs = &on->softirqs;
	at = LOWER_BOUND(row, 0, softirqs->nr, softirqs->rows[row].to_ns <= wait->start_ns);
	for (; at < softirqs->nr && softirqs->rows[at].from_ns < wait->end_ns; at++) {
		uint64_t from_ns = softirqs->rows[at].from_ns, to_ns = softirqs->rows[at].to_ns;

		if (from_ns < wait->start_ns)
			from_ns = wait->start_ns;
		if (to_ns > wait->end_ns)
			to_ns = wait->end_ns;
		on->row.waited_ns += to_ns - from_ns;
		lose(builder, on, wait->thread, from_ns, to_ns);
	}
}

static uint64_t cost_ns(const struct softirq_storms_cpu *row)
{
	return row->stolen_ns + row->waited_ns;
}

static int compare_cpus(const void *a, const void *b)
{
	const struct softirq_storms_cpu *first = a, *second = b;

	if (cost_ns(first) != cost_ns(second))
		return cost_ns(first) > cost_ns(second) ? -1 : 1;
	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->cpu < second->cpu ? -1 : first->cpu > second->cpu;
}

struct softirq_storms softirq_storms_compute(const struct model *model)
{
	struct softirq_storms result = { 0 };
	struct builder builder = {
		.model = model,
		.cpus = xcalloc((size_t)model->nr_cpus + 1, sizeof(*builder.cpus)),
	};
	size_t capacity = 0;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		builder.cpus[cpu].row.cpu = cpu;
		builder.cpus[cpu].row.worst_thread = MODEL_NO_THREAD;
		result.has_softirqs |= find_storms(&builder, cpu);
	}
	if (result.has_softirqs)
		cpu_waits_each(model, take_wait, &builder);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		if (builder.cpus[cpu].row.storms) {
			ARRAY_MAKE_ROOM(result.cpus, result.nr, capacity);
			result.cpus[result.nr++] = builder.cpus[cpu].row;
		}
		intervals_free(&builder.cpus[cpu].softirqs);
		free(builder.cpus[cpu].lost_ns);
	}
	free(builder.cpus);
	intervals_unite(&builder.lost);
	result.lost_ns = intervals_length_ns(&builder.lost);
	intervals_free(&builder.lost);
	if (result.nr)
		qsort(result.cpus, result.nr, sizeof(*result.cpus), compare_cpus);
	return result;
}

void softirq_storms_free(struct softirq_storms *storms)
{
	free(storms->cpus);
	*storms = (struct softirq_storms){ 0 };
}

void softirq_storms_add_findings(const struct model *model, const struct softirq_storms *storms,
				 struct findings *findings)
{
	const struct softirq_storms_cpu *worst = storms->cpus;
	struct finding *finding;

	if (!storms->lost_ns ||
	    !findings_note_loss(findings, FINDING_SOFTIRQ_STORM, storms->lost_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_SOFTIRQ_STORM, storms->lost_ns,
				       worst->longest_from_ns, worst->longest_to_ns);
	finding->confidence = worst->storms >= MANY_STORMS ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	finding_add_thread(finding, worst->worst_thread);
	for (size_t i = 0; i < storms->nr && cost_ns(&storms->cpus[i]); i++)
		finding_add_cpu(finding, storms->cpus[i].cpu);
	finding_set_text(
		finding,
		"softirqs follow each other on CPU %d for %s in %" PRIu64
		" storm%s (the longest %s), %.0f %% of that %s; they interrupted threads of the session for %s, "
		"and kept them waiting for the CPU for %s, %s most",
		worst->cpu, figure_ns(worst->ns, " ").text, worst->storms,
		text_plural(worst->storms), figure_ns(worst->longest_ns, " ").text,
		100 * (double)worst->worst_name_ns / (double)worst->ns,
		trace_string(model->trace, worst->worst_name),
		figure_ns(worst->stolen_ns, " ").text, figure_ns(worst->waited_ns, " ").text,
		thread_label(model, worst->worst_thread).text);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/interrupt_load.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/text/figure.h"
#include "util/xalloc.h"

#define FEWEST_FOR_HIGH 100
#define FEWEST_FOR_MEDIUM 10

/* One that is open at some depth. */
struct open_interrupt {
	size_t source;
	uint32_t victim; /* of the session: from whom its time is taken; else MODEL_NO_THREAD */
};

struct builder {
	const struct model *model;
	struct interrupt_load *result;
	size_t cpus_capacity;
	size_t sources_capacity;
	size_t first_source; /* of the CPU at hand */
	uint64_t *stolen_ns; /* by thread, on the CPU at hand */
	struct open_interrupt open[NR_TRACE_INTERRUPT_KINDS];
};

/* A CPU has few of them. */
static size_t source_of(struct builder *builder, int cpu, uint8_t kind, uint32_t name)
{
	struct interrupt_load *result = builder->result;
	size_t at = builder->first_source;

	while (at < result->nr_sources &&
	       (result->sources[at].kind != kind || result->sources[at].name != name))
		at++;
	if (at < result->nr_sources)
		return at;
	ARRAY_MAKE_ROOM(result->sources, result->nr_sources, builder->sources_capacity);
	result->sources[result->nr_sources++] =
		(struct interrupt_load_source){ .cpu = cpu, .kind = kind, .name = name };
	return at;
}

/* The thread of the session from which a row's time is taken. */
static uint32_t victim_of(const struct builder *builder, const struct interrupt_table *rows,
			  size_t row)
{
	uint32_t thread = rows->thread[row];

	if (rows->flags[row] & INTERRUPT_STEALS)
		return builder->model->threads[thread].in_session ? thread : MODEL_NO_THREAD;
	return rows->depth[row] ? builder->open[rows->depth[row] - 1].victim : MODEL_NO_THREAD;
}

static void add_to_source(struct interrupt_load_source *source, uint64_t from_ns, uint64_t to_ns,
			  bool is_stolen)
{
	uint64_t ns = to_ns - from_ns;

	source->interrupts++;
	source->ns += ns;
	if (is_stolen)
		source->stolen_ns += ns;
	if (source->interrupts > 1 && ns <= source->max_ns)
		return;
	source->max_ns = ns;
	source->longest_from_ns = from_ns;
	source->longest_to_ns = to_ns;
}

/* What is inside is not what is around it. */
static void take_from_outer(struct builder *builder, uint8_t depth, uint64_t ns)
{
	const struct open_interrupt *outer;
	struct interrupt_load_source *source;

	if (!depth)
		return;
	outer = &builder->open[depth - 1];
	source = &builder->result->sources[outer->source];
	source->ns -= ns;
	if (outer->victim != MODEL_NO_THREAD)
		source->stolen_ns -= ns;
}

static void add_to_cpu(struct builder *builder, struct interrupt_load_cpu *cpu, uint64_t from_ns,
		       uint64_t to_ns, uint32_t victim)
{
	if (!cpu->interrupts++)
		cpu->first_ns = from_ns;
	cpu->last_ns = to_ns;
	cpu->stolen_ns += to_ns - from_ns;
	builder->stolen_ns[victim] += to_ns - from_ns;
	if (cpu->worst_thread == MODEL_NO_THREAD ||
	    builder->stolen_ns[victim] > builder->stolen_ns[cpu->worst_thread])
		cpu->worst_thread = victim;
}

static void add_interrupt(struct builder *builder, struct interrupt_load_cpu *cpu,
			  const struct interrupt_table *rows, size_t row)
{
	uint64_t from_ns = rows->start_ns[row], to_ns = rows->end_ns[row];
	uint32_t victim = victim_of(builder, rows, row);
	size_t source = source_of(builder, cpu->cpu, rows->kind[row], rows->name[row]);

	add_to_source(&builder->result->sources[source], from_ns, to_ns, victim != MODEL_NO_THREAD);
	take_from_outer(builder, rows->depth[row], to_ns - from_ns);
	builder->open[rows->depth[row]] = (struct open_interrupt){ source, victim };
	if (rows->flags[row] & INTERRUPT_STEALS && victim != MODEL_NO_THREAD)
		add_to_cpu(builder, cpu, from_ns, to_ns, victim);
}

static uint64_t session_time_on(const struct model *model, int cpu)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	uint64_t ns = 0;

	for (size_t i = 0; i < slices->nr; i++) {
		if (model->threads[slices->thread[i]].in_session)
			ns += slices->end_ns[i] - slices->start_ns[i];
	}
	return ns;
}

static void add_cpu(struct builder *builder, int cpu)
{
	const struct model *model = builder->model;
	const struct interrupt_table *rows = &model->cpus[cpu].interrupts;
	struct interrupt_load_cpu row = {
		.cpu = cpu,
		.session_ns = session_time_on(model, cpu),
		.worst_thread = MODEL_NO_THREAD,
	};

	if (!rows->nr)
		return;
	builder->first_source = builder->result->nr_sources;
	for (size_t i = 0; i < model->nr_threads; i++)
		builder->stolen_ns[i] = 0;
	for (size_t i = 0; i < rows->nr; i++)
		add_interrupt(builder, &row, rows, i);
	ARRAY_MAKE_ROOM(builder->result->cpus, builder->result->nr_cpus, builder->cpus_capacity);
	builder->result->cpus[builder->result->nr_cpus++] = row;
}

static int compare_sources(const void *a, const void *b)
{
	const struct interrupt_load_source *first = a, *second = b;

	if (first->stolen_ns != second->stolen_ns)
		return first->stolen_ns > second->stolen_ns ? -1 : 1;
	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	if (first->cpu != second->cpu)
		return first->cpu < second->cpu ? -1 : 1;
	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

struct interrupt_load interrupt_load_compute(const struct model *model)
{
	struct interrupt_load result = { 0 };
	struct builder builder = {
		.model = model,
		.result = &result,
		.stolen_ns = xcalloc(model->nr_threads + 1, sizeof(*builder.stolen_ns)),
	};

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		add_cpu(&builder, cpu);
	free(builder.stolen_ns);
	if (result.nr_sources)
		qsort(result.sources, result.nr_sources, sizeof(*result.sources), compare_sources);
	return result;
}

void interrupt_load_free(struct interrupt_load *load)
{
	free(load->cpus);
	free(load->sources);
	*load = (struct interrupt_load){ 0 };
}

static bool is_loaded(const struct interrupt_load_cpu *cpu)
{
	return cpu->stolen_ns &&
	       (double)cpu->stolen_ns >= INTERRUPT_LOAD_SHARE * (double)cpu->session_ns;
}

static const struct interrupt_load_cpu *find_worst_cpu(const struct interrupt_load *load)
{
	const struct interrupt_load_cpu *worst = NULL;

	for (size_t i = 0; i < load->nr_cpus; i++) {
		if (is_loaded(&load->cpus[i]) &&
		    (!worst || load->cpus[i].stolen_ns > worst->stolen_ns))
			worst = &load->cpus[i];
	}
	return worst;
}

/* Sources are in the order of what they took. */
static const struct interrupt_load_source *find_worst_source(const struct interrupt_load *load,
							     int cpu)
{
	size_t at = 0;

	while (load->sources[at].cpu != cpu)
		at++;
	return &load->sources[at];
}

static enum finding_confidence confidence_of(const struct interrupt_load_cpu *cpu)
{
	if (cpu->interrupts >= FEWEST_FOR_HIGH)
		return CONFIDENCE_HIGH;
	return cpu->interrupts >= FEWEST_FOR_MEDIUM ? CONFIDENCE_MEDIUM : CONFIDENCE_LOW;
}

void interrupt_load_add_findings(const struct model *model, const struct interrupt_load *load,
				 struct findings *findings)
{
	const struct interrupt_load_cpu *worst = find_worst_cpu(load);
	const struct interrupt_load_source *source;
	struct finding *finding;

	if (!worst || !findings_note_loss(findings, FINDING_INTERRUPT_LOAD, worst->stolen_ns))
		return;
	source = find_worst_source(load, worst->cpu);
	finding = findings_add_at_most(findings, FINDING_INTERRUPT_LOAD, worst->stolen_ns,
				       worst->first_ns, worst->last_ns);
	finding->confidence = confidence_of(worst);
	finding_add_thread(finding, worst->worst_thread);
	finding_add_cpu(finding, worst->cpu);
	for (size_t i = 0; i < load->nr_cpus; i++) {
		if (is_loaded(&load->cpus[i]) && &load->cpus[i] != worst)
			finding_add_cpu(finding, load->cpus[i].cpu);
	}
	finding_set_text(
		finding,
		"interrupts took %s, %.0f %%, of the time that threads of the session had on "
		"CPU %d, %s most; %s alone took %s, in %" PRIu64 " interrupts",
		figure_ns(worst->stolen_ns, " ").text,
		100 * (double)worst->stolen_ns / (double)worst->session_ns, worst->cpu,
		thread_label(model, worst->worst_thread).text,
		trace_string(model->trace, source->name), figure_ns(source->stolen_ns, " ").text,
		source->interrupts);
}

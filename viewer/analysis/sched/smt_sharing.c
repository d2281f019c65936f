// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/smt_sharing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/programs.h"
#include "util/text/figure.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define MANY_SLICES 100

struct pair_sum {
	uint32_t thread;
	uint32_t program;
	uint64_t ns;
};

/* From here on, the thread on that CPU loses this share of its time. */
struct edge {
	uint64_t time_ns;
	double share;
	int cpu;
};

struct builder {
	const struct model *model;
	struct smt_times times;
	struct smt_rates rates;
	struct programs programs;
	struct smt_sharing_thread *threads; /* of the model */
	struct pair_table pairs; /* of thread and program */
	size_t pairs_capacity;
	struct pair_sum *pair_sums;
	size_t nr_edges;
	size_t edges_capacity;
	struct edge *edges;
};

static void add_program(struct builder *builder, const struct smt_piece *piece)
{
	uint32_t program = builder->programs.of_thread[piece->by];
	size_t known = builder->pairs.nr;
	size_t pair = pair_table_number(&builder->pairs, piece->thread, program);

	if (pair == known) {
		ARRAY_MAKE_ROOM(builder->pair_sums, known, builder->pairs_capacity);
		builder->pair_sums[pair] = (struct pair_sum){ piece->thread, program, 0 };
	}
	builder->pair_sums[pair].ns += piece->to_ns - piece->from_ns;
}

static const struct smt_rate *rate_of(const struct builder *builder, uint32_t thread)
{
	static const struct smt_rate unknown;

	return builder->rates.of_thread ? &builder->rates.of_thread[thread] : &unknown;
}

/* The share of its time that @thread loses where that is avoidable, at most. */
static double share_lost(const struct smt_rate *rate)
{
	if (!rate->known)
		return 1;
	return rate->slower_low > 0 ? fmin(rate->slower, 1) : 0;
}

static void add_edge(struct builder *builder, struct edge edge)
{
	ARRAY_MAKE_ROOM(builder->edges, builder->nr_edges, builder->edges_capacity);
	builder->edges[builder->nr_edges++] = edge;
}

static void add_edges(struct builder *builder, const struct smt_piece *piece, int cpu,
		      uint64_t from_ns, uint64_t to_ns)
{
	double share = share_lost(rate_of(builder, piece->thread));

	if (!(share > 0))
		return;
	builder->threads[piece->thread].at_most_ns +=
		(uint64_t)llround(share * (double)(to_ns - from_ns));
	add_edge(builder, (struct edge){ from_ns, share, cpu });
	add_edge(builder, (struct edge){ to_ns, 0, cpu });
}

/* @idle: the first time with an idle core that ends behind the piece before. */
static void add_piece(struct builder *builder, const struct smt_piece *piece, int cpu, size_t *idle)
{
	struct smt_sharing_thread *row = &builder->threads[piece->thread];
	const struct intervals *idle_cores = &builder->times.idle_cores;
	bool is_own = builder->model->threads[piece->by].in_session;
	bool by_idle_cores = is_own || !rate_of(builder, piece->thread)->known;
	uint64_t ns = piece->to_ns - piece->from_ns;

	row->sums.shared_ns += ns;
	*(is_own ? &row->sums.own_ns : &row->sums.others_ns) += ns;
	if (!is_own)
		add_program(builder, piece);
	while (*idle < idle_cores->nr && idle_cores->rows[*idle].to_ns <= piece->from_ns)
		++*idle;
	for (size_t i = *idle; i < idle_cores->nr && idle_cores->rows[i].from_ns < piece->to_ns;
	     i++) {
		uint64_t from_ns = idle_cores->rows[i].from_ns, to_ns = idle_cores->rows[i].to_ns;

		from_ns = from_ns < piece->from_ns ? piece->from_ns : from_ns;
		to_ns = to_ns > piece->to_ns ? piece->to_ns : to_ns;
		row->sums.idle_core_ns += to_ns - from_ns;
		if (by_idle_cores)
			add_edges(builder, piece, cpu, from_ns, to_ns);
	}
	if (!by_idle_cores)
		add_edges(builder, piece, cpu, piece->from_ns, piece->to_ns);
}

/* Pieces [first, end) of @cpu follow each other. */
static void note_longest(struct builder *builder, int cpu, size_t first, size_t end)
{
	const struct smt_piece *pieces = builder->times.cpus[cpu].pieces;
	struct smt_sharing_thread *row = &builder->threads[pieces[first].thread];

	if (pieces[end - 1].to_ns - pieces[first].from_ns <=
	    row->longest_to_ns - row->longest_from_ns)
		return;
	row->longest_from_ns = pieces[first].from_ns;
	row->longest_to_ns = pieces[end - 1].to_ns;
	row->longest_cpu = cpu;
	row->longest_by_cpu = pieces[first].by_cpu;
}

static void add_cpu(struct builder *builder, int cpu)
{
	const struct slice_table *slices = &builder->model->cpus[cpu].slices;
	const struct smt_cpu *row = &builder->times.cpus[cpu];
	size_t idle = 0, first = 0;

	for (size_t i = 0; i < slices->nr; i++)
		builder->threads[slices->thread[i]].sums.on_cpu_ns += slices->end_ns[i] -
								      slices->start_ns[i];
	for (size_t i = 0; i < row->nr; i++) {
		const struct smt_piece *piece = &row->pieces[i];

		add_piece(builder, piece, cpu, &idle);
		if (i + 1 < row->nr && piece[1].from_ns == piece->to_ns &&
		    piece[1].thread == piece->thread && piece[1].by_cpu == piece->by_cpu)
			continue;
		note_longest(builder, cpu, first, i + 1);
		first = i + 1;
	}
}

static void add_losses(struct smt_sharing_thread *row)
{
	double ns = (double)row->sums.shared_ns;

	if (!row->rate.known)
		return;
	row->sums.known_ns = row->sums.shared_ns;
	row->sums.lost_ns = ns * row->rate.slower;
	row->sums.lost_low_ns = ns * row->rate.slower_low;
	row->sums.lost_high_ns = ns * row->rate.slower_high;
}

static void add_sums(struct smt_sharing_sums *to, const struct smt_sharing_sums *more)
{
	to->on_cpu_ns += more->on_cpu_ns;
	to->shared_ns += more->shared_ns;
	to->own_ns += more->own_ns;
	to->others_ns += more->others_ns;
	to->idle_core_ns += more->idle_core_ns;
	to->lost_ns += more->lost_ns;
	to->lost_low_ns += more->lost_low_ns;
	to->lost_high_ns += more->lost_high_ns;
	to->known_ns += more->known_ns;
}

static int compare_threads(const void *a, const void *b)
{
	const struct smt_sharing_thread *first = a, *second = b;

	if (first->at_most_ns != second->at_most_ns)
		return first->at_most_ns > second->at_most_ns ? -1 : 1;
	if (first->sums.shared_ns != second->sums.shared_ns)
		return first->sums.shared_ns > second->sums.shared_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void take_threads(struct builder *builder, struct smt_sharing *result)
{
	for (size_t i = 0; i < builder->pairs.nr; i++) {
		const struct pair_sum *pair = &builder->pair_sums[i];
		struct smt_sharing_thread *row = &builder->threads[pair->thread];

		if (pair->ns <= row->worst_program_ns)
			continue;
		row->worst_program = builder->programs.names[pair->program];
		row->worst_program_ns = pair->ns;
	}
	for (uint32_t i = 0; i < builder->model->nr_threads; i++) {
		struct smt_sharing_thread *row = &builder->threads[i];

		if (!row->sums.shared_ns)
			continue;
		row->thread = i;
		row->rate = *rate_of(builder, i);
		if (!row->worst_program_ns)
			row->worst_program = TRACE_NO_STRING;
		add_losses(row);
		add_sums(&result->all, &row->sums);
		builder->threads[result->nr++] = *row;
	}
	result->threads = builder->threads;
	qsort(result->threads, result->nr, sizeof(*result->threads), compare_threads);
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	/* What ends before what begins: they may be of one CPU. */
	if (first->share != second->share)
		return first->share < second->share ? -1 : 1;
	return first->cpu < second->cpu ? -1 : first->cpu > second->cpu;
}

static double most_of(const double *shares, int nr)
{
	double most = 0;

	for (int i = 0; i < nr; i++)
		most = fmax(most, shares[i]);
	return most;
}

/* Over time, the greatest share that any thread loses. */
static uint64_t elapsed_at_most(struct builder *builder)
{
	double *shares = xcalloc((size_t)builder->model->nr_cpus + 1, sizeof(*shares));
	double most = 0, sum_ns = 0;
	uint64_t at_ns = 0;

	if (builder->nr_edges)
		qsort(builder->edges, builder->nr_edges, sizeof(*builder->edges), compare_edges);
	for (size_t i = 0; i < builder->nr_edges; i++) {
		const struct edge *edge = &builder->edges[i];
		double before = shares[edge->cpu];

		sum_ns += most * (double)(edge->time_ns - at_ns);
		at_ns = edge->time_ns;
		shares[edge->cpu] = edge->share;
		if (edge->share >= most)
			most = edge->share;
		else if (before >= most)
			most = most_of(shares, builder->model->nr_cpus);
	}
	free(shares);
	return (uint64_t)llround(sum_ns);
}

struct smt_sharing smt_sharing_compute(const struct model *model)
{
	struct smt_sharing result = { 0 };
	struct builder builder = { .model = model, .times = smt_times_compute(model) };

	result.has_siblings = builder.times.has_siblings;
	if (!result.has_siblings) {
		smt_times_free(&builder.times);
		return result;
	}
	builder.rates = smt_rates_compute(model, &builder.times);
	builder.programs = programs_compute(model);
	builder.threads = xcalloc(model->nr_threads + 1, sizeof(*builder.threads));
	result.measure = builder.rates.measure;
	for (int cpu = 0; cpu < builder.times.nr_cpus; cpu++)
		add_cpu(&builder, cpu);
	take_threads(&builder, &result);
	result.at_most_ns = elapsed_at_most(&builder);
	free(builder.edges);
	free(builder.pair_sums);
	pair_table_free(&builder.pairs);
	programs_free(&builder.programs);
	smt_rates_free(&builder.rates);
	smt_times_free(&builder.times);
	return result;
}

void smt_sharing_free(struct smt_sharing *sharing)
{
	free(sharing->threads);
	*sharing = (struct smt_sharing){ 0 };
}

static enum finding_confidence confidence_of(const struct smt_rate *rate)
{
	if (!rate->known)
		return CONFIDENCE_LOW;
	return rate->alone_slices >= MANY_SLICES && rate->shared_slices >= MANY_SLICES ?
		       CONFIDENCE_HIGH :
		       CONFIDENCE_MEDIUM;
}

/* What is known of the costs of the thread that loses most. */
static void print_cost(char *text, size_t bytes, const struct model *model,
		       const struct smt_sharing *sharing)
{
	const struct smt_sharing_thread *worst = sharing->threads;
	const struct smt_rate *rate = &worst->rate;

	if (!rate->known)
		snprintf(text, bytes, "how much slower that made it is not known");
	else
		snprintf(
			text, bytes,
			"%s had %.2f %s beside a busy sibling and %.2f alone: it was %.0f %% (%.0f to %.0f %%) slower, which "
			"cost it %s",
			thread_label(model, worst->thread).text, rate->shared,
			smt_measure_name(sharing->measure), rate->alone, 100 * rate->slower,
			100 * rate->slower_low, 100 * rate->slower_high,
			figure_ns((uint64_t)worst->sums.lost_ns, " ").text);
}

static void print_others(char *text, size_t bytes, const struct model *model,
			 const struct smt_sharing_thread *worst, uint64_t others_ns)
{
	int nr = snprintf(text, bytes, "%s of that beside other programs",
			  figure_ns(others_ns, " ").text);

	if (worst->worst_program != TRACE_NO_STRING)
		snprintf(text + nr, bytes - (size_t)nr, " (%s beside %.30s)",
			 figure_ns(worst->worst_program_ns, " ").text,
			 trace_string(model->trace, worst->worst_program));
}

/* Who ran there: the thread that loses most, if it is not the only one, and where. */
static void print_place(char *text, size_t bytes, const struct model *model,
			const struct smt_sharing *sharing)
{
	const struct smt_sharing_thread *worst = sharing->threads;
	int nr = 0;

	if (sharing->nr > 1)
		nr = snprintf(text, bytes, "%s did so for %s, ",
			      thread_label(model, worst->thread).text,
			      figure_ns(worst->sums.shared_ns, " ").text);
	snprintf(text + nr, bytes - (size_t)nr, "as on CPU %d beside CPU %d", worst->longest_cpu,
		 worst->longest_by_cpu);
}

static void print_runners(char *text, size_t bytes, const struct model *model,
			  const struct smt_sharing *sharing)
{
	if (sharing->nr > 1)
		snprintf(text, bytes, "%zu threads", sharing->nr);
	else
		snprintf(text, bytes, "%s", thread_label(model, sharing->threads->thread).text);
}

void smt_sharing_add_findings(const struct model *model, const struct smt_sharing *sharing,
			      struct findings *findings)
{
	const struct smt_sharing_thread *worst = sharing->threads;
	const struct smt_sharing_sums *all = &sharing->all;
	char runners[128], others[128], place[192], cost[256];
	struct finding *finding;

	if (!findings_note_loss(findings, FINDING_SMT_SHARING, sharing->at_most_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_SMT_SHARING, sharing->at_most_ns,
				       worst->longest_from_ns, worst->longest_to_ns);
	finding->confidence = confidence_of(&worst->rate);
	for (size_t i = 0; i < sharing->nr && sharing->threads[i].at_most_ns; i++)
		finding_add_thread(finding, sharing->threads[i].thread);
	finding_add_cpu(finding, worst->longest_cpu);
	finding_add_cpu(finding, worst->longest_by_cpu);
	print_runners(runners, sizeof(runners), model, sharing);
	print_place(place, sizeof(place), model, sharing);
	print_cost(cost, sizeof(cost), model, sharing);
	print_others(others, sizeof(others), model, worst, all->others_ns);
	finding_set_text(
		finding,
		"%s ran for %s of %s while the SMT sibling of the CPU was busy, %s; %s; for %s, a whole core was idle "
		"meanwhile; %s",
		runners, figure_ns(all->shared_ns, " ").text, figure_ns(all->on_cpu_ns, " ").text,
		others, place, figure_ns(all->idle_core_ns, " ").text, cost);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/set_conflicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/stats/binomial.h"
#include "analysis/stats/chao_estimator.h"
#include "util/sort.h"
#include "util/xalloc.h"

#define LEAST_SAMPLES 32
#define MOST_CHANCE 0.01
#define LEAST_SHARE 0.5
#define PAGE_BYTES 4096u
#define NO_LINE UINT64_MAX
#define NO_REGISTER (-1)

/* Of user code: where programs that cannot be moved begin; what is less is rather a number. */
#define LEAST_USER_ADDRESS 0x400000u
#define USER_ADDRESS_BITS 56
#define LEAST_KERNEL_ADDRESS (UINT64_MAX << USER_ADDRESS_BITS)
#define LEAST_ERROR_NUMBER (UINT64_MAX - 4095)

/* A sample that counts here. */
struct hit {
	uint64_t ip;
	uint64_t line; /* NO_LINE: the register that is tested has no address */
	size_t sample;
	uint32_t thread;
	int32_t tgid;
	uint8_t event;
};

struct conflict_work {
	const struct model *model;
	const struct sample_misses *misses;
	const struct cpu_cache *cache;
	uint64_t bases;
	bool *has_addresses; /* of each event: some of its samples */
	struct set_conflicts *conflicts;
	uint32_t *lines_of_set;
	uint64_t *lines;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static bool is_same_place(const struct hit *first, const struct hit *second)
{
	return first->event == second->event && first->ip == second->ip &&
	       first->tgid == second->tgid;
}

static int compare_hits(const void *a, const void *b)
{
	const struct hit *first = a, *second = b;
	int order = compare_numbers(first->event, second->event);

	if (!order)
		order = compare_numbers(first->ip, second->ip);
	if (!order && first->tgid != second->tgid)
		order = first->tgid < second->tgid ? -1 : 1;
	if (!order)
		order = compare_numbers(first->thread, second->thread);
	return order ? order : compare_numbers(first->sample, second->sample);
}

static int compare_rows(const void *a, const void *b)
{
	const struct set_conflict *first = a, *second = b;

	if (first->is_conflict != second->is_conflict)
		return first->is_conflict ? -1 : 1;
	if (isnan(first->misses) != isnan(second->misses))
		return isnan(first->misses) ? 1 : -1;
	if (isnan(first->misses) && first->nr_samples != second->nr_samples)
		return compare_numbers(second->nr_samples, first->nr_samples);
	if (!isnan(first->misses) && first->misses != second->misses)
		return first->misses > second->misses ? -1 : 1;
	return compare_numbers(first->sample, second->sample);
}

static size_t set_of(const struct conflict_work *work, uint64_t line)
{
	return (size_t)(line % work->cache->sets);
}

/* Returns how many hits have a line. */
static size_t count_lines(struct conflict_work *work, const struct hit *hits, size_t nr,
			  struct set_conflict *row)
{
	struct chao_counts distinct;
	size_t nr_lines = 0;

	for (size_t i = 0; i < nr; i++) {
		if (hits[i].line != NO_LINE)
			work->lines[nr_lines++] = hits[i].line;
	}
	sort_u64(work->lines, nr_lines);
	distinct = chao_count(work->lines, nr_lines);
	row->lines = (uint64_t)distinct.nr;
	row->all_lines = chao_estimate(&distinct);
	memset(work->lines_of_set, 0, work->cache->sets * sizeof(*work->lines_of_set));
	for (size_t i = 0; i < nr_lines; i++) {
		if (!i || work->lines[i] != work->lines[i - 1])
			work->lines_of_set[set_of(work, work->lines[i])]++;
	}
	for (uint32_t set = 0; set < work->cache->sets; set++) {
		uint32_t lines = work->lines_of_set[set];

		if (lines > row->most)
			row->most = lines;
		if (lines > work->cache->ways)
			row->agreeing += lines;
	}
	return nr_lines;
}

static bool agrees_with_set(const struct conflict_work *work, const struct hit *hit)
{
	return hit->line != NO_LINE &&
	       work->lines_of_set[set_of(work, hit->line)] > work->cache->ways;
}

/* Hits of one thread stand together. Where the misses of a sample are not known, they are alike. */
static void count_samples(struct conflict_work *work, const struct hit *hits, size_t nr,
			  struct set_conflict *row)
{
	bool is_known = !isnan(sample_misses_number(work->misses, hits->sample));
	double own = 0;

	for (size_t i = 0; i < nr; i++) {
		double misses = is_known ? sample_misses_number(work->misses, hits[i].sample) : 1;

		if (!i || hits[i].thread != hits[i - 1].thread)
			own = 0;
		row->misses += misses;
		if (hits[i].sample < row->sample)
			row->sample = hits[i].sample;
		if (hits[i].sample > row->last_sample)
			row->last_sample = hits[i].sample;
		if (!agrees_with_set(work, &hits[i]))
			continue;
		row->agreeing_samples++;
		own += misses;
		if (own > row->thread_misses) {
			row->thread_misses = own;
			row->thread = hits[i].thread;
		}
	}
	if (!is_known)
		row->misses = row->thread_misses = NAN;
}

/* Whether at least LEAST_SAMPLES hits have a line; then @row has what they come to. */
static bool test_lines(struct conflict_work *work, const struct hit *hits, size_t nr,
		       struct set_conflict *row)
{
	const struct cpu_cache *cache = work->cache;
	double share = 1.0 / cache->sets;

	*row = (struct set_conflict){
		.event = hits->event,
		.sample = hits->sample,
		.ip = hits->ip,
		.tgid = hits->tgid,
		.thread = hits->thread,
		.nr_samples = nr,
		.reg = NO_REGISTER,
		.sets = cache->sets,
		.ways = cache->ways,
		.span_bytes = (uint64_t)cache->sets * cache->line_bytes,
	};
	if (nr < LEAST_SAMPLES || count_lines(work, hits, nr, row) < LEAST_SAMPLES)
		return false;
	count_samples(work, hits, nr, row);
	row->expected = (double)row->lines * binomial_tail(row->lines - 1, share, cache->ways);
	row->p_value = cache->sets * binomial_tail(row->lines, share, row->most);
	return true;
}

static uint64_t line_of_register(const struct conflict_work *work, size_t sample, int reg)
{
	const struct sample_table *samples = &work->model->samples;
	size_t at = samples->first_reg[sample] + (size_t)reg;
	bool is_address;
	uint64_t value;

	if (at >= samples->first_reg[sample + 1])
		return NO_LINE;
	value = samples->regs[at];
	if (samples->has[sample] & ANNOT_SAMPLE_USER)
		is_address = value >= LEAST_USER_ADDRESS && !(value >> USER_ADDRESS_BITS);
	else
		is_address = value >= LEAST_KERNEL_ADDRESS && value < LEAST_ERROR_NUMBER;
	return is_address ? value / work->cache->line_bytes : NO_LINE;
}

/* All but that it is no chance. */
static bool is_crowded(const struct set_conflict *row)
{
	return (double)row->agreeing_samples >= LEAST_SHARE * (double)row->nr_samples &&
	       row->all_lines <= (double)row->sets * row->ways;
}

/*
 * The register with the strongest evidence, unless it is contradicted; false: no register's values are
 * addresses that vary.
 */
static bool test_registers(struct conflict_work *work, struct hit *hits, size_t nr,
			   struct set_conflict *best)
{
	struct set_conflict row;
	unsigned int nr_tested = 0;
	uint64_t most_spread = 0;

	for (int reg = 0; reg < 64; reg++) {
		if (!(work->bases >> reg & 1))
			continue;
		for (size_t i = 0; i < nr; i++)
			hits[i].line = line_of_register(work, hits[i].sample, reg);
		if (!test_lines(work, hits, nr, &row) || row.lines < 2)
			continue;
		row.reg = reg;
		if (!nr_tested++ || row.p_value < best->p_value)
			*best = row;
		if (!is_crowded(&row) && row.lines > most_spread)
			most_spread = row.lines;
	}
	if (nr_tested) {
		best->p_value *= nr_tested;
		best->is_contradicted = is_crowded(best) && most_spread >= best->lines;
	}
	return nr_tested > 0;
}

static void add_place(struct conflict_work *work, struct hit *hits, size_t nr)
{
	struct set_conflicts *conflicts = work->conflicts;
	struct set_conflict row;

	if (work->has_addresses[hits->event] ? !test_lines(work, hits, nr, &row) :
					       !test_registers(work, hits, nr, &row))
		return;
	if (row.p_value > 1)
		row.p_value = 1;
	conflicts->rows = xrealloc_array(conflicts->rows, conflicts->nr + 1,
					 sizeof(*conflicts->rows));
	conflicts->rows[conflicts->nr++] = row;
}

static void judge_rows(struct set_conflicts *conflicts)
{
	for (size_t i = 0; i < conflicts->nr; i++) {
		struct set_conflict *row = &conflicts->rows[i];

		row->is_conflict = is_crowded(row) && !row->is_contradicted &&
				   row->p_value < MOST_CHANCE / (double)conflicts->nr;
	}
	if (conflicts->nr)
		qsort(conflicts->rows, conflicts->nr, sizeof(*conflicts->rows), compare_rows);
}

static bool has_address(const struct model *model, size_t sample)
{
	return model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR && model->samples.addr[sample];
}

static bool is_miss(const struct model *model, const struct sample_misses *misses, size_t sample)
{
	uint32_t thread = model->samples.thread[sample];

	return sample_misses_is_load(misses, sample) && thread != MODEL_NO_THREAD &&
	       model->threads[thread].in_session;
}

static bool *find_addresses(const struct model *model, const struct sample_misses *misses)
{
	bool *has_addresses = xcalloc(model->nr_pmu_events, sizeof(*has_addresses));

	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		if (is_miss(model, misses, sample) && has_address(model, sample))
			has_addresses[model->samples.event[sample]] = true;
	}
	return has_addresses;
}

static bool is_hit(const struct conflict_work *work, size_t sample)
{
	const struct sample_table *samples = &work->model->samples;

	if (work->has_addresses[samples->event[sample]])
		return has_address(work->model, sample);
	return work->bases && samples->first_reg[sample + 1] > samples->first_reg[sample];
}

static struct hit *gather_hits(const struct conflict_work *work, size_t *nr)
{
	const struct model *model = work->model;
	const struct sample_table *samples = &model->samples;
	struct hit *hits = xcalloc(samples->nr, sizeof(*hits));

	*nr = 0;
	for (size_t sample = 0; sample < samples->nr; sample++) {
		if (!is_miss(model, work->misses, sample) || !is_hit(work, sample))
			continue;
		hits[(*nr)++] = (struct hit){
			.ip = samples->ip[sample],
			.line = samples->addr[sample],
			.sample = sample,
			.thread = samples->thread[sample],
			.tgid = model->threads[samples->thread[sample]].tgid,
			.event = samples->event[sample],
		};
	}
	return hits;
}

/* All CPUs that have one are taken to have the same. */
static const struct cpu_cache *find_cache(const struct model *model)
{
	for (int cpu = 0; cpu < model->topology.nr_cpus; cpu++) {
		const struct cpu_cache *cache = topology_cache(&model->topology, cpu, 1);

		if (cache && cache->sets > 1 && cache->ways && cache->line_bytes)
			return cache;
	}
	return NULL;
}

static void test_places(struct conflict_work *work, struct hit *hits, size_t nr)
{
	size_t end;

	work->lines_of_set = xcalloc(work->cache->sets, sizeof(*work->lines_of_set));
	work->lines = xcalloc(nr, sizeof(*work->lines));
	for (size_t i = 0; i < nr; i++)
		hits[i].line /= work->cache->line_bytes;
	qsort(hits, nr, sizeof(*hits), compare_hits);
	for (size_t first = 0; first < nr; first = end) {
		for (end = first + 1; end < nr && is_same_place(&hits[first], &hits[end]); end++)
			;
		add_place(work, &hits[first], end - first);
	}
	free(work->lines_of_set);
	free(work->lines);
	judge_rows(work->conflicts);
}

struct set_conflicts *set_conflicts_compute(const struct model *model,
					    const struct sample_misses *misses, uint64_t bases)
{
	struct set_conflicts *conflicts = xcalloc(1, sizeof(*conflicts));
	struct conflict_work work = {
		.model = model,
		.misses = misses,
		.cache = find_cache(model),
		.bases = bases,
		.has_addresses = find_addresses(model, misses),
		.conflicts = conflicts,
	};
	struct hit *hits;
	size_t nr;

	hits = gather_hits(&work, &nr);
	if (!nr)
		conflicts->why = SET_CONFLICTS_NO_EVENT;
	else if (!work.cache)
		conflicts->why = SET_CONFLICTS_NO_TOPOLOGY;
	else if ((uint64_t)work.cache->sets * work.cache->line_bytes > PAGE_BYTES)
		conflicts->why = SET_CONFLICTS_LARGE_SPAN;
	else
		test_places(&work, hits, nr);
	free(work.has_addresses);
	free(hits);
	return conflicts;
}

void set_conflicts_free(struct set_conflicts *conflicts)
{
	free(conflicts->rows);
	free(conflicts);
}

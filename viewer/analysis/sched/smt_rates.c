// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/smt_rates.h"

#include <stdlib.h>

#include "analysis/events/event_rates.h"
#include "analysis/stats/resampled_bounds.h"
#include "util/random.h"
#include "util/xalloc.h"

#define NR_RESAMPLES 999
#define LEAST_RESAMPLES 900 /* that have a solution */
#define MOST_THREAD_BLOCKS 64
#define SEED 20261125u
#define PURE 0.1 /* so much of a slice may be of the other kind */
#define LEAST_DETERMINANT 1e-6 /* of the product of the squares */
#define NO_EVENT SIZE_MAX

const char *smt_measure_name(enum smt_measure measure)
{
	static const char *const names[] = {
		[SMT_NOT_MEASURED] = "nothing",
		[SMT_PER_NS] = "instructions per ns",
		[SMT_PER_CYCLE] = "instructions per cycle",
	};

	return names[measure];
}

/* The sums of a fit of two terms; all that is needed of slices. */
struct sums {
	double aa, ab, bb, ya, yb;
};

struct fit {
	size_t nr; /* slices that were counted ... */
	size_t next; /* ... and how many of them are added */
	size_t nr_blocks;
	struct sums *blocks;
};

struct builder {
	const struct model *model;
	const struct smt_times *times;
	size_t instructions; /* events; cycles: NO_EVENT if they were not counted */
	size_t cycles;
	size_t *next; /* by CPU: the first piece that ends behind the slice before */
	struct fit *fits; /* by thread */
	struct smt_rates *rates;
};

static size_t find_event(const struct model *model, bool (*is_it)(const char *name), bool kernel)
{
	for (size_t i = 0; model->trace && i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (event->is_counted && !event->error && !event->is_merged && event->user &&
		    event->kernel == kernel && is_it(trace_string(model->trace, event->name)))
			return i;
	}
	return NO_EVENT;
}

static enum smt_measure find_events(struct builder *builder)
{
	enum smt_measure measure = SMT_NOT_MEASURED;

	/* Of both modes rather than of user code alone. */
	for (int kernel = 1; kernel >= 0 && measure != SMT_PER_CYCLE; kernel--) {
		size_t instructions = find_event(builder->model, event_is_instructions,
						 (bool)kernel);
		size_t cycles = find_event(builder->model, event_is_cycles, (bool)kernel);

		if (instructions == NO_EVENT || (measure != SMT_NOT_MEASURED && cycles == NO_EVENT))
			continue;
		builder->instructions = instructions;
		builder->cycles = cycles;
		measure = cycles == NO_EVENT ? SMT_PER_NS : SMT_PER_CYCLE;
	}
	return measure;
}

static bool is_usable(const struct builder *builder, size_t row)
{
	const struct model *model = builder->model;
	const struct slice_count_table *counts = &model->slice_counts;
	uint32_t bits = 1u << model->pmu_events[builder->instructions].counter;

	if (builder->cycles != NO_EVENT)
		bits |= 1u << model->pmu_events[builder->cycles].counter;
	return counts->thread[row] != MODEL_NO_THREAD &&
	       model->threads[counts->thread[row]].in_session && counts->cpu[row] >= 0 &&
	       counts->cpu[row] < builder->times->nr_cpus && !(counts->invalid[row] & bits) &&
	       counts->end_ns[row] > counts->start_ns[row];
}

static double count_of(const struct builder *builder, size_t event, size_t row)
{
	const struct slice_count_table *counts = &builder->model->slice_counts;

	return (double)counts
		->counts[row * counts->nr_counters + builder->model->pmu_events[event].counter];
}

/* How much of [from_ns, to_ns) is beside a busy sibling. For each CPU, times must go up. */
static uint64_t shared_ns(struct builder *builder, int cpu, uint64_t from_ns, uint64_t to_ns)
{
	const struct smt_cpu *row = &builder->times->cpus[cpu];
	size_t *next = &builder->next[cpu];
	uint64_t sum_ns = 0;

	while (*next < row->nr && row->pieces[*next].to_ns <= from_ns)
		++*next;
	for (size_t i = *next; i < row->nr && row->pieces[i].from_ns < to_ns; i++) {
		uint64_t start_ns = row->pieces[i].from_ns, end_ns = row->pieces[i].to_ns;

		start_ns = start_ns < from_ns ? from_ns : start_ns;
		end_ns = end_ns > to_ns ? to_ns : end_ns;
		sum_ns += end_ns - start_ns;
	}
	return sum_ns;
}

static void add_slice(struct builder *builder, size_t row)
{
	const struct slice_count_table *counts = &builder->model->slice_counts;
	uint64_t from_ns = counts->start_ns[row], to_ns = counts->end_ns[row];
	uint64_t busy_ns = shared_ns(builder, counts->cpu[row], from_ns, to_ns);
	struct fit *fit = &builder->fits[counts->thread[row]];
	struct smt_rate *rate = &builder->rates->of_thread[counts->thread[row]];
	struct sums *sums = &fit->blocks[fit->next++ * fit->nr_blocks / fit->nr];
	double share = (double)busy_ns / (double)(to_ns - from_ns);
	double time = builder->cycles == NO_EVENT ? (double)(to_ns - from_ns) :
						    count_of(builder, builder->cycles, row);
	double instructions = count_of(builder, builder->instructions, row);

	if (!(time > 0))
		return;
	if (share <= PURE) {
		rate->alone_slices++;
		rate->alone_ns += to_ns - from_ns;
	} else if (share >= 1 - PURE) {
		rate->shared_slices++;
		rate->shared_ns += to_ns - from_ns;
	}
	/* Weight 1 / time. */
	sums->aa += (1 - share) * (1 - share) * time;
	sums->ab += (1 - share) * share * time;
	sums->bb += share * share * time;
	sums->ya += (1 - share) * instructions;
	sums->yb += share * instructions;
}

static void add_sums(struct sums *to, const struct sums *more)
{
	to->aa += more->aa;
	to->ab += more->ab;
	to->bb += more->bb;
	to->ya += more->ya;
	to->yb += more->yb;
}

static bool solve(const struct sums *sums, double *alone, double *shared)
{
	double determinant = sums->aa * sums->bb - sums->ab * sums->ab;

	if (!(determinant > LEAST_DETERMINANT * sums->aa * sums->bb))
		return false;
	*alone = (sums->ya * sums->bb - sums->yb * sums->ab) / determinant;
	*shared = (sums->yb * sums->aa - sums->ya * sums->ab) / determinant;
	return *alone > 0;
}

static bool find_bounds(const struct fit *fit, struct smt_rate *rate)
{
	double slower[NR_RESAMPLES], alone, shared;
	struct resampled_bounds bounds;
	struct random random = { SEED };
	size_t nr = 0;

	for (int i = 0; i < NR_RESAMPLES; i++) {
		struct sums sums = { 0 };

		for (size_t block = 0; block < fit->nr_blocks; block++)
			add_sums(&sums, &fit->blocks[random_below(&random, fit->nr_blocks)]);
		if (solve(&sums, &alone, &shared))
			slower[nr++] = 1 - shared / alone;
	}
	if (nr < LEAST_RESAMPLES)
		return false;
	bounds = resampled_bounds_of(slower, nr);
	rate->slower_low = bounds.low;
	rate->slower_high = bounds.high;
	return true;
}

static void find_rate(const struct fit *fit, struct smt_rate *rate)
{
	struct sums sums = { 0 };

	if (rate->alone_slices < SMT_RATE_LEAST || rate->shared_slices < SMT_RATE_LEAST ||
	    rate->alone_ns < SMT_RATE_LEAST_NS || rate->shared_ns < SMT_RATE_LEAST_NS)
		return;
	for (size_t i = 0; i < fit->nr_blocks; i++)
		add_sums(&sums, &fit->blocks[i]);
	if (!solve(&sums, &rate->alone, &rate->shared))
		return;
	rate->slower = 1 - rate->shared / rate->alone;
	rate->known = find_bounds(fit, rate);
}

static void fit_threads(struct builder *builder)
{
	const struct model *model = builder->model;
	const struct slice_count_table *counts = &model->slice_counts;

	for (size_t row = 0; row < counts->nr; row++) {
		if (is_usable(builder, row))
			builder->fits[counts->thread[row]].nr++;
	}
	for (size_t i = 0; i < model->nr_threads; i++) {
		struct fit *fit = &builder->fits[i];

		if (fit->nr < (size_t)2 * SMT_RATE_LEAST)
			continue;
		fit->nr_blocks = fit->nr < MOST_THREAD_BLOCKS ? fit->nr : MOST_THREAD_BLOCKS;
		fit->blocks = xcalloc(fit->nr_blocks, sizeof(*fit->blocks));
	}
	for (size_t row = 0; row < counts->nr; row++) {
		if (is_usable(builder, row) && builder->fits[counts->thread[row]].blocks)
			add_slice(builder, row);
	}
	for (size_t i = 0; i < model->nr_threads; i++) {
		find_rate(&builder->fits[i], &builder->rates->of_thread[i]);
		free(builder->fits[i].blocks);
	}
}

struct smt_rates smt_rates_compute(const struct model *model, const struct smt_times *times)
{
	struct smt_rates rates = { 0 };
	struct builder builder = { .model = model, .times = times, .rates = &rates };

	rates.measure = find_events(&builder);
	if (rates.measure == SMT_NOT_MEASURED || !times->has_siblings)
		return rates;
	rates.of_thread = xcalloc(model->nr_threads + 1, sizeof(*rates.of_thread));
	builder.fits = xcalloc(model->nr_threads + 1, sizeof(*builder.fits));
	builder.next = xcalloc((size_t)model->nr_cpus + 1, sizeof(*builder.next));
	fit_threads(&builder);
	free(builder.fits);
	free(builder.next);
	return rates;
}

void smt_rates_free(struct smt_rates *rates)
{
	free(rates->of_thread);
	*rates = (struct smt_rates){ 0 };
}

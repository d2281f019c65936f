// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/switch_excess.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/resampled_bounds.h"
#include "util/lower_bound.h"
#include "util/random.h"
#include "util/xalloc.h"

#define NR_RESAMPLES 999
#define MOST_BLOCKS 8192 /* of all threads */
#define MOST_THREAD_BLOCKS 64
#define MOST_PERMUTED 4096 /* runs of a kind, or of a thread's counts */
#define SEED 20261122u
#define WEIGHT_NS 100000.0
/* The share of the sum of squares by which times must differ from run to run. */
#define LEAST_SPREAD 0.02
#define WARM_LATE_SHARE 0.1

/* Of runs of one kind: all that the excess is made of. */
struct sums {
	double nr;
	double early, early_ns, late, late_ns;
	double w, wl, wll, wc, wlc; /* weight, time, count */
};

struct kind_sums {
	struct sums of[NR_SWITCH_AFTER];
};

/* The runs of one thread in one task. */
struct group {
	const struct switch_excess_run *runs;
	size_t nr;
	size_t first_block;
	size_t nr_blocks;
	bool warm_late;
};

struct work {
	const struct switch_excess_input *input;
	size_t nr_groups;
	struct group *groups;
	struct kind_sums *blocks;
	double *before; /* from samples: the sum of the hits before each */
};

/* What the sums of a thread say. */
struct solution {
	bool known;
	double excess[NR_SWITCH_AFTER];
	double warm_per_ns;
};

bool switch_excess_is_warm_late(double all_ns, double beyond_ns)
{
	return beyond_ns >= WARM_LATE_SHARE * all_ns;
}

double switch_excess_early_ns(bool thread_is_warm_late, double run_ns)
{
	double most_ns = thread_is_warm_late ? run_ns : run_ns / 2;

	return most_ns < SWITCH_EXCESS_EARLY_NS ? most_ns : SWITCH_EXCESS_EARLY_NS;
}

/* The first of the run's hits at @at_ns or later. */
static size_t hit_at(const struct switch_excess_input *input, const struct switch_excess_run *run,
		     double at_ns)
{
	return LOWER_BOUND(row, run->first_hit, run->first_hit + run->nr_hits,
			   input->hits[row].at_ns < at_ns);
}

/* What of the run's hits is in [from_ns, to_ns). */
static double misses_in(const struct work *work, const struct switch_excess_run *run,
			double from_ns, double to_ns)
{
	return work->before[hit_at(work->input, run, to_ns)] -
	       work->before[hit_at(work->input, run, from_ns)];
}

static void add_run(const struct work *work, const struct group *group,
		    const struct switch_excess_run *run, struct sums *sums)
{
	double weight = 1 / (run->run_ns + WEIGHT_NS);
	double early_ns;

	sums->nr++;
	sums->w += weight;
	sums->wl += weight * run->run_ns;
	sums->wll += weight * run->run_ns * run->run_ns;
	sums->wc += weight * run->misses;
	sums->wlc += weight * run->run_ns * run->misses;
	if (!work->input->hits)
		return;
	early_ns = switch_excess_early_ns(group->warm_late, run->run_ns);
	sums->early_ns += early_ns;
	sums->early += misses_in(work, run, 0, early_ns);
	sums->late_ns += run->run_ns - early_ns;
	sums->late += misses_in(work, run, early_ns, run->run_ns);
}

static void add_sums(struct kind_sums *to, const struct kind_sums *more)
{
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		struct sums *sum = &to->of[kind];
		const struct sums *one = &more->of[kind];

		sum->nr += one->nr;
		sum->early += one->early;
		sum->early_ns += one->early_ns;
		sum->late += one->late;
		sum->late_ns += one->late_ns;
		sum->w += one->w;
		sum->wl += one->wl;
		sum->wll += one->wll;
		sum->wc += one->wc;
		sum->wlc += one->wlc;
	}
}

static struct solution solve_samples(const struct kind_sums *sums)
{
	struct solution solution = { 0 };
	double late = 0, late_ns = 0;

	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		late += sums->of[kind].late;
		late_ns += sums->of[kind].late_ns;
	}
	if (!(late_ns > 0))
		return solution;
	solution.known = true;
	solution.warm_per_ns = late / late_ns;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		const struct sums *one = &sums->of[kind];

		if (one->nr > 0)
			solution.excess[kind] =
				(one->early - solution.warm_per_ns * one->early_ns) / one->nr;
	}
	return solution;
}

/* The determinant of the fit, and whether it is far enough from 0. */
static bool spread_of(const struct kind_sums *sums, double *spread)
{
	double all = 0;

	*spread = 0;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		const struct sums *one = &sums->of[kind];

		if (!(one->nr > 0))
			continue;
		*spread += one->wll - one->wl * one->wl / one->w;
		all += one->wll;
	}
	return *spread > LEAST_SPREAD * all;
}

static struct solution solve_counts(const struct kind_sums *sums)
{
	struct solution solution = { 0 };
	double spread, slope = 0;

	solution.known = spread_of(sums, &spread);
	if (!solution.known)
		return solution;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		const struct sums *one = &sums->of[kind];

		if (one->nr > 0)
			slope += one->wlc - one->wl * one->wc / one->w;
	}
	solution.warm_per_ns = slope > 0 ? slope / spread : 0;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		const struct sums *one = &sums->of[kind];

		if (one->nr > 0)
			solution.excess[kind] = (one->wc - solution.warm_per_ns * one->wl) / one->w;
	}
	return solution;
}

static struct solution solve_costs(const struct work *work, const struct kind_sums *sums)
{
	return work->input->hits ? solve_samples(sums) : solve_counts(sums);
}

static bool is_warm_late(const struct group *group)
{
	double all_ns = 0, beyond_ns = 0;

	for (size_t i = 0; i < group->nr; i++) {
		all_ns += group->runs[i].run_ns;
		if (group->runs[i].run_ns > SWITCH_EXCESS_EARLY_NS)
			beyond_ns += group->runs[i].run_ns - SWITCH_EXCESS_EARLY_NS;
	}
	return switch_excess_is_warm_late(all_ns, beyond_ns);
}

static void find_groups(struct work *work)
{
	const struct switch_excess_input *input = work->input;

	work->groups = xcalloc(input->nr, sizeof(*work->groups));
	for (size_t i = 0; i < input->nr; i++) {
		if (!i || input->runs[i].thread != input->runs[i - 1].thread ||
		    input->runs[i].task != input->runs[i - 1].task)
			work->groups[work->nr_groups++].runs = &input->runs[i];
		work->groups[work->nr_groups - 1].nr++;
	}
	for (size_t i = 0; i < work->nr_groups; i++)
		work->groups[i].warm_late = is_warm_late(&work->groups[i]);
}

static void fill_blocks(struct work *work)
{
	size_t most = work->nr_groups ? MOST_BLOCKS / work->nr_groups : 0, nr = 0;

	most = most < 1 ? 1 : most > MOST_THREAD_BLOCKS ? MOST_THREAD_BLOCKS : most;
	for (size_t i = 0; i < work->nr_groups; i++) {
		struct group *group = &work->groups[i];

		group->first_block = nr;
		group->nr_blocks = group->nr < most ? group->nr : most;
		nr += group->nr_blocks;
	}
	work->blocks = xcalloc(nr, sizeof(*work->blocks));
	for (size_t i = 0; i < work->nr_groups; i++) {
		const struct group *group = &work->groups[i];

		for (size_t run = 0; run < group->nr; run++) {
			size_t block = group->first_block + run * group->nr_blocks / group->nr;

			add_run(work, group, &group->runs[run],
				&work->blocks[block].of[group->runs[run].kind]);
		}
	}
}

static void sum_hits(struct work *work)
{
	const struct switch_excess_input *input = work->input;
	size_t nr = 0;

	if (!input->hits)
		return;
	for (size_t i = 0; i < input->nr; i++) {
		if (input->runs[i].first_hit + input->runs[i].nr_hits > nr)
			nr = input->runs[i].first_hit + input->runs[i].nr_hits;
	}
	work->before = xcalloc(nr + 1, sizeof(*work->before));
	for (size_t i = 0; i < nr; i++)
		work->before[i + 1] = work->before[i] + input->hits[i].misses;
}

/* Of all threads together, each of which has as many runs of a kind as say so. */
struct pooled {
	double nr[NR_SWITCH_AFTER];
	double excess[NR_SWITCH_AFTER]; /* the sum over the runs */
	double warm, ns;
	bool warm_known;
};

static void pool_kinds(const struct work *work, const struct kind_sums *sums,
		       const struct solution *solution, struct pooled *pooled)
{
	if (!solution->known)
		return;
	pooled->warm_known = true;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		const struct sums *one = &sums->of[kind];
		double ns = work->input->hits ? one->late_ns : one->nr > 0 ? one->wl / one->w : 0;

		pooled->nr[kind] += one->nr;
		pooled->excess[kind] += one->nr * solution->excess[kind];
		pooled->warm += solution->warm_per_ns * ns;
		pooled->ns += ns;
	}
}

static struct kind_sums sum_blocks(const struct work *work, const struct group *group)
{
	struct kind_sums sums = { 0 };

	for (size_t i = 0; i < group->nr_blocks; i++)
		add_sums(&sums, &work->blocks[group->first_block + i]);
	return sums;
}

static struct kind_sums draw_blocks(const struct work *work, const struct group *group,
				    struct random *random)
{
	struct kind_sums sums = { 0 };

	for (size_t i = 0; i < group->nr_blocks; i++)
		add_sums(
			&sums,
			&work->blocks[group->first_block + random_below(random, group->nr_blocks)]);
	return sums;
}

static void add_thread(struct switch_excess_result *result, const struct switch_excess_run *run,
		       const struct kind_sums *sums, const struct solution *solution)
{
	struct switch_excess_thread *own;

	if (!solution->known)
		return;
	own = &result->threads[result->nr_threads++];
	own->thread = run->thread;
	own->task = run->task;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		own->nr_runs[kind] = (size_t)sums->of[kind].nr;
		own->excess[kind] = sums->of[kind].nr * solution->excess[kind];
	}
}

static void estimate_excess(const struct work *work, struct switch_excess_result *result)
{
	struct pooled pooled = { 0 };

	result->threads = xcalloc(work->nr_groups, sizeof(*result->threads));
	for (size_t i = 0; i < work->nr_groups; i++) {
		struct kind_sums sums = sum_blocks(work, &work->groups[i]);
		struct solution solution = solve_costs(work, &sums);

		pool_kinds(work, &sums, &solution, &pooled);
		add_thread(result, work->groups[i].runs, &sums, &solution);
	}
	result->warm_known = pooled.warm_known && pooled.ns > 0;
	if (result->warm_known)
		result->warm_per_ns = pooled.warm / pooled.ns;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		result->of[kind].nr_runs = (size_t)pooled.nr[kind];
		result->of[kind].known = pooled.nr[kind] > 0;
		if (pooled.nr[kind] > 0)
			result->of[kind].mean = pooled.excess[kind] / pooled.nr[kind];
	}
}

static void bound_excess(const struct work *work, struct switch_excess_result *result)
{
	double(*means)[NR_RESAMPLES] = xcalloc(NR_SWITCH_AFTER, sizeof(*means));
	size_t nr[NR_SWITCH_AFTER] = { 0 };
	struct random random = { SEED };

	for (int i = 0; i < NR_RESAMPLES; i++) {
		struct pooled pooled = { 0 };

		for (size_t group = 0; group < work->nr_groups; group++) {
			struct kind_sums sums = draw_blocks(work, &work->groups[group], &random);
			struct solution solution = solve_costs(work, &sums);

			pool_kinds(work, &sums, &solution, &pooled);
		}
		for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
			if (pooled.nr[kind] > 0)
				means[kind][nr[kind]++] = pooled.excess[kind] / pooled.nr[kind];
		}
	}
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		struct switch_excess *excess = &result->of[kind];
		struct resampled_bounds bounds;

		if (!nr[kind])
			continue;
		bounds = resampled_bounds_of(means[kind], nr[kind]);
		excess->low = bounds.low;
		excess->high = bounds.high;
	}
	free(means);
}

/* The run's hits in the @early_ns from @from_ns on, where its end is followed by its begin. */
static double misses_around(const struct work *work, const struct switch_excess_run *run,
			    double from_ns, double early_ns)
{
	double to_ns = from_ns + early_ns;

	if (to_ns <= run->run_ns)
		return misses_in(work, run, from_ns, to_ns);
	return misses_in(work, run, from_ns, run->run_ns) +
	       misses_in(work, run, 0, to_ns - run->run_ns);
}

/* Runs of @kind that have hits, at most MOST_PERMUTED of them, evenly. free() them. */
static const struct switch_excess_run **choose_runs(const struct switch_excess_input *input,
						    int kind, size_t *nr)
{
	const struct switch_excess_run **chosen = xcalloc(input->nr,
							  sizeof(const struct switch_excess_run *));
	size_t all = 0;

	for (size_t i = 0; i < input->nr; i++) {
		if (input->runs[i].kind == kind && input->runs[i].nr_hits)
			chosen[all++] = &input->runs[i];
	}
	*nr = all < MOST_PERMUTED ? all : MOST_PERMUTED;
	for (size_t i = 0; i < *nr; i++)
		chosen[i] = chosen[i * all / *nr];
	return chosen;
}

/* With @random, each run's hits are turned round by some time. */
static double early_misses(const struct work *work, const struct switch_excess_run *const *runs,
			   size_t nr, struct random *random)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++) {
		double early_ns = switch_excess_early_ns(false, runs[i]->run_ns);
		double from_ns = random ? random_share(random) * runs[i]->run_ns : 0;

		sum += misses_around(work, runs[i], from_ns, early_ns);
	}
	return sum;
}

static double test_samples(const struct work *work, int kind)
{
	struct random random = { SEED };
	int nr_as_great = 1;
	size_t nr;
	const struct switch_excess_run **runs = choose_runs(work->input, kind, &nr);
	double seen = early_misses(work, runs, nr, NULL);

	for (int i = 0; i < NR_RESAMPLES; i++)
		nr_as_great += early_misses(work, runs, nr, &random) >= seen;
	free(runs);
	return (double)nr_as_great / (NR_RESAMPLES + 1);
}

/* From counts: the sum of the excess of a kind is sum(factor * z) over the runs of a thread. */
struct residuals {
	size_t nr;
	double *z;
	double (*factor)[NR_SWITCH_AFTER];
};

/*
 * Of the runs @stride apart. With W, WL, ... the sums of one kind k and D the determinant,
 * slope = sum(w (L - WL/W) c) / D, and E_k = sum_k(w c) / W - slope WL/W.
 */
static bool make_residuals(const struct work *work, const struct group *group, size_t stride,
			   struct residuals *residuals)
{
	struct kind_sums sums = { 0 };
	double spread, rate = 0, squares = 0;

	for (size_t i = 0; i < group->nr; i += stride)
		add_run(work, group, &group->runs[i], &sums.of[group->runs[i].kind]);
	if (!spread_of(&sums, &spread))
		return false;
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		rate += sums.of[kind].wlc;
		squares += sums.of[kind].wll;
	}
	rate /= squares;
	residuals->nr = 0;
	for (size_t i = 0; i < group->nr; i += stride) {
		const struct switch_excess_run *run = &group->runs[i];
		const struct sums *own = &sums.of[run->kind];
		double root = sqrt(run->run_ns + WEIGHT_NS), weight = 1 / (root * root);
		double slope = weight * (run->run_ns - own->wl / own->w) / spread;
		double *factor = residuals->factor[residuals->nr];

		residuals->z[residuals->nr++] = (run->misses - rate * run->run_ns) / root;
		for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
			const struct sums *one = &sums.of[kind];

			factor[kind] = 0;
			if (one->nr > 0)
				factor[kind] = root * one->nr *
					       ((kind == run->kind ? weight / one->w : 0) -
						slope * one->wl / one->w);
		}
	}
	return true;
}

static void add_excess(const struct residuals *residuals, double *excess)
{
	for (size_t i = 0; i < residuals->nr; i++) {
		for (int kind = 0; kind < NR_SWITCH_AFTER; kind++)
			excess[kind] += residuals->factor[i][kind] * residuals->z[i];
	}
}

static void shuffle_values(double *values, size_t nr, struct random *random)
{
	for (size_t i = nr; i > 1; i--) {
		size_t other = random_below(random, i);
		double value = values[i - 1];

		values[i - 1] = values[other];
		values[other] = value;
	}
}

static void test_counts(const struct work *work, struct switch_excess_result *result)
{
	double seen[NR_SWITCH_AFTER] = { 0 };
	double(*permuted)[NR_SWITCH_AFTER] = xcalloc(NR_RESAMPLES, sizeof(*permuted));
	size_t most = work->nr_groups ? 8 * MOST_PERMUTED / work->nr_groups : 0;
	struct random random = { SEED };

	most = most < 16 ? 16 : most > MOST_PERMUTED ? MOST_PERMUTED : most;
	for (size_t i = 0; i < work->nr_groups; i++) {
		const struct group *group = &work->groups[i];
		size_t stride = (group->nr + most - 1) / most;
		struct residuals residuals = {
			.z = xcalloc(group->nr, sizeof(*residuals.z)),
			.factor = xcalloc(group->nr, sizeof(*residuals.factor)),
		};

		if (make_residuals(work, group, stride, &residuals)) {
			add_excess(&residuals, seen);
			for (int j = 0; j < NR_RESAMPLES; j++) {
				shuffle_values(residuals.z, residuals.nr, &random);
				add_excess(&residuals, permuted[j]);
			}
		}
		free(residuals.z);
		free(residuals.factor);
	}
	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		int nr_as_great = 1;

		for (int j = 0; j < NR_RESAMPLES; j++)
			nr_as_great += permuted[j][kind] >= seen[kind];
		result->of[kind].p_value = (double)nr_as_great / (NR_RESAMPLES + 1);
	}
	free(permuted);
}

void switch_excess_compute(const struct switch_excess_input *input,
			   struct switch_excess_result *result)
{
	struct work work = { .input = input };

	*result = (struct switch_excess_result){ 0 };
	if (!input->nr)
		return;
	find_groups(&work);
	sum_hits(&work);
	fill_blocks(&work);
	estimate_excess(&work, result);
	bound_excess(&work, result);
	if (input->hits) {
		for (int kind = 0; kind < NR_SWITCH_AFTER; kind++)
			result->of[kind].p_value = test_samples(&work, kind);
	} else {
		test_counts(&work, result);
	}
	free(work.groups);
	free(work.blocks);
	free(work.before);
}

void switch_excess_free(struct switch_excess_result *result)
{
	free(result->threads);
}

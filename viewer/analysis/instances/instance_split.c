// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/instance_split.h"

#include <math.h>

#include "analysis/stats/product_split.h"
#include "trace/event.h"

#define SURE_ERRORS 1.96
#define MOST_COUNT_ERROR 0.05 /* of a count, by what was shared by time */

static double sibling_share(const struct instance_times *times)
{
	double ran_ns = times->ns[INSTANCE_USEFUL] + times->ns[INSTANCE_STOLEN];

	return ran_ns > 0 ? fmin(times->sibling_ns / ran_ns, 1) : 0;
}

void instance_split_learn(struct instance_split_rates *rates, const struct instance_times *times)
{
	double beside = times->instructions * sibling_share(times);

	if (!times->is_counted)
		return;
	rates->with_misses.nr_terms = 2;
	rates->with_sibling.nr_terms = 2;
	rates->with_both.nr_terms = 3;
	least_squares_add(&rates->with_misses,
			  (const double[]){ times->instructions, times->misses }, times->cycles);
	least_squares_add(&rates->with_sibling, (const double[]){ times->instructions, beside },
			  times->cycles);
	least_squares_add(&rates->with_both,
			  (const double[]){ times->instructions, times->misses, beside },
			  times->cycles);
}

void instance_split_merge(struct instance_split_rates *rates,
			  const struct instance_split_rates *more)
{
	if (!more->with_both.nr)
		return;
	least_squares_merge(&rates->with_misses, &more->with_misses);
	least_squares_merge(&rates->with_sibling, &more->with_sibling);
	least_squares_merge(&rates->with_both, &more->with_both);
}

static double sure_value(const struct least_squares_term *term)
{
	return term->value > SURE_ERRORS * term->error ? term->value : 0;
}

/* Cycles for each miss, and for each instruction beside a busy sibling; 0: not known to cost any. */
struct extra_cycles {
	double of_miss;
	double of_sibling;
};

/* A quantity that never changes, or is always 0, cannot be told from the others: then without it. */
static struct extra_cycles solve(const struct instance_split_rates *rates)
{
	struct least_squares_term terms[LEAST_SQUARES_MOST];

	if (least_squares_solve(&rates->with_both, terms))
		return (struct extra_cycles){ sure_value(&terms[1]), sure_value(&terms[2]) };
	if (least_squares_solve(&rates->with_misses, terms))
		return (struct extra_cycles){ .of_miss = sure_value(&terms[1]) };
	if (least_squares_solve(&rates->with_sibling, terms))
		return (struct extra_cycles){ .of_sibling = sure_value(&terms[1]) };
	return (struct extra_cycles){ 0 };
}

static bool is_sure(double count, double variance)
{
	return sqrt(variance) <= MOST_COUNT_ERROR * count;
}

bool instance_split_is_counted(const struct instance_times *usual,
			       const struct instance_times *slow)
{
	return usual->is_counted && slow->is_counted && usual->ns[INSTANCE_USEFUL] > 0 &&
	       slow->ns[INSTANCE_USEFUL] > 0 &&
	       is_sure(usual->instructions, usual->instructions_variance) &&
	       is_sure(usual->cycles, usual->cycles_variance) &&
	       is_sure(slow->instructions, slow->instructions_variance) &&
	       is_sure(slow->cycles, slow->cycles_variance);
}

/* The part of a change of cycles per instruction that is explained by @explained; 0 to 1. */
static double explained_share(double explained, double change)
{
	return change ? fmax(0, fmin(explained / change, 1)) : 0;
}

/* What cycles per instruction make, @whole_ns, among what explains them. */
static void split_cycles(const struct instance_split_rates *rates,
			 const struct instance_times *usual, const struct instance_times *slow,
			 double whole_ns, double *parts_ns)
{
	struct extra_cycles extra = solve(rates);
	double change = slow->cycles / slow->instructions - usual->cycles / usual->instructions;
	double misses = explained_share(extra.of_miss * (slow->misses / slow->instructions -
							 usual->misses / usual->instructions),
					change);
	double sibling =
		explained_share(extra.of_sibling * (sibling_share(slow) - sibling_share(usual)),
				change);
	double both = fmax(misses + sibling, 1);

	parts_ns[PART_MISSES] = whole_ns * misses / both;
	parts_ns[PART_SIBLING] = whole_ns * sibling / both;
	parts_ns[PART_IPC] = whole_ns - parts_ns[PART_MISSES] - parts_ns[PART_SIBLING];
}

struct factors {
	double of[3]; /* instructions, cycles per instruction, ns per cycle */
};

static struct factors factors_of(const struct instance_times *times)
{
	return (struct factors){ {
		times->instructions / (double)times->nr,
		times->cycles / times->instructions,
		times->ns[INSTANCE_USEFUL] / times->cycles,
	} };
}

static void split_useful(const struct instance_split_rates *rates,
			 const struct instance_times *usual, const struct instance_times *slow,
			 double *parts_ns)
{
	struct factors from = factors_of(usual), to = factors_of(slow);
	double parts[3];

	product_split(from.of, to.of, 3, parts);
	parts_ns[PART_INSTRUCTIONS] = parts[0];
	split_cycles(rates, usual, slow, parts[1], parts_ns);
	parts_ns[PART_CLOCK] = parts[2];
}

/* What rounding leaves goes to the greatest part. */
static int64_t round_parts(const double *parts, int64_t *parts_ns)
{
	double sum = 0;
	int64_t rest;
	int most = 0;

	for (int i = 0; i < NR_INSTANCE_PARTS; i++) {
		sum += parts[i];
		if (fabs(parts[i]) > fabs(parts[most]))
			most = i;
	}
	rest = llround(sum);
	for (int i = 0; i < NR_INSTANCE_PARTS; i++) {
		parts_ns[i] = llround(parts[i]);
		rest -= parts_ns[i];
	}
	parts_ns[most] += rest;
	return llround(sum);
}

int64_t instance_split(const struct instance_split_rates *rates, const struct instance_times *usual,
		       const struct instance_times *slow, int64_t *parts_ns)
{
	static const enum instance_part part_of[NR_INSTANCE_TIMES] = {
		[INSTANCE_USEFUL] = PART_USEFUL,     [INSTANCE_STOLEN] = PART_STOLEN,
		[INSTANCE_SPINNING] = PART_SPINNING, [INSTANCE_PREEMPTED] = PART_PREEMPTED,
		[INSTANCE_WAKEUP] = PART_WAKEUP,     [INSTANCE_BLOCKED] = PART_BLOCKED,
		[INSTANCE_UNKNOWN] = PART_UNKNOWN,
	};
	double parts[NR_INSTANCE_PARTS] = { 0 };

	for (int i = 0; i < NR_INSTANCE_TIMES; i++)
		parts[part_of[i]] = slow->ns[i] / (double)slow->nr -
				    usual->ns[i] / (double)usual->nr;
	if (instance_split_is_counted(usual, slow)) {
		parts[PART_USEFUL] = 0;
		split_useful(rates, usual, slow, parts);
	}
	return round_parts(parts, parts_ns);
}

uint32_t instance_split_cause(const struct instance_times *usual, const struct instance_times *slow)
{
	uint32_t cause = TRACE_NO_STRING;
	double most_ns = 0;

	for (size_t i = 0; i < slow->nr_causes; i++) {
		double extra_ns = slow->causes[i].ns / (double)slow->nr -
				  instance_times_blocked_ns(usual, slow->causes[i].cause) /
					  (double)usual->nr;

		if (extra_ns <= most_ns)
			continue;
		most_ns = extra_ns;
		cause = slow->causes[i].cause;
	}
	return cause;
}

const char *instance_part_name(enum instance_part part, bool with_kernel)
{
	static const char *const names[NR_INSTANCE_PARTS] = {
		[PART_INSTRUCTIONS] = "more instructions",
		[PART_MISSES] = "lower IPC by misses",
		[PART_SIBLING] = "lower IPC by an SMT sibling",
		[PART_IPC] = "lower IPC",
		[PART_CLOCK] = "lower frequency",
		[PART_USEFUL] = "longer on a CPU",
		[PART_STOLEN] = "stolen by interrupts",
		[PART_SPINNING] = "spinning",
		[PART_PREEMPTED] = "preempted",
		[PART_WAKEUP] = "woken late",
		[PART_BLOCKED] = "blocked",
		[PART_UNKNOWN] = "unknown",
	};

	if (part == PART_CLOCK && !with_kernel)
		return "lower frequency, or in the kernel";
	return names[part];
}

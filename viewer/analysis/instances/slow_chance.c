// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/slow_chance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/stats/binomial.h"
#include "analysis/stats/rank_test.h"
#include "util/xalloc.h"

#define NR_STEPS 41
#define MOST_DEVIATIONS 4.0
/* What binomial_tail() takes. */
#define LEAST_SHARE 1e-300

/* The share of normal values that are above. */
static double share_above(double deviations)
{
	return fmin(fmax(erfc(deviations / M_SQRT2) / 2, LEAST_SHARE), 1 - DBL_EPSILON);
}

double slow_chance_of_number(size_t nr, size_t nr_slow, double deviations)
{
	const double step = 2 * MOST_DEVIATIONS / NR_STEPS;
	double sum = 0;

	for (int i = 0; i < NR_STEPS; i++) {
		double off = (i + 0.5) * step - MOST_DEVIATIONS;
		double share = share_above(deviations * (1 + 1.24 * off / sqrt((double)nr)));

		sum += exp(-off * off / 2) / sqrt(2 * M_PI) * step *
		       binomial_tail(nr, share, nr_slow);
	}
	return fmin(2 * sum, 1);
}

/* Ordered as the values are, which may be negative. */
static uint64_t rank_of(int64_t ns)
{
	return (uint64_t)ns ^ 1ull << 63;
}

/* free() it. */
static uint64_t *ranks_of(const struct split_instances *instances, enum instance_part part,
			  uint32_t cause)
{
	uint64_t *ranks = xcalloc(instances->nr, sizeof(*ranks));

	for (size_t i = 0; i < instances->nr; i++) {
		const struct split_instance *row = &instances->rows[i];
		int64_t ns = row->parts_ns[part];

		if (part == PART_BLOCKED)
			ns = (int64_t)instance_times_blocked_ns(&row->times, cause);
		ranks[i] = rank_of(ns);
	}
	return ranks;
}

double slow_chance_of_part(const struct split_instances *typical,
			   const struct split_instances *slow, enum instance_part part,
			   uint32_t cause)
{
	uint64_t *first = ranks_of(typical, part, cause), *second = ranks_of(slow, part, cause);
	double p_value = rank_test(first, typical->nr, second, slow->nr).p_value;

	free(first);
	free(second);
	return p_value;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/welch_test.h"

#include <math.h>

#include "analysis/stats/student_t.h"

struct sample sample_of(const double *values, size_t nr)
{
	struct sample sample = { .nr = nr };

	for (size_t i = 0; i < nr; i++)
		sample.mean += values[i] / (double)nr;
	for (size_t i = 0; i < nr && nr > 1; i++)
		sample.variance += (values[i] - sample.mean) * (values[i] - sample.mean) /
				   (double)(nr - 1);
	return sample;
}

double sample_noise(const struct sample *sample)
{
	return sample->mean > 0 ? sqrt(sample->variance) / sample->mean : 0;
}

/* The error of a difference, and its degrees of freedom; 0: nothing is known. */
struct error {
	double value;
	double degrees;
};

static double square(double value)
{
	return value * value;
}

/* Of sets of @nr values with the variances @variances. */
static struct error error_of(const size_t nr[2], const double variances[2])
{
	struct error error = { 0 };
	double sum = 0, below = 0;

	for (int i = 0; i < 2; i++) {
		/* What one value does not tell, the other set does. */
		double variance = nr[i] > 1 ? variances[i] : variances[!i];
		double part = variance / (double)nr[i];

		sum += part;
		if (nr[i] > 1)
			below += square(part) / (double)(nr[i] - 1);
	}
	error.value = sqrt(sum);
	if (nr[0] == 1 || nr[1] == 1)
		error.degrees = (double)(nr[0] + nr[1] - 2);
	else
		error.degrees = below > 0 ? square(sum) / below : (double)(nr[0] + nr[1] - 2);
	return error;
}

/* Values that are all alike leave no chance to differ. */
static double p_value_of(double difference, const struct error *error)
{
	if (error->value > 0)
		return student_t_p_value(difference / error->value, error->degrees);
	return difference ? 0 : 1;
}

static struct welch_test test_of(double difference, const size_t nr[2], const double variances[2])
{
	struct error error = error_of(nr, variances);
	struct welch_test test = { .estimate = difference, .p_value = 1 };
	double reach;

	if (!(error.degrees > 0))
		return test;
	reach = error.value * student_t_limit(1 - WELCH_COVERAGE, error.degrees);
	test.is_tested = true;
	test.low = difference - reach;
	test.high = difference + reach;
	test.p_value = p_value_of(difference, &error);
	return test;
}

struct welch_test welch_test_of_difference(const struct sample *before, const struct sample *after)
{
	return test_of(after->mean - before->mean, (const size_t[2]){ before->nr, after->nr },
		       (const double[2]){ before->variance, after->variance });
}

struct welch_test welch_test_of_ratio(const struct sample *before, const struct sample *after)
{
	struct welch_test test;

	if (!(before->mean > 0 && after->mean > 0))
		return welch_test_of_difference(before, after);
	test = test_of(log(after->mean / before->mean), (const size_t[2]){ before->nr, after->nr },
		       (const double[2]){ square(sample_noise(before)),
					  square(sample_noise(after)) });
	test.has_ratio = true;
	test.estimate = expm1(test.estimate);
	test.low = expm1(test.low);
	test.high = expm1(test.high);
	return test;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/runs/runs_value.h"

#include <stdlib.h>

#include "util/xalloc.h"

struct runs_values runs_values_new(const struct runs *runs)
{
	struct runs_values values = { 0 };

	for (int side = 0; side < 2; side++)
		values.values[side] = xcalloc(runs->nr[side], sizeof(*values.values[side]));
	return values;
}

void runs_values_add(struct runs_values *values, int side, double value)
{
	values->values[side][values->nr[side]++] = value;
}

struct runs_value runs_value_of(struct runs_values *values,
				struct welch_test (*test)(const struct sample *before,
							  const struct sample *after))
{
	struct runs_value value = { .adjusted_p = 1, .test.p_value = 1 };

	for (int side = 0; side < 2; side++) {
		value.samples[side] = sample_of(values->values[side], values->nr[side]);
		free(values->values[side]);
	}
	if (runs_value_is_compared(&value))
		value.test = test(&value.samples[0], &value.samples[1]);
	return value;
}

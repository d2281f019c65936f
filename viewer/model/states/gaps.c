// SPDX-License-Identifier: GPL-2.0
#include "model/states/gaps.h"

bool model_has_gaps(const struct model *model, enum gap_kind kind)
{
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct gap_table *gaps = &model->cpus[cpu].gaps;

		for (size_t i = 0; i < gaps->nr; i++) {
			if (gaps->kind[i] == kind)
				return true;
		}
	}
	return false;
}

uint64_t gaps_missing_switches(const struct gap_table *gaps)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < gaps->nr; i++) {
		if (gaps->kind[i] == GAP_MISSING)
			nr += gaps->nr_events[i];
	}
	return nr;
}

uint64_t model_missing_switches(const struct model *model)
{
	uint64_t nr = 0;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		nr += gaps_missing_switches(&model->cpus[cpu].gaps);
	return nr;
}

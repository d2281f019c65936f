// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "model/columns.h"
#include "model/edits.h"
#include "model/mappings.h"
#include "model/model.h"

void model_free(struct model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->nr_threads; i++) {
		states_free(&model->threads[i].states);
		spans_free(&model->threads[i].spans);
		marks_free(&model->threads[i].marks);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		slices_free(&model->cpus[cpu].slices);
		gaps_free(&model->cpus[cpu].gaps);
	}
	migrations_free(&model->migrations);
	wakeups_free(&model->wakeups);
	free(model->pmu_events);
	samples_free(&model->samples);
	slice_counts_free(&model->slice_counts);
	pmu_gaps_free(&model->pmu_gaps);
	mappings_free(&model->mappings);
	spaces_free(&model->spaces);
	topology_free(&model->topology);
	for (size_t i = 0; model->edits && i < model->nr_threads; i++)
		edits_free(&model->edits[i]);
	free(model->edits);
	free(model->threads);
	free(model->cpus);
	free(model);
}

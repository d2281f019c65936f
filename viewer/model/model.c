// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "model/table_rows.h"
#include "model/states/state_delta.h"
#include "model/memory/mappings.h"
#include "model/model.h"
#include "util/string_table.h"

void model_free(struct model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->nr_threads; i++) {
		state_table_free(&model->threads[i].states);
		span_table_free(&model->threads[i].spans);
		kernel_slice_table_free(&model->threads[i].kernel_slices);
		mark_table_free(&model->threads[i].marks);
		cause_table_free(&model->threads[i].causes);
		stack_point_table_free(&model->threads[i].stack_points);
		waker_stack_table_free(&model->threads[i].waker_stacks);
		stolen_time_free(&model->threads[i].stolen);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		slice_table_free(&model->cpus[cpu].slices);
		gap_table_free(&model->cpus[cpu].gaps);
		interrupt_table_free(&model->cpus[cpu].interrupts);
		idle_table_free(&model->cpus[cpu].idle);
		frequency_table_free(&model->cpus[cpu].frequencies);
	}
	migration_table_free(&model->migrations);
	wakeup_table_free(&model->wakeups);
	block_io_table_free(&model->block_io);
	free(model->block_devices);
	timed_sleep_table_free(&model->timed_sleeps);
	free(model->uncore_counters);
	uncore_reading_table_free(&model->uncore_readings);
	free(model->pmu_events);
	sample_table_free(&model->samples);
	slice_count_table_free(&model->slice_counts);
	pmu_gap_table_free(&model->pmu_gaps);
	event_table_free(&model->events);
	string_table_free(model->events.texts);
	free(model->left_out_events);
	note_table_free(&model->notes);
	data_object_table_free(&model->data_objects);
	frame_table_free(&model->frames);
	mapping_table_free(&model->mappings);
	page_reading_table_free(&model->page_readings);
	space_table_free(&model->spaces);
	topology_free(&model->topology);
	for (size_t i = 0; model->state_deltas && i < model->nr_threads; i++)
		state_delta_free(&model->state_deltas[i]);
	free(model->state_deltas);
	free(model->threads);
	free(model->cpus);
	free(model);
}

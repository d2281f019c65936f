// SPDX-License-Identifier: GPL-2.0
#include "model/window/rest.h"

#include <stdlib.h>
#include <string.h>

#include "model/table_rows.h"
#include "model/window/table_copy.h"
#include "util/spill/spill.h"
#include "util/string_table.h"
#include "util/xalloc.h"

struct nested_row {
	uint64_t start_ns;
	uint8_t depth;
	size_t row;
};

/* Of those that begin at once, the outer one comes first. */
static int compare_nested(const void *a, const void *b)
{
	const struct nested_row *first = a, *second = b;

	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	if (first->depth != second->depth)
		return first->depth < second->depth ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

/* In which order rows stand that came when they ended, inner ones first; spill_free() it. */
static size_t *sort_nested(const uint64_t *start_ns, const uint8_t *depth, size_t nr)
{
	struct nested_row *places = spill_zeroed(nr + 1, sizeof(*places));
	size_t *rows = spill_zeroed(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		places[i] = (struct nested_row){ start_ns[i], depth[i], i };
	qsort(places, nr, sizeof(*places), compare_nested);
	for (size_t i = 0; i < nr; i++)
		rows[i] = places[i].row;
	spill_free(places);
	return rows;
}

static void sort_spans(struct span_table *spans)
{
	size_t *rows = sort_nested(spans->start_ns, spans->depth, spans->nr);

	span_table_permute(spans, rows);
	spill_free(rows);
}

static void sort_kernel_slices(struct kernel_slice_table *slices)
{
	size_t *rows = sort_nested(slices->start_ns, slices->depth, slices->nr);

	kernel_slice_table_permute(slices, rows);
	spill_free(rows);
}

static void sort_interrupts(struct interrupt_table *interrupts)
{
	size_t *rows = sort_nested(interrupts->start_ns, interrupts->depth, interrupts->nr);

	interrupt_table_permute(interrupts, rows);
	spill_free(rows);
}

static void free_rows_of_thread(struct thread *thread)
{
	state_table_free(&thread->states);
	span_table_free(&thread->spans);
	kernel_slice_table_free(&thread->kernel_slices);
	mark_table_free(&thread->marks);
	cause_table_free(&thread->causes);
	stack_point_table_free(&thread->stack_points);
	waker_stack_table_free(&thread->waker_stacks);
}

static void free_rows_of_cpu(struct cpu *cpu)
{
	slice_table_free(&cpu->slices);
	interrupt_table_free(&cpu->interrupts);
	idle_table_free(&cpu->idle);
	frequency_table_free(&cpu->frequencies);
}

static void free_events(struct model *model)
{
	event_table_free(&model->events);
	string_table_free(model->events.texts);
	model->events = (struct event_table){ 0 };
}

/* Of all tables that are divided. */
static void free_rows(struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++)
		free_rows_of_thread(&model->threads[i]);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		free_rows_of_cpu(&model->cpus[cpu]);
	migration_table_free(&model->migrations);
	block_io_table_free(&model->block_io);
	uncore_reading_table_free(&model->uncore_readings);
	slice_count_table_free(&model->slice_counts);
	free_events(model);
}

static void take_rows_of_thread(struct thread *thread, const struct thread *rows)
{
	thread->states = rows->states;
	thread->spans = rows->spans;
	thread->kernel_slices = rows->kernel_slices;
	thread->marks = rows->marks;
	thread->causes = rows->causes;
	thread->stack_points = rows->stack_points;
	thread->waker_stacks = rows->waker_stacks;
	sort_spans(&thread->spans);
	sort_kernel_slices(&thread->kernel_slices);
}

static void take_rows_of_cpu(struct cpu *cpu, const struct cpu *rows)
{
	cpu->slices = rows->slices;
	cpu->interrupts = rows->interrupts;
	cpu->idle = rows->idle;
	cpu->frequencies = rows->frequencies;
	sort_interrupts(&cpu->interrupts);
}

static void take_rows(struct model *model, struct model *rows)
{
	for (size_t i = 0; i < model->nr_threads; i++)
		take_rows_of_thread(&model->threads[i], &rows->threads[i]);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		take_rows_of_cpu(&model->cpus[cpu], &rows->cpus[cpu]);
	model->migrations = rows->migrations;
	model->block_io = rows->block_io;
	model->uncore_readings = rows->uncore_readings;
	model->slice_counts = rows->slice_counts;
	model->events = rows->events;
	free(rows->threads);
	free(rows->cpus);
	*rows = (struct model){ 0 };
}

void rest_replace(struct model *model, struct model *rows)
{
	free_rows(model);
	take_rows(model, rows);
}

static void *copy_array(const void *array, size_t nr, size_t element_bytes)
{
	void *copy = xcalloc(nr + 1, element_bytes);

	if (nr)
		memcpy(copy, array, nr * element_bytes);
	return copy;
}

/* What naming frames, and removing events that were made up, change. */
static void copy_what_changes(struct model *rest, const struct model *whole)
{
	rest->pmu_events = copy_array(whole->pmu_events, whole->nr_pmu_events,
				      sizeof(*whole->pmu_events));
	rest->pmu_gaps = (struct pmu_gap_table){ 0 };
	pmu_gap_table_copy(&rest->pmu_gaps, &whole->pmu_gaps, 0, whole->pmu_gaps.nr);
	rest->frames = (struct frame_table){ 0 };
	frame_table_copy(&rest->frames, &whole->frames, 0, whole->frames.nr);
}

/* All rows of these are in windows, or no page has them. */
static void leave_out_others(struct model *rest)
{
	rest->wakeups = (struct wakeup_table){ 0 };
	rest->timed_sleeps = (struct timed_sleep_table){ 0 };
	rest->samples = (struct sample_table){ 0 };
	rest->notes = (struct note_table){ 0 };
}

/* Events that nothing decodes are only for the page. */
static void remove_events(struct model *whole)
{
	free_events(whole);
	whole->left_out_events = NULL;
	whole->nr_left_out_events = 0;
	whole->nr_early_events = 0;
}

struct model *rest_beside(struct model *whole, struct model *rows)
{
	struct model *rest = xcalloc(1, sizeof(*rest));

	*rest = *whole;
	rest->threads = copy_array(whole->threads, whole->nr_threads, sizeof(*whole->threads));
	rest->cpus = copy_array(whole->cpus, (size_t)whole->nr_cpus, sizeof(*whole->cpus));
	copy_what_changes(rest, whole);
	leave_out_others(rest);
	take_rows(rest, rows);
	remove_events(whole);
	return rest;
}

void rest_free(struct model *rest)
{
	if (!rest)
		return;
	for (int cpu = 0; cpu < rest->nr_cpus; cpu++)
		rest->cpus[cpu].gaps = (struct gap_table){ 0 };
	rest->block_devices = NULL;
	rest->uncore_counters = NULL;
	rest->data_objects = (struct data_object_table){ 0 };
	rest->mappings = (struct mapping_table){ 0 };
	rest->page_readings = (struct page_reading_table){ 0 };
	rest->spaces = (struct space_table){ 0 };
	rest->topology = (struct topology){ 0 };
	model_free(rest);
}

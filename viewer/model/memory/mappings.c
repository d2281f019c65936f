// SPDX-License-Identifier: GPL-2.0
#include "model/memory/mappings.h"

#include <stdlib.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/window/permutation.h"
#include "model/window/table_copy.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

static void add_start(struct mapping_build *build, struct space_start start)
{
	if (column_is_full(build->nr_starts))
		build->starts = column_grow(build->starts, build->nr_starts,
					    sizeof(*build->starts));
	build->starts[build->nr_starts++] = start;
}

void mappings_fork(struct mapping_build *build, uint64_t time_ns, uint32_t child, uint32_t parent)
{
	add_start(build,
		  (struct space_start){ .time_ns = time_ns, .thread = child, .parent = parent });
}

void mappings_exec(struct mapping_build *build, uint64_t time_ns, uint32_t thread)
{
	add_start(build, (struct space_start){
				 .time_ns = time_ns, .thread = thread, .parent = MODEL_NO_THREAD });
}

void feed_mapping(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t leader = tid_table_get(&builder->tids, event->mapping.tgid);
	struct model *model = builder->model;
	uint64_t time_ns = 0;

	/* What has mappings is a process. */
	if (leader != MODEL_NO_THREAD && !model->threads[leader].tgid)
		model->threads[leader].tgid = event->mapping.tgid;
	if (event->mapping.true_ns > model->start_ns)
		time_ns = event->mapping.true_ns - model->start_ns;
	mapping_table_add(&model->mappings, time_ns, event);
}

static int compare_starts(const void *a, const void *b)
{
	const struct space_start *first = a, *second = b;

	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void sort_by_time(struct mapping_table *mappings)
{
	size_t *rows = permutation_by(mappings->time_ns, mappings->nr);

	mapping_table_permute(mappings, rows);
	spill_free(rows);
}

static uint32_t add_space(struct space_table *spaces, struct tid_table *last, int32_t tgid,
			  uint64_t start_ns, uint32_t parent)
{
	size_t at = spaces->nr;

	if (column_is_full(at)) {
		GROW(spaces, start_ns);
		GROW(spaces, parent);
		GROW(spaces, before);
	}
	spaces->start_ns[at] = start_ns;
	spaces->parent[at] = parent;
	spaces->before[at] = tid_table_get(last, tgid);
	spaces->nr++;
	tid_table_set(last, tgid, (uint32_t)at);
	return (uint32_t)at;
}

/* The space that @tgid has at the moment; one that was there from the start, if none is known. */
static uint32_t need_space(struct space_table *spaces, struct tid_table *last, int32_t tgid)
{
	uint32_t space = tid_table_get(last, tgid);

	return space == MODEL_NO_SPACE ? add_space(spaces, last, tgid, 0, MODEL_NO_SPACE) : space;
}

/* A thread of unknown process may be a leader. */
static int32_t process_of(const struct model *model, uint32_t thread)
{
	const struct thread *row = &model->threads[thread];

	return tid_is_valid(row->tgid) ? row->tgid : row->tid;
}

static void add_spaces(struct model *model, const struct mapping_build *build,
		       struct tid_table *last)
{
	struct space_table *spaces = &model->spaces;

	for (size_t i = 0; i < build->nr_starts; i++) {
		const struct space_start *start = &build->starts[i];
		uint32_t parent = MODEL_NO_SPACE;
		int32_t tgid = process_of(model, start->thread);

		/*
		 * The space of an earlier process with this pid, or of the program before an exec.
		 */
		need_space(spaces, last, tgid);
		if (start->parent != MODEL_NO_THREAD)
			parent = need_space(spaces, last, process_of(model, start->parent));
		add_space(spaces, last, tgid, start->time_ns, parent);
	}
	for (size_t i = 0; i < model->mappings.nr; i++) {
		if (tid_is_valid(model->mappings.tgid[i]))
			need_space(spaces, last, model->mappings.tgid[i]);
	}
}

/* From @space back to the one that was there at @time_ns; the first one, if none was. */
static uint32_t space_at(const struct space_table *spaces, uint32_t space, uint64_t time_ns)
{
	while (space != MODEL_NO_SPACE && spaces->start_ns[space] > time_ns &&
	       spaces->before[space] != MODEL_NO_SPACE)
		space = spaces->before[space];
	return space;
}

/* Rows are in time order already, and stay so within each space. */
static void hand_out_rows(struct model *model, const struct tid_table *last)
{
	const struct mapping_table *mappings = &model->mappings;
	struct place *places = xcalloc(mappings->nr, sizeof(*places));
	struct space_table *spaces = &model->spaces;
	size_t nr = 0;

	for (size_t i = 0; i < mappings->nr; i++) {
		uint32_t space = tid_table_get(last, mappings->tgid[i]);

		if (space == MODEL_NO_SPACE)
			continue;
		space = space_at(spaces, space, mappings->time_ns[i]);
		places[nr++] = (struct place){ .key = space, .row = i };
	}
	permutation_sort(places, nr);
	spaces->rows = spill_zeroed(nr, sizeof(*spaces->rows));
	spaces->first = spill_zeroed(spaces->nr + 1, sizeof(*spaces->first));
	for (size_t i = 0; i < nr; i++) {
		spaces->rows[i] = places[i].row;
		spaces->first[places[i].key + 1]++;
	}
	for (size_t i = 0; i < spaces->nr; i++)
		spaces->first[i + 1] += spaces->first[i];
	free(places);
}

static void find_spaces(struct model *model, struct mapping_build *build)
{
	struct space_table *spaces = &model->spaces;
	struct tid_table last = { 0 };

	sort_by_time(&model->mappings);
	if (build->nr_starts)
		qsort(build->starts, build->nr_starts, sizeof(*build->starts), compare_starts);
	add_spaces(model, build, &last);
	hand_out_rows(model, &last);
	spaces->of_thread = spill_zeroed(model->nr_threads, sizeof(*spaces->of_thread));
	for (uint32_t i = 0; i < model->nr_threads; i++)
		spaces->of_thread[i] = tid_table_get(&last, process_of(model, i));
	tid_table_free(&last);
}

void mappings_finish(struct model_builder *builder)
{
	if (builder->model->mappings.nr)
		find_spaces(builder->model, &builder->mappings);
	free(builder->mappings.starts);
}

static bool row_holds(const struct mapping_table *mappings, size_t row, uint64_t address)
{
	/* The difference wraps around below the start. */
	return address - mappings->start[row] < mappings->length[row];
}

/* The latest of @space's mappings that was there at @time_ns. */
static size_t find_in_space(const struct model *model, uint32_t space, uint64_t time_ns,
			    uint64_t address)
{
	const struct space_table *spaces = &model->spaces;

	for (size_t i = spaces->first[space + 1]; i > spaces->first[space]; i--) {
		size_t row = spaces->rows[i - 1];

		if (model->mappings.time_ns[row] <= time_ns &&
		    row_holds(&model->mappings, row, address))
			return row;
	}
	return SIZE_MAX;
}

static size_t find_later(const struct model *model, uint32_t space, uint64_t time_ns,
			 uint64_t address)
{
	const struct space_table *spaces = &model->spaces;

	for (size_t i = spaces->first[space]; i < spaces->first[space + 1]; i++) {
		size_t row = spaces->rows[i];

		if (model->mappings.time_ns[row] > time_ns &&
		    row_holds(&model->mappings, row, address))
			return row;
	}
	return SIZE_MAX;
}

/* The function there that the program made. Where memory is used again, the last one's name is left. */
static size_t find_made_function(const struct model *model, uint32_t space, uint64_t address)
{
	const struct space_table *spaces = &model->spaces;
	const struct mapping_table *mappings = &model->mappings;

	for (size_t i = spaces->first[space + 1]; i > spaces->first[space]; i--) {
		size_t row = spaces->rows[i - 1];

		if (mappings->kind[row] == TRACE_MAPPING_OF_FUNCTION &&
		    row_holds(mappings, row, address))
			return row;
	}
	return SIZE_MAX;
}

/* Functions are told when the recording ends, after the memory that they are in. */
static size_t function_in(const struct model *model, uint32_t space, size_t row, uint64_t address)
{
	size_t function = SIZE_MAX;

	if (model->mappings.kind[row] == TRACE_MAPPING_OF_MEMORY)
		function = find_made_function(model, space, address);
	return function == SIZE_MAX ? row : function;
}

uint32_t model_space_at(const struct model *model, uint32_t thread, uint64_t time_ns)
{
	const struct space_table *spaces = &model->spaces;

	return spaces->nr ? space_at(spaces, spaces->of_thread[thread], time_ns) : MODEL_NO_SPACE;
}

size_t model_find_mapping(const struct model *model, uint32_t thread, uint64_t time_ns,
			  uint64_t address)
{
	const struct space_table *spaces = &model->spaces;
	uint64_t upto_ns = time_ns;
	uint32_t own, space;

	if (thread == MODEL_NO_THREAD || !spaces->nr)
		return SIZE_MAX;
	own = space_at(spaces, spaces->of_thread[thread], time_ns);
	for (space = own; space != MODEL_NO_SPACE; space = spaces->parent[space]) {
		size_t row = find_in_space(model, space, upto_ns, address);

		if (row != SIZE_MAX)
			return function_in(model, space, row, address);
		upto_ns = spaces->start_ns[space];
	}
	return own == MODEL_NO_SPACE ? SIZE_MAX : find_later(model, own, time_ns, address);
}

size_t model_find_mapping_below(const struct model *model, uint32_t thread, uint64_t time_ns,
				uint64_t address,
				bool (*wanted)(const struct model *model, size_t row))
{
	const struct space_table *spaces = &model->spaces;
	const uint64_t *start = model->mappings.start;
	size_t found = SIZE_MAX;
	uint32_t space;

	if (thread == MODEL_NO_THREAD || !spaces->nr)
		return SIZE_MAX;
	space = space_at(spaces, spaces->of_thread[thread], time_ns);
	for (; space != MODEL_NO_SPACE; space = spaces->parent[space]) {
		for (size_t i = spaces->first[space]; i < spaces->first[space + 1]; i++) {
			size_t row = spaces->rows[i];

			if (model->mappings.time_ns[row] <= time_ns && start[row] <= address &&
			    (found == SIZE_MAX || start[row] > start[found]) && wanted(model, row))
				found = row;
		}
		time_ns = spaces->start_ns[space];
	}
	return found;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/line_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/events/access_events.h"
#include "model/topology.h"
#include "util/xalloc.h"

#define DEFAULT_LINE_BYTES 64
#define MOST_LINE_BYTES 4096 /* a damaged trace may tell of longer ones: no CPU has such */
/* Larger ones than a few pages are no elements that a loop strides over. */
#define MOST_ELEMENT_BYTES (UINT64_C(1) << 16)
#define MOST_NAMES 4
#define NAME_BYTES 256

/* A sample, of a field of an element. */
struct use {
	uint32_t array;
	uint32_t file;
	uint32_t field;
	uint32_t
		array_path_bytes; /* of the field's path: what is behind these names it in the element */
	uint64_t element_bytes;
	uint64_t start; /* in the element */
	uint64_t bytes;
	uint64_t element_address;
	bool is_store;
	bool is_load;
};

struct line_use_builder {
	const struct model *model;
	bool *is_loads; /* by event: its samples are of all of these */
	bool *is_stores;
	size_t nr;
	size_t capacity;
	struct use *uses;
};

struct line_use_builder *line_use_begin(const struct model *model)
{
	struct line_use_builder *builder = xcalloc(1, sizeof(*builder));

	builder->model = model;
	builder->is_loads = xcalloc(model->nr_pmu_events + 1, sizeof(*builder->is_loads));
	builder->is_stores = xcalloc(model->nr_pmu_events + 1, sizeof(*builder->is_stores));
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];
		const char *name = trace_string(model->trace, event->name);
		bool is_of_all = event->by_ratio && !event->is_filtered;

		builder->is_loads[i] = is_of_all || access_event_is_loads(name);
		builder->is_stores[i] = is_of_all || access_event_is_stores(name);
	}
	return builder;
}

void line_use_add(struct line_use_builder *builder, size_t sample,
		  const struct symbol_location *location)
{
	const struct sample_table *samples = &builder->model->samples;
	uint8_t event = samples->event[sample];

	if ((!builder->is_loads[event] && !builder->is_stores[event]) || !location->has_field ||
	    !location->element_bytes || location->element_bytes > MOST_ELEMENT_BYTES ||
	    location->element_start > location->element_bytes ||
	    location->field_bytes > location->element_bytes - location->element_start)
		return;
	ARRAY_MAKE_ROOM(builder->uses, builder->nr, builder->capacity);
	builder->uses[builder->nr++] = (struct use){
		.array = location->array,
		.file = location->object,
		.field = location->field,
		.array_path_bytes = location->array_path_bytes,
		.element_bytes = location->element_bytes,
		.start = location->element_start,
		.bytes = location->field_bytes,
		.element_address = samples->addr[sample] - location->element_start,
		.is_load = builder->is_loads[event],
		.is_store = builder->is_stores[event],
	};
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_arrays(const struct use *first, const struct use *second)
{
	int order = compare_numbers(first->array, second->array);

	if (!order)
		order = compare_numbers(first->file, second->file);
	return order ? order : compare_numbers(first->element_bytes, second->element_bytes);
}

static int compare_uses(const void *a, const void *b)
{
	const struct use *first = a, *second = b;
	int order = compare_arrays(first, second);

	if (!order)
		order = compare_numbers(first->start, second->start);
	return order ? order : compare_numbers(first->bytes, second->bytes);
}

/*
 * The mean of used bytes in lines that have any: over as many elements as it takes until they begin in a line where the
 * first did.
 */
static double mean_in_lines(const bool *is_used, uint64_t element_bytes, uint64_t first_address,
			    uint32_t line_bytes)
{
	uint64_t nr_elements = 1, nr_used = 0, nr_fetched = 0, nr_lines;
	uint32_t *used;

	/* A line has a power of two of bytes. */
	while (nr_elements * element_bytes % line_bytes)
		nr_elements *= 2;
	nr_lines = nr_elements * element_bytes / line_bytes;
	used = xcalloc(nr_lines, sizeof(*used));
	for (uint64_t i = 0; i < nr_elements * element_bytes; i++) {
		if (is_used[i % element_bytes])
			used[(first_address % line_bytes + i) / line_bytes % nr_lines]++;
	}
	for (uint64_t line = 0; line < nr_lines; line++) {
		nr_used += used[line];
		nr_fetched += used[line] > 0;
	}
	free(used);
	return nr_fetched ? (double)nr_used / (double)nr_fetched : 0;
}

/* Blocks of an allocator begin anywhere in a line: by where each sample's element does. */
static double mean_of_uses(const bool *is_used, const struct use *uses, size_t nr,
			   uint32_t line_bytes)
{
	double *means = xcalloc(line_bytes, sizeof(*means)), sum = 0;

	for (size_t i = 0; i < nr; i++) {
		uint64_t place = uses[i].element_address % line_bytes;

		if (!means[place])
			means[place] = mean_in_lines(is_used, uses->element_bytes, place,
						     line_bytes);
		sum += means[place];
	}
	free(means);
	return sum / (double)nr;
}

/* The part of a path that names the field in its element, without the indices of inner arrays: ".b[].c" of "[3].b[1].c". */
static void name_field(const char *path, char name[NAME_BYTES])
{
	size_t length = 0;

	while (*path == '[')
		path += strcspn(path, "]") + 1;
	while (*path && length < NAME_BYTES - 1) {
		name[length++] = *path++;
		if (name[length - 1] == '[')
			path += strspn(path, "-0123456789");
	}
	name[length] = '\0';
}

/* What an array's samples are of: the fields that have the most of them. */
struct named_field {
	char name[NAME_BYTES];
	uint64_t nr;
};

static int compare_named(const void *a, const void *b)
{
	const struct named_field *first = a, *second = b;
	int order = compare_numbers(second->nr, first->nr);

	return order ? order : strcmp(first->name, second->name);
}

static void count_name(struct named_field *fields, size_t *nr, const char *name)
{
	size_t at = 0;

	while (at < *nr && strcmp(fields[at].name, name))
		at++;
	if (at == *nr)
		snprintf(fields[(*nr)++].name, NAME_BYTES, "%s", name);
	fields[at].nr++;
}

/* One for each kind of use: not many, as a structure has not many fields. */
static uint32_t name_fields(const struct line_use_builder *builder, const struct use *uses,
			    size_t nr_uses, size_t nr_kinds)
{
	struct trace *trace = builder->model->trace;
	struct named_field *fields = xcalloc(nr_kinds + 1, sizeof(*fields));
	char text[MOST_NAMES * (NAME_BYTES + 16)] = "", name[NAME_BYTES];
	size_t nr = 0, length = 0;

	for (size_t i = 0; i < nr_uses; i++) {
		name_field(trace_string(trace, uses[i].field) + uses[i].array_path_bytes, name);
		count_name(fields, &nr, name);
	}
	qsort(fields, nr, sizeof(*fields), compare_named);
	for (size_t i = 0; i < nr && i < MOST_NAMES; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s %.0f %%",
					   i ? ", " : "", fields[i].name,
					   100 * (double)fields[i].nr / (double)nr_uses);
	if (nr > MOST_NAMES)
		snprintf(text + length, sizeof(text) - length, ", ...");
	free(fields);
	return trace_intern(trace, text);
}

static uint32_t line_bytes_of(const struct model *model)
{
	uint32_t bytes = topology_line_bytes(&model->topology, DEFAULT_LINE_BYTES);

	return bytes <= MOST_LINE_BYTES ? bytes : DEFAULT_LINE_BYTES;
}

/* Of @uses, which are all of one array. */
static struct line_use describe(const struct line_use_builder *builder, const struct use *uses,
				size_t nr)
{
	struct line_use row = {
		.array = uses->array,
		.file = uses->file,
		.element_bytes = uses->element_bytes,
		.line_bytes = line_bytes_of(builder->model),
		.nr_samples = nr,
		.unseen_share = 3 / (double)nr,
	};
	bool *is_used = xcalloc(uses->element_bytes, sizeof(*is_used));
	size_t nr_kinds = 0;

	for (size_t i = 0; i < nr; i++) {
		row.has_loads |= uses[i].is_load;
		row.has_stores |= uses[i].is_store;
		if (i && !compare_uses(&uses[i - 1], &uses[i]))
			continue;
		nr_kinds++;
		memset(is_used + uses[i].start, true, uses[i].bytes);
	}
	for (uint64_t i = 0; i < row.element_bytes; i++)
		row.used_bytes += is_used[i];
	row.used_line_bytes = mean_of_uses(is_used, uses, nr, row.line_bytes);
	row.fields = name_fields(builder, uses, nr, nr_kinds);
	free(is_used);
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct line_use *first = a, *second = b;
	int order = compare_numbers(second->nr_samples, first->nr_samples);

	return order ? order : compare_numbers(first->array, second->array);
}

static void free_builder(struct line_use_builder *builder)
{
	free(builder->is_loads);
	free(builder->is_stores);
	free(builder->uses);
	free(builder);
}

struct line_uses line_use_end(struct line_use_builder *builder)
{
	struct line_uses result = { 0 };

	if (builder->nr)
		qsort(builder->uses, builder->nr, sizeof(*builder->uses), compare_uses);
	result.rows = xcalloc(builder->nr / LINE_USE_LEAST_SAMPLES + 1, sizeof(*result.rows));
	for (size_t first = 0, end; first < builder->nr; first = end) {
		end = first + 1;
		while (end < builder->nr &&
		       !compare_arrays(&builder->uses[first], &builder->uses[end]))
			end++;
		if (end - first >= LINE_USE_LEAST_SAMPLES)
			result.rows[result.nr++] = describe(builder, &builder->uses[first],
							    end - first);
	}
	qsort(result.rows, result.nr, sizeof(*result.rows), compare_rows);
	free_builder(builder);
	return result;
}

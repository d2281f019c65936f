// SPDX-License-Identifier: GPL-2.0
#include "symbols/sample_pages.h"

#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "model/memory/mappings.h"
#include "model/threads/tids.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

#define MOST_LIVE \
	4096 /* mappings of a process: annot record tells less; a made-up trace may not cost hours */

/* A sample or a reading. */
struct moment {
	uint32_t space;
	uint64_t time_ns;
	size_t row;
};

struct moment_list {
	size_t nr;
	size_t capacity;
	struct moment *moments;
};

/* What is known of an address space, by address; no two overlap. */
struct live_pages {
	const struct page_reading_table *readings;
	size_t nr;
	size_t *rows;
};

static void add_moment(struct moment_list *list, uint32_t space, uint64_t time_ns, size_t row)
{
	if (space == MODEL_NO_SPACE)
		return;
	ARRAY_MAKE_ROOM(list->moments, list->nr, list->capacity);
	list->moments[list->nr++] = (struct moment){ space, time_ns, row };
}

static int compare_moments(const void *a, const void *b)
{
	const struct moment *first = a, *second = b;

	if (first->space != second->space)
		return first->space < second->space ? -1 : 1;
	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

static void sort_moments(struct moment_list *list)
{
	if (list->nr)
		qsort(list->moments, list->nr, sizeof(*list->moments), compare_moments);
}

/* Which thread has the spaces of a process: any of its own. */
static struct tid_table threads_of_processes(const struct model *model)
{
	struct tid_table threads = { 0 };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];
		int32_t tgid = tid_is_valid(thread->tgid) ? thread->tgid : thread->tid;

		tid_table_set(&threads, tgid, i);
	}
	return threads;
}

static struct moment_list list_readings(const struct model *model)
{
	const struct page_reading_table *readings = &model->page_readings;
	struct tid_table threads = threads_of_processes(model);
	struct moment_list list = { 0 };

	for (size_t row = 0; row < readings->nr; row++) {
		uint32_t thread = tid_table_get(&threads, readings->tgid[row]);
		uint64_t time_ns = readings->time_ns[row];

		if (thread != MODEL_NO_THREAD)
			add_moment(&list, model_space_at(model, thread, time_ns), time_ns, row);
	}
	tid_table_free(&threads);
	sort_moments(&list);
	return list;
}

static struct moment_list list_samples(const struct model *model)
{
	const struct sample_table *samples = &model->samples;
	struct moment_list list = { 0 };

	for (size_t row = 0; row < samples->nr; row++) {
		uint32_t thread = samples->thread[row];
		uint64_t time_ns = samples->time_ns[row];

		if (thread != MODEL_NO_THREAD && samples->has[row] & ANNOT_SAMPLE_HAS_ADDR)
			add_moment(&list, model_space_at(model, thread, time_ns), time_ns, row);
	}
	sort_moments(&list);
	return list;
}

static uint64_t last_of(const struct live_pages *live, size_t at)
{
	size_t row = live->rows[at];

	return live->readings->start[row] + (live->readings->length[row] - 1);
}

/* The first that ends at @address or behind it. */
static size_t find_place(const struct live_pages *live, uint64_t address)
{
	return LOWER_BOUND(at, 0, live->nr, last_of(live, at) < address);
}

static void take_reading(struct live_pages *live, size_t row)
{
	uint64_t start = live->readings->start[row], length = live->readings->length[row];
	size_t from, to, nr_new = live->readings->resident_bytes[row] > 0;

	if (!length)
		return;
	from = find_place(live, start);
	to = from;
	while (to < live->nr && live->readings->start[live->rows[to]] <= start + (length - 1))
		to++;
	if (live->nr - (to - from) + nr_new > MOST_LIVE)
		return;
	memmove(live->rows + from + nr_new, live->rows + to, (live->nr - to) * sizeof(*live->rows));
	live->nr = live->nr - (to - from) + nr_new;
	if (nr_new)
		live->rows[from] = row;
}

static uint32_t find_row(const struct live_pages *live, uint64_t address)
{
	size_t at = find_place(live, address);

	if (at == live->nr || live->readings->start[live->rows[at]] > address)
		return 0;
	return (uint32_t)(live->rows[at] + 1);
}

/* Those of a space, from @at on. */
static size_t end_of_space(const struct moment_list *list, size_t at, uint32_t space)
{
	while (at < list->nr && list->moments[at].space == space)
		at++;
	return at;
}

static void fill_space(const struct model *model, struct live_pages *live,
		       const struct moment *readings, size_t nr_readings,
		       const struct moment *samples, size_t nr_samples, uint32_t *found)
{
	size_t next = 0, taken = 0;

	live->nr = 0;
	for (size_t i = 0; i < nr_samples; i++) {
		while (next < nr_readings && readings[next].time_ns < samples[i].time_ns)
			next++;
		for (; taken < nr_readings &&
		       (taken < next || readings[taken].time_ns == readings[next].time_ns);
		     taken++)
			take_reading(live, readings[taken].row);
		found[samples[i].row] = find_row(live, model->samples.addr[samples[i].row]);
	}
}

static void fill(const struct model *model, const struct moment_list *readings,
		 const struct moment_list *samples, uint32_t *found)
{
	struct live_pages live = {
		.readings = &model->page_readings,
		.rows = xcalloc(MOST_LIVE, sizeof(*live.rows)),
	};
	size_t reading = 0, sample = 0;

	while (reading < readings->nr && sample < samples->nr) {
		uint32_t space = readings->moments[reading].space;
		size_t reading_end = end_of_space(readings, reading, space), sample_end;

		while (sample < samples->nr && samples->moments[sample].space < space)
			sample++;
		sample_end = end_of_space(samples, sample, space);
		fill_space(model, &live, readings->moments + reading, reading_end - reading,
			   samples->moments + sample, sample_end - sample, found);
		reading = reading_end;
		sample = sample_end;
	}
	free(live.rows);
}

uint32_t *sample_pages_find(const struct model *model)
{
	struct moment_list readings, samples;
	uint32_t *found;

	if (!model->page_readings.nr || !model->samples.nr)
		return NULL;
	found = xcalloc(model->samples.nr, sizeof(*found));
	readings = list_readings(model);
	samples = list_samples(model);
	fill(model, &readings, &samples, found);
	free(readings.moments);
	free(samples.moments);
	return found;
}

// SPDX-License-Identifier: GPL-2.0
#include "report/samples/task_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/events/miss_level.h"
#include "analysis/memory/data_level.h"
#include "report/samples/address_label.h"
#include "report/samples/task_pages.h"
#include "report/samples/task_samples.h"
#include "symbols/data_owner.h"
#include "util/xalloc.h"

#define LEAST_SAMPLES 10
#define LEAST_SHARE 0.05
#define MOST_NAMES 3
#define MAX_NAME_BYTES 40

struct label_count {
	uint32_t label; /* string id */
	double count;
};

struct label_counts {
	size_t nr;
	size_t capacity;
	struct label_count *rows;
	double all; /* of samples without a name, too */
};

static bool is_of_time(const struct model *model, size_t event)
{
	const char *name = trace_string(model->trace, model->pmu_events[event].name);

	return model->pmu_events[event].is_clock || !strncmp(name, "cycles", strlen("cycles")) ||
	       !strncmp(name, "cpu-cycles", strlen("cpu-cycles"));
}

static bool is_wanted(const struct model *model, size_t sample,
		      const struct task_places_choice *choice)
{
	size_t event = model->samples.event[sample];

	if (choice->of == PLACES_OF_EVENT)
		return event == choice->event;
	if (choice->of == PLACES_OF_TIME)
		return is_of_time(model, event);
	if (model->pmu_events[event].by_ratio)
		return model->samples.has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC &&
		       data_level_is_beyond_l1(model->samples.data_src[sample]);
	return miss_level_of_event(model, event) != MISS_NONE;
}

/* Keeps the samples of the event that has most; returns which that is. */
static size_t keep_one_event(const struct model *model, struct task_samples *list,
			     const struct task_places_choice *choice)
{
	uint64_t *nr_of = xcalloc(model->nr_pmu_events + 1, sizeof(*nr_of));
	size_t event = 0, nr = 0;

	for (size_t i = 0; i < list->nr; i++)
		nr_of[model->samples.event[list->rows[i]]] += is_wanted(model, list->rows[i],
									choice);
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (nr_of[i] > nr_of[event])
			event = i;
	}
	for (size_t i = 0; i < list->nr; i++) {
		size_t sample = list->rows[i];

		if (model->samples.event[sample] == event && is_wanted(model, sample, choice))
			list->rows[nr++] = sample;
	}
	list->nr = nr;
	free(nr_of);
	return event;
}

static void count_label(struct label_counts *counts, uint32_t label, double period)
{
	size_t at = 0;

	counts->all += period;
	if (label == TRACE_NO_STRING)
		return;
	while (at < counts->nr && counts->rows[at].label != label)
		at++;
	if (at == counts->nr) {
		ARRAY_MAKE_ROOM(counts->rows, counts->nr, counts->capacity);
		counts->rows[counts->nr++] = (struct label_count){ .label = label };
	}
	counts->rows[at].count += period;
}

/* The line, else the function. */
static uint32_t label_of_code(struct symbols *symbols, size_t sample)
{
	struct symbol_location place = symbols_of_code(symbols, sample, true);

	if (place.line != TRACE_NO_STRING)
		return place.line;
	return place.known ? place.symbol : TRACE_NO_STRING;
}

static uint32_t label_of_data(const struct model *model, const struct data_owners *owners,
			      size_t sample)
{
	struct data_owner owner;

	if (!(model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR))
		return TRACE_NO_STRING;
	owner = data_owner_of(owners, sample);
	return owner.kind == OWNER_UNKNOWN ? TRACE_NO_STRING : owner.name;
}

static int compare_counts(const void *a, const void *b)
{
	const struct label_count *first = a, *second = b;

	if (first->count != second->count)
		return first->count > second->count ? -1 : 1;
	return first->label < second->label ? -1 : first->label > second->label;
}

/* @before, the labels with most, and their shares; or nothing. */
static void say_labels(const struct model *model, struct label_counts *counts, const char *before,
		       FILE *out)
{
	if (counts->nr)
		qsort(counts->rows, counts->nr, sizeof(*counts->rows), compare_counts);
	for (size_t i = 0; i < counts->nr && i < MOST_NAMES; i++) {
		double share = counts->rows[i].count / counts->all;

		if (share < LEAST_SHARE)
			return;
		fprintf(out, "%s%.*s (%.0f %%)", i ? ", " : before, MAX_NAME_BYTES,
			trace_string(model->trace, counts->rows[i].label), 100 * share);
	}
}

static void say_places(const struct model *model, struct symbols *symbols,
		       const struct task_samples *list, size_t event, FILE *out)
{
	struct data_owners *owners = data_owners_new(model, symbols);
	struct label_counts code = { 0 }, data = { 0 };
	char before[64];

	for (size_t i = 0; i < list->nr; i++) {
		double period = (double)model->samples.period[list->rows[i]];

		count_label(&code, label_of_code(symbols, list->rows[i]), period);
		count_label(&data, label_of_data(model, owners, list->rows[i]), period);
	}
	snprintf(before, sizeof(before), "%.40s at ",
		 trace_string(model->trace, model->pmu_events[event].name));
	say_labels(model, &code, before, out);
	say_labels(model, &data, code.nr ? "; of " : "", out);
	data_owners_free(owners);
	free(code.rows);
	free(data.rows);
}

struct task_places task_places_of(const struct model *model, const struct task_stats *stats,
				  struct symbols *symbols, const struct task_places_choice *choice)
{
	struct task_places places = { "" };
	struct task_samples list;
	size_t event;
	FILE *out;

	if (!symbols)
		return places;
	list = task_samples_of(model, stats, choice->task);
	event = keep_one_event(model, &list, choice);
	out = list.nr >= LEAST_SAMPLES ? fmemopen(places.text, sizeof(places.text), "w") : NULL;
	if (out) {
		say_places(model, symbols, &list, event, out);
		fclose(out);
	}
	free(list.rows);
	return places;
}

static enum task_places_of places_of(const struct places_question *question)
{
	if (question->event != NO_EVENT)
		return PLACES_OF_EVENT;
	return question->kind == FINDING_MEMORY_BOUND ? PLACES_OF_MISSES : PLACES_OF_TIME;
}

/* Of what is walked for through page tables. */
static struct task_pages pages_of(const struct analyses *analyses, struct symbols *symbols,
				  const struct places_question *question)
{
	if (question->kind != FINDING_PAGE_WALKS)
		return (struct task_pages){ "" };
	return task_pages_of(analyses->model, analyses->stats, symbols, question->task);
}

void task_places_say(const void *context, const struct places_question *question, char *text,
		     size_t size)
{
	const struct analyses *analyses = context;
	const struct task_places_choice choice = {
		.task = question->task,
		.of = places_of(question),
		.event = question->event,
	};
	struct symbols *symbols = NULL;
	struct task_places places;
	struct task_pages pages;

	if (analyses->model->samples.nr)
		symbols = address_label_symbols(analyses);
	places = task_places_of(analyses->model, analyses->stats, symbols, &choice);
	pages = pages_of(analyses, symbols, question);
	snprintf(text, size, "%s%s%s", places.text, *places.text && *pages.text ? "; " : "",
		 pages.text);
}

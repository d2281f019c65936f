// SPDX-License-Identifier: GPL-2.0
#include "report/samples/samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/base/by_thread.h"
#include "analysis/tasks/span_walk.h"
#include "report/samples/sample_fields.h"
#include "symbols/data/live_objects.h"
#include "util/text/text.h"
#include "util/xalloc.h"

/* Registers stand behind the columns: the first is number NR_SAMPLE_FIELDS. */
static bool is_register(int column)
{
	return column >= NR_SAMPLE_FIELDS;
}

static size_t nr_registers(const struct model *model)
{
	const struct sample_table *samples = &model->samples;
	size_t most = 0;

	for (size_t i = 0; i < samples->nr; i++) {
		size_t nr = samples->first_reg[i + 1] - samples->first_reg[i];

		most = nr > most ? nr : most;
	}
	return most;
}

static void column_name(const struct model *model, int column, char name[REGISTER_NAME_BYTES + 1])
{
	if (!is_register(column)) {
		snprintf(name, REGISTER_NAME_BYTES + 1, "%s", sample_column_names()[column]);
		return;
	}
	name[0] = '%';
	register_name(trace_info(model->trace)->machine, (size_t)(column - NR_SAMPLE_FIELDS),
		      name + 1);
}

static int add_column(struct sample_columns *columns, int column)
{
	if (columns->nr == SAMPLES_MAX_COLUMNS)
		return -1;
	columns->columns[columns->nr++] = column;
	return 0;
}

/* All of them, or that of this name. */
static int add_registers(struct sample_columns *columns, const struct model *model,
			 const char *wanted)
{
	size_t nr = nr_registers(model);
	int found = wanted ? -1 : 0;

	for (size_t i = 0; i < nr; i++) {
		char name[REGISTER_NAME_BYTES + 1];

		column_name(model, NR_SAMPLE_FIELDS + (int)i, name);
		if (wanted && strcmp(name, wanted))
			continue;
		found = add_column(columns, NR_SAMPLE_FIELDS + (int)i);
	}
	return found;
}

int sample_columns_add(struct sample_columns *columns, const struct model *model, const char *name)
{
	const char *const *names = sample_column_names();

	if (!strcmp(name, "regs"))
		return add_registers(columns, model, NULL);
	for (int i = 0; names[i]; i++) {
		if (!strcmp(names[i], name))
			return add_column(columns, i);
	}
	return add_registers(columns, model, name);
}

/* Whether any sample has what the bit stands for. */
static bool any_has(const struct model *model, uint8_t bit)
{
	for (size_t i = 0; i < model->samples.nr; i++) {
		if (model->samples.has[i] & bit)
			return true;
	}
	return false;
}

static bool any_spans(const struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].spans.nr)
			return true;
	}
	return false;
}

void sample_columns_add_default(struct sample_columns *columns, const struct model *model)
{
	static const enum sample_field always[] = {
		SAMPLE_FIELD_TIME,  SAMPLE_FIELD_CPU, SAMPLE_FIELD_TID,	   SAMPLE_FIELD_COMM,
		SAMPLE_FIELD_EVENT, SAMPLE_FIELD_IP,  SAMPLE_FIELD_SYMBOL, SAMPLE_FIELD_OBJECT,
	};

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		add_column(columns, always[i]);
	if (any_has(model, ANNOT_SAMPLE_HAS_ADDR))
		add_column(columns, SAMPLE_FIELD_ADDR);
	if (any_has(model, ANNOT_SAMPLE_HAS_WEIGHT))
		add_column(columns, SAMPLE_FIELD_WEIGHT);
	if (any_has(model, ANNOT_SAMPLE_HAS_DATA_SRC))
		add_column(columns, SAMPLE_FIELD_SOURCE);
	if (any_spans(model))
		add_column(columns, SAMPLE_FIELD_TASK);
}

static bool has_column(const struct sample_columns *columns, enum sample_field field)
{
	for (size_t i = 0; i < columns->nr; i++) {
		if (columns->columns[i] == (int)field)
			return true;
	}
	return false;
}

static bool is_named_span_open(const struct span_walk *walk, const char *name)
{
	const struct span_table *spans = &walk->model->threads[walk->thread].spans;

	for (size_t i = 0; i < walk->nr_open; i++) {
		uint32_t id = spans->name[walk->open[i].span];

		if (!strcmp(trace_string(walk->model->trace, id), name))
			return true;
	}
	return false;
}

/* Of each sample, whether a span of that name was open. free() it. */
static bool *find_inside(const struct model *model, const char *task)
{
	const struct sample_table *samples = &model->samples;
	struct by_thread by = by_thread_group(model, samples->thread, samples->nr);
	bool *inside = xcalloc(samples->nr, sizeof(*inside));
	struct span_walk walk;

	span_walk_init(&walk, model, NULL);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		span_walk_start(&walk, thread);
		for (size_t i = by.first[thread]; i < by.first[thread + 1]; i++) {
			span_walk_to(&walk, samples->time_ns[by.rows[i]]);
			inside[by.rows[i]] = is_named_span_open(&walk, task);
		}
	}
	span_walk_free(&walk);
	by_thread_free(&by);
	return inside;
}

bool samples_thread_is(const struct model *model, uint32_t thread, const char *wanted)
{
	char tid[16];

	if (thread == MODEL_NO_THREAD)
		return !strcmp(wanted, "0");
	snprintf(tid, sizeof(tid), "%" PRId32, model->threads[thread].tid);
	return !strcmp(tid, wanted) ||
	       !strcmp(trace_string(model->trace, model->threads[thread].comm), wanted);
}

static bool of_session(const struct model *model, size_t sample)
{
	uint32_t thread = model->samples.thread[sample];

	return thread != MODEL_NO_THREAD && model->threads[thread].in_session;
}

static bool passes_filter(const struct model *model, const struct sample_filter *filter,
			  const bool *inside, size_t sample)
{
	const struct sample_table *samples = &model->samples;
	uint32_t event = model->pmu_events[samples->event[sample]].name;

	if (samples->time_ns[sample] < filter->from_ns || samples->time_ns[sample] >= filter->to_ns)
		return false;
	if (filter->event && strcmp(trace_string(model->trace, event), filter->event))
		return false;
	if (filter->thread && !samples_thread_is(model, samples->thread[sample], filter->thread))
		return false;
	return !inside || inside[sample];
}

/* Those to be printed, in time order. free() them. */
static size_t *select_samples(const struct model *model, const struct sample_filter *filter,
			      size_t *nr, int64_t *nr_left_out)
{
	size_t *selected = xcalloc(model->samples.nr, sizeof(*selected));
	bool *inside = filter->task ? find_inside(model, filter->task) : NULL;

	*nr = 0;
	*nr_left_out = 0;
	for (size_t i = 0; i < model->samples.nr; i++) {
		if (!passes_filter(model, filter, inside, i))
			continue;
		if (filter->all_threads || of_session(model, i))
			selected[(*nr)++] = i;
		else
			(*nr_left_out)++;
	}
	free(inside);
	return selected;
}

static void field_text(const struct sample_printer *printer, int column, size_t sample, char *text)
{
	if (is_register(column))
		sample_register_text(printer, (size_t)(column - NR_SAMPLE_FIELDS), sample, text);
	else
		sample_field_text(printer, (enum sample_field)column, sample, text);
}

static void find_widths(const struct sample_printer *printer, const struct sample_columns *columns,
			const size_t *selected, size_t nr, int widths[SAMPLES_MAX_COLUMNS])
{
	for (size_t i = 0; i < columns->nr; i++) {
		char text[SAMPLE_FIELD_BYTES], name[REGISTER_NAME_BYTES + 1];

		column_name(printer->model, columns->columns[i], name);
		widths[i] = (int)strlen(name);
		for (size_t j = 0; j < nr; j++) {
			int width;

			field_text(printer, columns->columns[i], selected[j], text);
			width = text_columns(text);
			widths[i] = width > widths[i] ? width : widths[i];
		}
	}
}

/* Numbers to the right; names to the left, and nothing behind the last. */
static void print_field(FILE *out, const char *text, int width, bool is_left, bool is_last)
{
	int pad = width - text_columns(text);

	if (!is_left)
		fprintf(out, "%*s", pad, "");
	fputs(text, out);
	if (is_left && !is_last)
		fprintf(out, "%*s", pad, "");
	fputc(is_last ? '\n' : ' ', out);
}

static bool column_is_left(int column)
{
	return !is_register(column) && sample_field_is_name((enum sample_field)column);
}

static void print_lines(const struct sample_printer *printer, const struct sample_columns *columns,
			const size_t *selected, size_t nr, FILE *out)
{
	int widths[SAMPLES_MAX_COLUMNS];
	char text[SAMPLE_FIELD_BYTES];

	find_widths(printer, columns, selected, nr, widths);
	for (size_t i = 0; i < columns->nr; i++) {
		column_name(printer->model, columns->columns[i], text);
		print_field(out, text, widths[i], column_is_left(columns->columns[i]),
			    i + 1 == columns->nr);
	}
	for (size_t j = 0; j < nr; j++) {
		for (size_t i = 0; i < columns->nr; i++) {
			field_text(printer, columns->columns[i], selected[j], text);
			print_field(out, text, widths[i], column_is_left(columns->columns[i]),
				    i + 1 == columns->nr);
		}
	}
}

int64_t samples_print(const struct model *model, const struct sample_columns *columns,
		      const struct sample_filter *filter, FILE *out)
{
	struct sample_printer printer = { .model = model };
	int64_t nr_left_out;
	size_t *selected, nr;

	if (has_column(columns, SAMPLE_FIELD_SYMBOL) || has_column(columns, SAMPLE_FIELD_OBJECT) ||
	    has_column(columns, SAMPLE_FIELD_LINE) || has_column(columns, SAMPLE_FIELD_DATA)) {
		printer.symbols = symbols_new(model);
		if (!printer.symbols)
			return -1;
	}
	if (has_column(columns, SAMPLE_FIELD_TASK))
		printer.spans = span_walk_innermost(model);
	if (has_column(columns, SAMPLE_FIELD_DATA))
		printer.objects = live_objects_of_samples(model, LIVE_ALL);
	selected = select_samples(model, filter, &nr, &nr_left_out);
	print_lines(&printer, columns, selected, nr, out);
	free(selected);
	free(printer.spans);
	free(printer.objects);
	symbols_free(printer.symbols);
	return nr_left_out;
}

// SPDX-License-Identifier: GPL-2.0
#include "model/event_rows.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/window/clip.h"
#include "model/window/table_copy.h"
#include "util/string_table.h"
#include "util/xalloc.h"

#define NR_TYPES 65536

/*
 * So many times the rows that there may be are kept until it is known which types have the fewest. Only
 * when even that is not enough, the type that has the most so far is given up early.
 */
#define KEPT_FOR_EACH_ROW 4

enum event_fate {
	FATE_NOT_KNOWN,
	FATE_ROW, /* they become rows */
	FATE_KEPT, /* they are kept until the end tells */
	FATE_LEFT_OUT,
};

struct event_type {
	uint64_t nr;
	uint32_t name; /* string id; of FATE_ROW */
	uint8_t fate; /* enum event_fate */
};

/* An event whose fate is not known yet. */
struct kept_event {
	uint64_t time_ns; /* since the model's start */
	uint64_t recorded_ns; /* on the trace's clock */
	uint32_t thread;
	uint32_t nr_bytes;
	size_t first_byte; /* in `bytes` */
	int16_t cpu;
	uint16_t type;
};

struct event_rows {
	const struct event_source *source;
	struct event_type *types;
	size_t nr_kept;
	size_t kept_capacity;
	struct kept_event *kept;
	size_t nr_bytes; /* of the records that are kept */
	size_t bytes_capacity;
	uint8_t *bytes;
	struct event_table *printed; /* whose texts come now */
	size_t nr_printed; /* its rows that have theirs */
};

struct event_rows *event_rows_new(const struct event_source *source)
{
	struct event_rows *rows = xcalloc(1, sizeof(*rows));

	rows->source = source;
	rows->types = xcalloc(NR_TYPES, sizeof(*rows->types));
	return rows;
}

void event_rows_free(struct event_rows *rows)
{
	if (!rows)
		return;
	free(rows->types);
	free(rows->kept);
	free(rows->bytes);
	free(rows);
}

static void need_texts(struct event_table *table)
{
	if (!table->texts)
		table->texts = string_table_new();
}

static uint32_t intern_cut_text(struct event_table *table, const char *text)
{
	static const char more[] = "...";
	char cut[EVENT_MOST_TEXT_BYTES + sizeof(more)];
	size_t nr_bytes = strlen(text);

	if (nr_bytes <= EVENT_MOST_TEXT_BYTES)
		return string_table_intern(table->texts, text, nr_bytes);
	nr_bytes = EVENT_MOST_TEXT_BYTES;
	/* Not within a character of several bytes. */
	while (nr_bytes && ((unsigned char)text[nr_bytes] & 0xc0) == 0x80)
		nr_bytes--;
	memcpy(cut, text, nr_bytes);
	memcpy(cut + nr_bytes, more, sizeof(more));
	return string_table_intern(table->texts, cut, nr_bytes + strlen(more));
}

static void take_text(void *taker, const char *text)
{
	struct event_rows *rows = taker;

	if (rows->nr_printed == rows->printed->nr)
		return;
	rows->printed->text[rows->nr_printed] = intern_cut_text(rows->printed, text);
	rows->nr_printed++;
}

static void print_rows(struct event_rows *rows)
{
	if (rows->printed && rows->nr_printed < rows->printed->nr)
		rows->source->flush(rows->source->context, take_text, rows);
}

static void add_row(struct event_rows *rows, const struct event_row *row, uint64_t recorded_ns,
		    const struct trace_record *record)
{
	need_texts(rows->printed);
	event_table_add(rows->printed, row);
	if (rows->source->add(rows->source->context, recorded_ns, row->cpu, record))
		print_rows(rows);
}

/* The records that stay move together. */
static void drop_type(struct event_rows *rows, uint16_t type)
{
	size_t nr_kept = 0, nr_bytes = 0;

	for (size_t i = 0; i < rows->nr_kept; i++) {
		struct kept_event kept = rows->kept[i];

		if (kept.type == type)
			continue;
		memmove(rows->bytes + nr_bytes, rows->bytes + kept.first_byte, kept.nr_bytes);
		kept.first_byte = nr_bytes;
		nr_bytes += kept.nr_bytes;
		rows->kept[nr_kept++] = kept;
	}
	rows->nr_kept = nr_kept;
	rows->nr_bytes = nr_bytes;
	rows->types[type].fate = FATE_LEFT_OUT;
}

static void give_up_one(struct event_rows *rows)
{
	size_t most = NR_TYPES;

	for (size_t type = 0; type < NR_TYPES; type++) {
		if (rows->types[type].fate == FATE_KEPT &&
		    (most == NR_TYPES || rows->types[type].nr > rows->types[most].nr))
			most = type;
	}
	drop_type(rows, (uint16_t)most);
}

static void keep_bytes(struct event_rows *rows, const struct trace_record *record)
{
	size_t nr_bytes = rows->nr_bytes + record->size;

	if (nr_bytes > rows->bytes_capacity) {
		rows->bytes_capacity = grown_capacity(rows->bytes_capacity, nr_bytes);
		rows->bytes = xrealloc_array(rows->bytes, rows->bytes_capacity, 1);
	}
	memcpy(rows->bytes + rows->nr_bytes, record->data, record->size);
	rows->nr_bytes = nr_bytes;
}

static void keep_event(struct event_rows *rows, const struct event_row *row,
		       const struct trace_event *event, const struct trace_record *record)
{
	ARRAY_MAKE_ROOM(rows->kept, rows->nr_kept, rows->kept_capacity);
	rows->kept[rows->nr_kept++] = (struct kept_event){
		.time_ns = row->time_ns,
		.recorded_ns = event->time_ns,
		.thread = row->thread,
		.nr_bytes = record->size,
		.first_byte = rows->nr_bytes,
		.cpu = row->cpu,
		.type = event->other.type,
	};
	keep_bytes(rows, record);
	if (rows->nr_kept / KEPT_FOR_EACH_ROW >= rows->source->most_rows)
		give_up_one(rows);
}

static enum event_fate first_fate(struct event_rows *rows, uint16_t type)
{
	const struct event_source *source = rows->source;

	if (!source->most_rows || !source->is_wanted(source->context, type))
		return FATE_LEFT_OUT;
	if (source->most_rows != UINT64_MAX)
		return FATE_KEPT;
	rows->types[type].name = source->name(source->context, type);
	return FATE_ROW;
}

static bool is_in_clip(const struct clip *clip, uint64_t time_ns, uint32_t thread, int cpu)
{
	return clip_has(clip, time_ns, time_ns) && clip_wants_cpu(clip, cpu) &&
	       clip_wants_runner(clip, thread);
}

void event_rows_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct event_rows *rows = builder->event_rows;
	struct event_type *type = &rows->types[event->other.type];
	struct event_row row = { .time_ns = builder->now_ns, .cpu = (int16_t)event->cpu };
	struct trace_record record;

	/* The usual, at once. */
	if (type->fate == FATE_LEFT_OUT && !rows->source->clip) {
		type->nr++;
		return;
	}
	row.thread = tid_table_get(&builder->tids, event->tid);
	if (rows->source->clip &&
	    !is_in_clip(rows->source->clip, row.time_ns, row.thread, event->cpu))
		return;
	type->nr++;
	if (type->fate == FATE_NOT_KNOWN)
		type->fate = (uint8_t)first_fate(rows, event->other.type);
	if (type->fate == FATE_LEFT_OUT || !rows->source->record(rows->source->context, &record))
		return;
	if (type->fate == FATE_KEPT) {
		keep_event(rows, &row, event, &record);
		return;
	}
	row.name = type->name;
	rows->printed = &builder->model->events;
	add_row(rows, &row, event->time_ns, &record);
}

void event_rows_note_early(struct model_builder *builder, const struct trace_event *event)
{
	const struct event_source *source = builder->event_rows->source;

	if (!source->clip && source->most_rows &&
	    source->is_wanted(source->context, event->other.type))
		builder->model->nr_early_events++;
}

void event_rows_flush(struct model_builder *builder)
{
	print_rows(builder->event_rows);
	builder->event_rows->nr_printed = 0;
}

struct type_place {
	uint64_t nr;
	uint16_t type;
};

static int compare_types(const void *a, const void *b)
{
	const struct type_place *first = a, *second = b;

	if (first->nr != second->nr)
		return first->nr < second->nr ? -1 : 1;
	return first->type < second->type ? -1 : first->type > second->type;
}

/* The types of which there are events, those with the fewest first. */
static size_t order_types(const struct event_rows *rows, struct type_place **out)
{
	struct type_place *order = xcalloc(NR_TYPES, sizeof(*order));
	size_t nr = 0;

	for (size_t type = 0; type < NR_TYPES; type++) {
		if (rows->types[type].nr)
			order[nr++] = (struct type_place){ rows->types[type].nr, (uint16_t)type };
	}
	qsort(order, nr, sizeof(*order), compare_types);
	*out = order;
	return nr;
}

static void choose_types(struct event_rows *rows, const struct type_place *order, size_t nr)
{
	const struct event_source *source = rows->source;
	uint64_t nr_rows = 0;

	for (size_t i = 0; i < nr; i++) {
		struct event_type *type = &rows->types[order[i].type];

		if (type->fate != FATE_KEPT)
			continue;
		nr_rows += type->nr;
		type->fate = nr_rows > source->most_rows ? FATE_LEFT_OUT : FATE_ROW;
		if (type->fate == FATE_ROW)
			type->name = source->name(source->context, order[i].type);
	}
}

static void add_kept(struct event_rows *rows)
{
	for (size_t i = 0; i < rows->nr_kept; i++) {
		const struct kept_event *kept = &rows->kept[i];
		const struct event_row row = {
			.time_ns = kept->time_ns,
			.thread = kept->thread,
			.cpu = kept->cpu,
			.name = rows->types[kept->type].name,
		};
		const struct trace_record record = {
			.type = kept->type,
			.buffer = "",
			.data = rows->bytes + kept->first_byte,
			.size = kept->nr_bytes,
		};

		if (rows->types[kept->type].fate == FATE_ROW)
			add_row(rows, &row, kept->recorded_ns, &record);
	}
}

static void tell_left_out(struct model *model, const struct event_rows *rows,
			  const struct type_place *order, size_t nr)
{
	model->left_out_events = xcalloc(nr + 1, sizeof(*model->left_out_events));
	for (size_t i = nr; i-- > 0;) {
		const struct event_source *source = rows->source;

		if (rows->types[order[i].type].fate != FATE_LEFT_OUT)
			continue;
		if (source->left_out)
			source->left_out(source->context, order[i].type, order[i].nr);
		model->left_out_events[model->nr_left_out_events++] = (struct left_out_event){
			.name = source->name(source->context, order[i].type),
			.nr = order[i].nr,
		};
	}
}

void event_rows_finish(struct model_builder *builder)
{
	struct event_rows *rows = builder->event_rows;
	struct type_place *order;
	size_t nr = order_types(rows, &order);

	choose_types(rows, order, nr);
	event_rows_flush(builder);
	/* The windows in which most of them were are gone. */
	rows->printed = builder->windows->from_ns ? &builder->windows->rest.events :
						    &builder->model->events;
	rows->nr_printed = rows->printed->nr;
	add_kept(rows);
	print_rows(rows);
	tell_left_out(builder->model, rows, order, nr);
	if (builder->model->nr_early_events && rows->source->early)
		rows->source->early(rows->source->context, builder->model->nr_early_events);
	free(order);
}

void event_rows_copy(struct event_table *to, const struct event_table *from, size_t first,
		     size_t nr)
{
	size_t at = to->nr;

	if (!nr)
		return;
	need_texts(to);
	event_table_copy(to, from, first, nr);
	for (; at < to->nr; at++) {
		const char *text = string_table_get(from->texts, to->text[at]);

		to->text[at] = string_table_intern(to->texts, text, strlen(text));
	}
}

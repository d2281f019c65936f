// SPDX-License-Identifier: GPL-2.0
#include "trace/print/annot_handlers.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "trace/annotations/batch_words.h"
#include "trace/names/name_table.h"
#include "trace/annotations/raw_reader.h"
#include "util/xalloc.h"

/* What is known of one trace. */
struct annot_handlers {
	struct tep_handle *tep;
	struct string_table *strings;
	struct annotation_names *annotation_names; /* shown as they are recorded */
	struct name_table *names;
	struct raw_reader *raw;
	struct trace_annotation_counts
		counts; /* of what cannot be in raw data; told by other means */
};

/* False after having printed, into @s, what is wrong with the record. */
static bool get_u32(struct trace_seq *s, struct tep_event *event, const char *field,
		    struct tep_record *record, uint32_t *value)
{
	unsigned long long number;

	if (tep_get_field_val(s, event, field, record, &number, 1))
		return false;
	*value = (uint32_t)number;
	return true;
}

/* Where a __data_loc field's bytes are; NULL, with a word in @s, if they are not in the record. */
static const char *get_array(struct trace_seq *s, struct tep_event *event, const char *name,
			     struct tep_record *record, size_t *bytes)
{
	struct tep_format_field *field = tep_find_field(event, name);
	uint32_t where, offset;

	if (!field || field->size != 4 || field->offset + 4 > record->size) {
		trace_seq_printf(s, "[no %s]", name);
		return NULL;
	}
	where = (uint32_t)tep_read_number(event->tep, (char *)record->data + field->offset, 4);
	offset = where & 0xffff;
	*bytes = where >> 16;
	if ((uint64_t)offset + *bytes > (uint64_t)record->size) {
		trace_seq_printf(s, "[%s is beyond the record]", name);
		return NULL;
	}
	return (const char *)record->data + offset;
}

static bool is_plain(const char *name)
{
	const char *at = name;

	while (*at && !strchr(" \";", *at) && !iscntrl((unsigned char)*at))
		at++;
	return at != name && !*at;
}

/* In quotes where it must be, as in what is written to /dev/annot. */
static void print_name(struct trace_seq *s, const char *name)
{
	if (is_plain(name)) {
		trace_seq_puts(s, name);
		return;
	}
	trace_seq_putc(s, '"');
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			trace_seq_putc(s, '\\');
		/* A damaged file's name shall not command the terminal. */
		trace_seq_putc(s, iscntrl((unsigned char)*name) ? '?' : (unsigned char)*name);
	}
	trace_seq_putc(s, '"');
}

static void print_record(struct trace_seq *s, const struct annot_handlers *handlers,
			 struct name_table *names, uint32_t table,
			 const struct batch_record *record)
{
	static const char letters[] = {
		[ANNOT_OP_BEGIN] = 'B', [ANNOT_OP_WAIT_BEGIN] = 'W', [ANNOT_OP_END] = 'E',
		[ANNOT_OP_MARK] = 'I',	[ANNOT_OP_COUNTER] = 'C',    [ANNOT_OP_NEXT] = 'N',
	};
	bool known;

	if (record->op >= sizeof(letters)) {
		trace_seq_printf(s, "[op %" PRIu32 "]", record->op);
	} else {
		trace_seq_putc(s, (unsigned char)letters[record->op]);
		if (record->op != ANNOT_OP_END) {
			uint32_t name = name_table_get(names, table, record->name, &known);

			trace_seq_putc(s, ' ');
			print_name(s, string_table_get(handlers->strings, name));
		}
		if (record->op == ANNOT_OP_COUNTER || record->flags & ANNOT_RECORD_HAS_VALUE)
			trace_seq_printf(s, " %" PRId64, record->value);
	}
	trace_seq_printf(s, " -%" PRIu64 "ns", record->ago_ns);
}

/* What was counted until record @at of @nr; none of a module that does not tell it there. */
static void print_counts(struct trace_seq *s, struct tep_event *event, struct tep_record *record,
			 uint32_t at, uint32_t nr)
{
	size_t bytes, bytes_each;
	const char *words;

	if (!tep_find_field(event, "nr_counts"))
		return;
	words = get_array(s, event, "counts", record, &bytes);
	bytes_each = words ? bytes / nr : 0;
	if (bytes_each < 8)
		return;
	words += at * bytes_each;
	for (size_t i = 0; i + 8 <= bytes_each; i += 8)
		trace_seq_printf(s, "%s%llu", i ? " " : " [",
				 tep_read_number(event->tep, words + i, 8));
	trace_seq_putc(s, ']');
}

static int print_batch(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	const struct annot_handlers *handlers = context;
	uint32_t table, nr;
	size_t bytes;
	const char *words;

	if (!get_u32(s, event, "table", record, &table) || !get_u32(s, event, "nr", record, &nr))
		return -1;
	words = get_array(s, event, "records", record, &bytes);
	if (!words)
		return -1;
	for (uint32_t i = 0; i < nr && i < bytes / BATCH_RECORD_BYTES; i++) {
		const char *at = words + (size_t)i * BATCH_RECORD_BYTES;
		struct batch_record annotation =
			batch_record_of(tep_read_number(event->tep, at, 8),
					tep_read_number(event->tep, at + 8, 8),
					tep_read_number(event->tep, at + 16, 8));

		if (i)
			trace_seq_puts(s, "; ");
		print_record(s, handlers, handlers->names, table, &annotation);
		print_counts(s, event, record, i, nr);
	}
	if (nr > bytes / BATCH_RECORD_BYTES)
		trace_seq_printf(s, "; [%zu of %" PRIu32 "]", bytes / BATCH_RECORD_BYTES, nr);
	return 0;
}

static int print_definition(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			    void *context)
{
	const struct annot_handlers *handlers = context;
	uint32_t table, id, string;
	size_t bytes;
	const char *name;

	if (!get_u32(s, event, "table", record, &table) || !get_u32(s, event, "id", record, &id))
		return -1;
	name = get_array(s, event, "name", record, &bytes);
	if (!name)
		return -1;
	string = string_table_intern(handlers->strings, name, bytes);
	name_table_set(handlers->names, table, id, string);
	trace_seq_printf(s, "%" PRIu32 " of %" PRIu32 " is ", id, table);
	print_name(s, string_table_get(handlers->strings, string));
	return 0;
}

/* As the kernel prints what it knows nothing of. */
static void print_bytes(struct trace_seq *s, uint32_t id, const uint8_t *bytes, size_t nr)
{
	trace_seq_printf(s, "# %" PRIx32 " buf:", id);
	for (size_t i = 0; i < nr; i++)
		trace_seq_printf(s, " %02x", bytes[i]);
}

static void print_raw_batch(struct trace_seq *s, const struct annot_handlers *handlers,
			    struct batch *batch)
{
	if (batch->owner_tid)
		trace_seq_printf(s, "of %" PRId32 ": ", batch->owner_tid);
	while (!batch_is_over(batch)) {
		struct batch_record record = batch_read(batch, NULL);

		print_record(s, handlers, batch->names, batch->table, &record);
		batch_step(batch);
		if (!batch_is_over(batch))
			trace_seq_puts(s, "; ");
	}
}

static void print_raw_names(struct trace_seq *s, const struct raw_data *data, uint32_t nr)
{
	struct raw_name name;
	size_t at = 0;

	for (uint32_t i = 0; i < nr && raw_data_next_name(data, &at, &name); i++) {
		char *text = xstrndup(name.text, name.nr_bytes);

		trace_seq_printf(s, "%s%" PRIu32 " is ", i ? "; " : "", name.number);
		print_name(s, text);
		free(text);
	}
}

static int print_raw_data(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			  void *context)
{
	const struct tep_format_field *id = tep_find_field(event, "id");
	struct annot_handlers *handlers = context;
	uint64_t nr_lost = handlers->counts.nr_lost;
	struct batch batch;
	struct raw_data data;

	if (!id || id->offset < 0 || id->size != 4 || id->offset + 4 > record->size)
		return -1;
	data = (struct raw_data){
		.bytes = (const uint8_t *)record->data + id->offset,
		.nr_bytes = (size_t)(record->size - id->offset),
		.time_ns = record->ts,
		.tid = tep_data_pid(event->tep, record),
		.swap = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep),
	};
	if (!raw_data_is_annot(&data))
		print_bytes(s, (uint32_t)tep_read_number(event->tep, data.bytes, 4), data.bytes + 4,
			    data.nr_bytes - 4);
	else if (raw_reader_read(handlers->raw, &data, &batch))
		print_raw_batch(s, handlers, &batch);
	else if (handlers->counts.nr_lost != nr_lost)
		trace_seq_puts(s, "[annot: damaged]");
	else if (raw_data_nr_names(&data))
		print_raw_names(s, &data, raw_data_nr_names(&data));
	else
		trace_seq_puts(s, "[annot: no annotations]");
	return 0;
}

struct annot_handlers *annot_handlers_register(struct tep_handle *tep)
{
	struct annot_handlers *handlers = xcalloc(1, sizeof(*handlers));

	handlers->tep = tep;
	handlers->strings = string_table_new();
	handlers->names = name_table_new(handlers->strings);
	handlers->annotation_names = annotation_names_new(handlers->strings);
	handlers->raw = raw_reader_new(handlers->annotation_names, &handlers->counts);
	tep_register_event_handler(tep, -1, "annot", "annot_batch", print_batch, handlers);
	tep_register_event_handler(tep, -1, "annot", "annot_name", print_definition, handlers);
	tep_register_event_handler(tep, -1, "ftrace", "raw_data", print_raw_data, handlers);
	return handlers;
}

void annot_handlers_unregister(struct annot_handlers *handlers)
{
	struct tep_handle *tep = handlers->tep;

	tep_unregister_event_handler(tep, -1, "annot", "annot_batch", print_batch, handlers);
	tep_unregister_event_handler(tep, -1, "annot", "annot_name", print_definition, handlers);
	tep_unregister_event_handler(tep, -1, "ftrace", "raw_data", print_raw_data, handlers);
	raw_reader_free(handlers->raw);
	annotation_names_free(handlers->annotation_names);
	name_table_free(handlers->names);
	string_table_free(handlers->strings);
	free(handlers);
}

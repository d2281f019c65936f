// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of libtraceevent, for trace-cmd report, KernelShark and other programs that read traces with
 * that library. It prints annot_batch as a list. Each annotation stands there as it would be written to
 * /dev/annot, with the time by which it came before the event. It also prints what programs without
 * the module write to trace_marker_raw, which is ftrace's event raw_data:
 *
 *	B loop48 17 -1234ns; E -1000ns; N "next phase" -800ns
 *
 * Counts up to an annotation stand behind it: "E -1000ns [1200 3]".
 *
 * Names come from events that were printed before. Names of events that were left out are numbers.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "trace/decode/batch_words.h"
#include "trace/decode/name_table.h"
#include "trace/decode/raw_reader.h"
#include "util/xalloc.h"

#define EXPORTED __attribute__((visibility("default")))

/* What is known of one trace; a program may have several open. */
struct plugin {
	struct plugin *next;
	struct tep_handle *tep;
	struct string_table *strings;
	struct annotation_names *annotation_names; /* shown as they are recorded */
	struct name_table *names;
	struct raw_reader *raw;
	struct trace_annotation_counts
		counts; /* of what cannot be in raw data; told by other means */
};

static struct plugin *plugins;

EXPORTED int TEP_PLUGIN_LOADER(struct tep_handle *tep);
EXPORTED void TEP_PLUGIN_UNLOADER(struct tep_handle *tep);

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

static void print_record(struct trace_seq *s, const struct plugin *plugin, struct name_table *names,
			 uint32_t table, const struct batch_record *record)
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
			print_name(s, string_table_get(plugin->strings, name));
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
	const struct plugin *plugin = context;
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
		print_record(s, plugin, plugin->names, table, &annotation);
		print_counts(s, event, record, i, nr);
	}
	if (nr > bytes / BATCH_RECORD_BYTES)
		trace_seq_printf(s, "; [%zu of %" PRIu32 "]", bytes / BATCH_RECORD_BYTES, nr);
	return 0;
}

static int print_definition(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			    void *context)
{
	const struct plugin *plugin = context;
	uint32_t table, id, string;
	size_t bytes;
	const char *name;

	if (!get_u32(s, event, "table", record, &table) || !get_u32(s, event, "id", record, &id))
		return -1;
	name = get_array(s, event, "name", record, &bytes);
	if (!name)
		return -1;
	string = string_table_intern(plugin->strings, name, bytes);
	name_table_set(plugin->names, table, id, string);
	trace_seq_printf(s, "%" PRIu32 " of %" PRIu32 " is ", id, table);
	print_name(s, string_table_get(plugin->strings, string));
	return 0;
}

/* As the kernel prints what it knows nothing of. */
static void print_bytes(struct trace_seq *s, uint32_t id, const uint8_t *bytes, size_t nr)
{
	trace_seq_printf(s, "# %" PRIx32 " buf:", id);
	for (size_t i = 0; i < nr; i++)
		trace_seq_printf(s, " %02x", bytes[i]);
}

static void print_raw_batch(struct trace_seq *s, const struct plugin *plugin, struct batch *batch)
{
	if (batch->owner_tid)
		trace_seq_printf(s, "of %" PRId32 ": ", batch->owner_tid);
	while (!batch_is_over(batch)) {
		struct batch_record record = batch_read(batch, NULL);

		print_record(s, plugin, batch->names, batch->table, &record);
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
	struct plugin *plugin = context;
	uint64_t nr_lost = plugin->counts.nr_lost;
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
	else if (raw_reader_read(plugin->raw, &data, &batch))
		print_raw_batch(s, plugin, &batch);
	else if (plugin->counts.nr_lost != nr_lost)
		trace_seq_puts(s, "[annot: damaged]");
	else if (raw_data_nr_names(&data))
		print_raw_names(s, &data, raw_data_nr_names(&data));
	else
		trace_seq_puts(s, "[annot: no annotations]");
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	struct plugin *plugin = xcalloc(1, sizeof(*plugin));

	plugin->tep = tep;
	plugin->strings = string_table_new();
	plugin->names = name_table_new(plugin->strings);
	plugin->annotation_names = annotation_names_new(plugin->strings);
	plugin->raw = raw_reader_new(plugin->annotation_names, &plugin->counts);
	plugin->next = plugins;
	plugins = plugin;
	tep_register_event_handler(tep, -1, "annot", "annot_batch", print_batch, plugin);
	tep_register_event_handler(tep, -1, "annot", "annot_name", print_definition, plugin);
	tep_register_event_handler(tep, -1, "ftrace", "raw_data", print_raw_data, plugin);
	return 0;
}

void TEP_PLUGIN_UNLOADER(struct tep_handle *tep)
{
	struct plugin **at = &plugins, *plugin;

	while (*at && (*at)->tep != tep)
		at = &(*at)->next;
	plugin = *at;
	if (!plugin)
		return;
	*at = plugin->next;
	tep_unregister_event_handler(tep, -1, "annot", "annot_batch", print_batch, plugin);
	tep_unregister_event_handler(tep, -1, "annot", "annot_name", print_definition, plugin);
	tep_unregister_event_handler(tep, -1, "ftrace", "raw_data", print_raw_data, plugin);
	raw_reader_free(plugin->raw);
	annotation_names_free(plugin->annotation_names);
	name_table_free(plugin->names);
	string_table_free(plugin->strings);
	free(plugin);
}

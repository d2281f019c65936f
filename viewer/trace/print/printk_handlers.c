// SPDX-License-Identifier: GPL-2.0
#include "trace/print/printk_handlers.h"

#include <inttypes.h>
#include <stdlib.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "trace/names/printk_text.h"
#include "util/xalloc.h"

struct printk_handlers {
	struct tep_handle *tep;
	struct printk_formats *formats;
};

static const char *function_name(void *context, uint64_t address)
{
	return tep_find_function(context, address);
}

/* NULL: the record has no address of a format, or the trace no such format. */
static const char *find_format(struct printk_handlers *handlers, struct tep_record *record,
			       struct tep_event *event, const char *field)
{
	unsigned long long address;

	if (tep_get_field_val(NULL, event, field, record, &address, 0))
		return NULL;
	return printk_formats_get(handlers->formats, address);
}

/* Who printed the line: a function, or its address. */
static void print_caller(struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	unsigned long long ip;
	const char *name;

	if (tep_get_field_val(NULL, event, "ip", record, &ip, 0))
		return;
	name = tep_find_function(event->tep, ip);
	if (name)
		trace_seq_printf(s, "%s: ", name);
	else
		trace_seq_printf(s, "0x%llx: ", ip);
}

/* What cannot be printed so, -1, the library prints as it can. */
static int print_bprint(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			void *context)
{
	struct printk_handlers *handlers = context;
	const struct tep_format_field *field = tep_find_field(event, "buf");
	const char *format = find_format(handlers, record, event, "fmt");
	struct printk_arguments arguments;
	char text[PRINTK_TEXT_BYTES];

	if (!format || !field || field->offset < 0 || field->offset > record->size)
		return -1;
	arguments = (struct printk_arguments){
		.data = (const uint8_t *)record->data + field->offset,
		.bytes = (size_t)(record->size - field->offset),
		.long_bytes = (uint8_t)tep_get_long_size(handlers->tep),
		.swap = tep_is_file_bigendian(handlers->tep) !=
			tep_is_local_bigendian(handlers->tep),
	};
	if (!printk_text_print(text, format, &arguments, function_name, handlers->tep))
		return -1;
	print_caller(s, record, event);
	trace_seq_puts(s, text);
	return 0;
}

static int print_bputs(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	const char *text = find_format(context, record, event, "str");

	if (!text)
		return -1;
	print_caller(s, record, event);
	trace_seq_puts(s, text);
	return 0;
}

struct printk_handlers *printk_handlers_register(struct tep_handle *tep,
						 printk_formats_reader *read, void *context)
{
	struct printk_handlers *handlers = xcalloc(1, sizeof(*handlers));

	handlers->tep = tep;
	handlers->formats = printk_formats_new();
	printk_formats_use(handlers->formats, read, context);
	tep_register_event_handler(tep, -1, "ftrace", "bprint", print_bprint, handlers);
	tep_register_event_handler(tep, -1, "ftrace", "bputs", print_bputs, handlers);
	return handlers;
}

void printk_handlers_unregister(struct printk_handlers *handlers)
{
	struct tep_handle *tep = handlers->tep;

	tep_unregister_event_handler(tep, -1, "ftrace", "bprint", print_bprint, handlers);
	tep_unregister_event_handler(tep, -1, "ftrace", "bputs", print_bputs, handlers);
	printk_formats_free(handlers->formats);
	free(handlers);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of libtraceevent with which trace-cmd report prints all bytes of raw_data, which it does
 * not by itself: what is in a trace can then be read independently of the project's own code.
 */
#include <event-parse.h>
#include <trace-seq.h>

int TEP_PLUGIN_LOADER(struct tep_handle *tep);

static int print_bytes(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
		       void *context)
{
	const struct tep_format_field *id = tep_find_field(event, "id");
	const unsigned char *bytes = record->data;
	int at;

	(void)context;
	for (at = id->offset; at < record->size; at++)
		trace_seq_printf(s, "%02x", bytes[at]);
	return 0;
}

int TEP_PLUGIN_LOADER(struct tep_handle *tep)
{
	tep_register_event_handler(tep, -1, "ftrace", "raw_data", print_bytes, NULL);
	return 0;
}

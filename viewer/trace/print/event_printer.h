/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints events of any kind as their formats say, and filters them by their fields: by libtraceevent, in a process of
 * its own (printer_child.h). An event that makes this process crash, or that takes it longer than 10 to 20 s, has no
 * text; it is counted, and the next ones are printed all the same, up to a limit of such events.
 *
 * Events are printed in batches: event_printer_add() keeps a copy until event_printer_flush().
 *
 * Cost: about 2 us of CPU time an event, most of them the library's. Not thread-safe.
 */
#ifndef ANNOT_TRACE_PRINT_EVENT_PRINTER_H
#define ANNOT_TRACE_PRINT_EVENT_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/trace.h"

struct event_printer;

enum event_print_result {
	EVENT_PRINTED,
	EVENT_FILTERED, /* its filter does not let it pass */
	EVENT_UNPRINTABLE,
};

/*
 * Called for each event that was added, in order. @text is one line, without control characters; valid during the call.
 * "" unless the event was printed.
 */
typedef void event_printed_fn(void *context, enum event_print_result result, const char *text);

/*
 * For the events of the trace.dat @path, which was opened before. Returns NULL after one line on stderr if a process cannot be
 * made. event_printer_free() frees it.
 */
struct event_printer *event_printer_new(const char *path);
void event_printer_free(struct event_printer *printer);

/*
 * From now on, events of one type are printed only if this filter takes them. @filter: "SYSTEM/EVENT: EXPRESSION", with an
 * expression as in a filter file of tracefs ("prev_prio < 100 && next_comm == \"sh\""). A later filter of the same type takes
 * its place. Returns NULL, or what is wrong with it; free() it.
 */
char *event_printer_add_filter(struct event_printer *printer, const char *filter);

/* Keeps an event to be printed. Returns whether it is time to flush. */
bool event_printer_add(struct event_printer *printer, uint64_t time_ns, int cpu,
		       const struct trace_record *record);

/* Prints all events that were added since the last flush. */
void event_printer_flush(struct event_printer *printer, event_printed_fn *on_event, void *context);

/* How many had no text so far. */
uint64_t event_printer_nr_unprintable(const struct event_printer *printer);

#endif /* ANNOT_TRACE_PRINT_EVENT_PRINTER_H */

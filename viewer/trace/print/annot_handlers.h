/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How libtraceevent prints annotations. It prints annot_batch as a list. Each annotation stands there as it
 * would be written to /dev/annot, with the time by which it came before the event. It also prints what
 * programs without the module write to trace_marker_raw, which is ftrace's event raw_data:
 *
 *	B loop48 17 -1234ns; E -1000ns; N "next phase" -800ns
 *
 * Counts up to an annotation stand behind it: "E -1000ns [1200 3]".
 *
 * Names come from events that were printed before. Names of events that were left out are numbers.
 */
#ifndef ANNOT_TRACE_PRINT_ANNOT_HANDLERS_H
#define ANNOT_TRACE_PRINT_ANNOT_HANDLERS_H

struct annot_handlers;
struct tep_handle;

/* For the events of one trace. To be unregistered before @tep is freed. */
struct annot_handlers *annot_handlers_register(struct tep_handle *tep);
void annot_handlers_unregister(struct annot_handlers *handlers);

#endif /* ANNOT_TRACE_PRINT_ANNOT_HANDLERS_H */

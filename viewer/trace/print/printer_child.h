/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The process that prints events with libtraceevent. The library does not check what it is given: a format or a
 * record that somebody made up may crash it, or keep it busy for ever. It is not to take the command with it.
 */
#ifndef ANNOT_TRACE_PRINT_PRINTER_CHILD_H
#define ANNOT_TRACE_PRINT_PRINTER_CHILD_H

#include "trace/print/print_wire.h"

/* Answers the requests in @area, with the formats of the trace.dat @path, until @socket is closed (print_wire.h). */
void printer_child_run(const char *path, int socket, struct print_area *area);

#endif /* ANNOT_TRACE_PRINT_PRINTER_CHILD_H */

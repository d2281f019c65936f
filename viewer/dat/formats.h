/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of all events of the kernel, in the format of trace.dat.
 */
#ifndef ANNOT_DAT_FORMATS_H
#define ANNOT_DAT_FORMATS_H

#include "dat/bytes.h"

/*
 * Adds the formats of ftrace's own events: their number, then the size and text of each. An event
 * whose format cannot be read is skipped. Returns 0, or -1 after one line on stderr.
 */
int dat_add_ftrace_formats(struct dat_bytes *bytes, const char *tracing_dir);

/* Adds those of all other systems: their number, then the name of each and its formats as above. */
int dat_add_event_formats(struct dat_bytes *bytes, const char *tracing_dir);

#endif /* ANNOT_DAT_FORMATS_H */

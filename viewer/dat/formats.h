/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of all events that the kernel has, as a trace.dat holds them.
 */
#ifndef ANNOT_DAT_FORMATS_H
#define ANNOT_DAT_FORMATS_H

#include "dat/bytes.h"

/*
 * Those of ftrace itself: how many, then each one's size and text. An event whose format cannot be
 * read is left out. Returns 0, or -1 after one line on stderr.
 */
int dat_add_ftrace_formats(struct dat_bytes *bytes, const char *tracing_dir);

/* Those of all other systems: how many of these, then of each its name and the same. */
int dat_add_event_formats(struct dat_bytes *bytes, const char *tracing_dir);

#endif /* ANNOT_DAT_FORMATS_H */

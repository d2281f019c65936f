/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that were recorded more than once: a tracepoint that several tracing instances have enabled
 * puts the same bytes into the buffer of each, one right after the other.
 */
#ifndef ANNOT_TRACE_REPEATS_H
#define ANNOT_TRACE_REPEATS_H

#include "trace/file/pages.h"

struct repeats;

struct repeats *repeats_new(void);
void repeats_free(struct repeats *repeats);

/*
 * Whether @record, of @cpu, was here before, from another buffer. To be asked once of each record,
 * in the order of their times.
 */
bool repeats_has(struct repeats *repeats, int cpu, const struct raw_record *record);

#endif /* ANNOT_TRACE_REPEATS_H */

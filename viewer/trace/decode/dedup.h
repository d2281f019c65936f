/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that were recorded more than once: a tracepoint that several tracing instances have enabled
 * puts the same bytes into the buffer of each, one right after the other.
 */
#ifndef ANNOT_TRACE_DECODE_DEDUP_H
#define ANNOT_TRACE_DECODE_DEDUP_H

#include "trace/file/pages.h"

struct dedup;

struct dedup *dedup_new(void);
void dedup_free(struct dedup *dedup);

/*
 * Whether @record, of @cpu, was here before, from another buffer. To be asked once of each record,
 * in the order of their times.
 */
bool dedup_is_repeat(struct dedup *dedup, int cpu, const struct raw_record *record);

#endif /* ANNOT_TRACE_DECODE_DEDUP_H */

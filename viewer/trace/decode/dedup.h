/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds events that were recorded more than once: if several tracing instances enable a tracepoint,
 * the kernel writes the same bytes into each buffer, one directly after the other.
 */
#ifndef ANNOT_TRACE_DECODE_DEDUP_H
#define ANNOT_TRACE_DECODE_DEDUP_H

#include "trace/file/pages.h"

struct dedup;

struct dedup *dedup_new(void);
void dedup_free(struct dedup *dedup);

/*
 * Whether the same @record of @cpu came before from another buffer. Call once for each record, in
 * time order.
 */
bool dedup_is_repeat(struct dedup *dedup, int cpu, const struct raw_record *record);

#endif /* ANNOT_TRACE_DECODE_DEDUP_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines with which annot record tells, in trace_marker, where each CPU stands in the machine:
 *
 *	annot|cpu|number|core|package|node|caches
 *
 * All in decimal; -1: not known. The core is named by its first CPU. Caches, with commas in between,
 * may be none; each is
 *
 *	level kind:size:line:ways:sets:group		2u:1048576:64:16:1024:0
 *
 * with size and line in bytes, kind d (data), i (instructions) or u (both), 0 where not known. The
 * group is the first CPU of those that share the cache.
 */
#ifndef ANNOT_TRACE_PLACE_H
#define ANNOT_TRACE_PLACE_H

#include "util/scan.h"
#include "trace/trace.h"

#define PLACE_LINE "annot|cpu|"
#define PLACE_MAX_CPUS 8192
#define PLACE_MAX_CACHES 16

/* Whether the @bytes at @text claim to be such a line. */
bool place_is(const char *text, size_t bytes);

/*
 * Fills @event (time, cpu and tid are the caller's), the caches of which go into @caches,
 * PLACE_MAX_CACHES of them. False: a field of it cannot be.
 */
bool place_parse(struct scanned text, struct cpu_cache *caches, struct trace_event *event);

#endif /* ANNOT_TRACE_PLACE_H */

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
#ifndef ANNOT_TRACE_DECODE_CPU_TOPOLOGY_H
#define ANNOT_TRACE_DECODE_CPU_TOPOLOGY_H

#include "util/scan.h"
#include "trace/event.h"

#define CPU_TOPOLOGY_LINE "annot|cpu|"
#define CPU_TOPOLOGY_MAX_CPUS 8192
#define CPU_TOPOLOGY_MAX_CACHES 16

/* Whether the @bytes at @text claim to be such a line. */
bool cpu_topology_is_line(const char *text, size_t bytes);

/*
 * Fills @event (time, cpu and tid are the caller's), the caches of which go into @caches,
 * CPU_TOPOLOGY_MAX_CACHES of them. False: a field of it cannot be.
 */
bool cpu_topology_parse(struct scan_text text, struct cpu_cache *caches, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_CPU_TOPOLOGY_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the lines in trace_marker that describe the CPUs, written by annot record:
 *
 *	annot|cpu|number|core|package|node|caches
 *
 * Numbers are decimal; -1: not known. The core is the number of its first CPU. Caches are separated
 * by commas, and may be empty. Each is
 *
 *	level kind:size:line:ways:sets:group		2u:1048576:64:16:1024:0
 *
 * with size and line in bytes, kind d (data), i (instructions) or u (both), and 0 for what is not
 * known. The group is the first of the CPUs that share the cache.
 */
#ifndef ANNOT_TRACE_LINES_CPU_TOPOLOGY_H
#define ANNOT_TRACE_LINES_CPU_TOPOLOGY_H

#include "util/text/scan.h"
#include "trace/event.h"

#define CPU_TOPOLOGY_LINE "annot|cpu|"
#define CPU_TOPOLOGY_MAX_CPUS 8192
#define CPU_TOPOLOGY_MAX_CACHES 16

/* Whether the @bytes at @text begin like such a line. */
bool cpu_topology_is_line(const char *text, size_t bytes);

/*
 * Fills @event (the caller sets time, cpu and tid). Its caches are stored in @caches, which has
 * CPU_TOPOLOGY_MAX_CACHES elements. Returns false if a field is invalid.
 */
bool cpu_topology_parse(struct scan_text text, struct cpu_cache *caches, struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_CPU_TOPOLOGY_H */

// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/cpu_topology.h"

#include <string.h>

#define MAX_LEVEL 9
#define MAX_LINE_BYTES 4096
#define MAX_CACHE_BYTES (1ull << 40)

bool cpu_topology_is_line(const char *text, size_t bytes)
{
	size_t head_bytes = strlen(CPU_TOPOLOGY_LINE);

	return bytes >= head_bytes && !memcmp(text, CPU_TOPOLOGY_LINE, head_bytes);
}

/* A number up to @most. */
static bool take_number(struct scan_text *rest, char separator, uint64_t most, uint64_t *number)
{
	return scan_unsigned(scan_take(rest, separator), number) && *number <= most;
}

/* The same, or -1. */
static bool take_id(struct scan_text *rest, int *id)
{
	struct scan_text field;
	int64_t number;

	if (!scan_field(rest, '|', &field) || !scan_integer(field, &number) || number < -1 ||
	    number > INT32_MAX)
		return false;
	*id = (int)number;
	return true;
}

static bool is_power_of_two(uint64_t number)
{
	return number && !(number & (number - 1));
}

/* The low bits of an address select its line. */
static bool cache_can_be(const struct cpu_cache *cache)
{
	return !cache->line_bytes || is_power_of_two(cache->line_bytes);
}

static bool parse_cache(struct scan_text text, struct cpu_cache *cache)
{
	struct scan_text head = scan_take(&text, ':');
	uint64_t level, line, ways, sets, group;

	if (scan_bytes(head) < 2 || !memchr("diu", head.end[-1], 3))
		return false;
	cache->kind = *--head.end;
	if (!scan_unsigned(head, &level) || !level || level > MAX_LEVEL ||
	    !take_number(&text, ':', MAX_CACHE_BYTES, &cache->size_bytes) ||
	    !take_number(&text, ':', MAX_LINE_BYTES, &line) ||
	    !take_number(&text, ':', INT32_MAX, &ways) ||
	    !take_number(&text, ':', INT32_MAX, &sets) ||
	    !take_number(&text, ':', CPU_TOPOLOGY_MAX_CPUS - 1, &group) || text.start != text.end)
		return false;
	cache->level = (int)level;
	cache->line_bytes = (uint32_t)line;
	cache->ways = (uint32_t)ways;
	cache->sets = (uint32_t)sets;
	cache->group = (uint32_t)group;
	return cache_can_be(cache);
}

static bool parse_caches(struct scan_text rest, struct cpu_cache *caches, uint32_t *nr)
{
	for (*nr = 0; rest.start < rest.end; (*nr)++) {
		if (*nr == CPU_TOPOLOGY_MAX_CACHES ||
		    !parse_cache(scan_take(&rest, ','), &caches[*nr]))
			return false;
	}
	return true;
}

bool cpu_topology_parse(struct scan_text text, struct cpu_cache *caches, struct trace_event *event)
{
	struct scan_text rest = scan_trim(text.start, scan_bytes(text));
	uint64_t number;

	event->kind = TRACE_CPU_TOPOLOGY;
	event->cpu_topology.caches = caches;
	rest.start += strlen(CPU_TOPOLOGY_LINE);
	if (!take_number(&rest, '|', CPU_TOPOLOGY_MAX_CPUS - 1, &number) ||
	    !take_id(&rest, &event->cpu_topology.core) ||
	    !take_id(&rest, &event->cpu_topology.package) ||
	    !take_id(&rest, &event->cpu_topology.node))
		return false;
	event->cpu_topology.number = (int)number;
	return parse_caches(rest, caches, &event->cpu_topology.nr_caches);
}

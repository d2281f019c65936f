// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/cpu_topology.h"

#include <string.h>

#define MAX_LEVEL 9
#define MAX_LINE_BYTES 4096
#define MAX_CACHE_BYTES (1ull << 40)

bool place_is(const char *text, size_t bytes)
{
	size_t head_bytes = strlen(PLACE_LINE);

	return bytes >= head_bytes && !memcmp(text, PLACE_LINE, head_bytes);
}

/* What @rest begins with, up to @separator; or all of it, where there is none. */
static struct scanned take_field(struct scanned *rest, char separator)
{
	struct scanned field;

	if (!scan_field(rest, separator, &field)) {
		field = *rest;
		rest->start = rest->end;
	}
	return field;
}

/* A number up to @most. */
static bool take_number(struct scanned *rest, char separator, uint64_t most, uint64_t *number)
{
	return scan_unsigned(take_field(rest, separator), number) && *number <= most;
}

/* The same, or -1. */
static bool take_id(struct scanned *rest, int *id)
{
	struct scanned field;
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

/* An address tells its line by its low bits. */
static bool cache_can_be(const struct cpu_cache *cache)
{
	return !cache->line_bytes || is_power_of_two(cache->line_bytes);
}

static bool parse_cache(struct scanned text, struct cpu_cache *cache)
{
	struct scanned head = take_field(&text, ':');
	uint64_t level, line, ways, sets, group;

	if (scanned_bytes(head) < 2 || !memchr("diu", head.end[-1], 3))
		return false;
	cache->kind = *--head.end;
	if (!scan_unsigned(head, &level) || !level || level > MAX_LEVEL ||
	    !take_number(&text, ':', MAX_CACHE_BYTES, &cache->size_bytes) ||
	    !take_number(&text, ':', MAX_LINE_BYTES, &line) ||
	    !take_number(&text, ':', INT32_MAX, &ways) ||
	    !take_number(&text, ':', INT32_MAX, &sets) ||
	    !take_number(&text, ':', PLACE_MAX_CPUS - 1, &group) || text.start != text.end)
		return false;
	cache->level = (int)level;
	cache->line_bytes = (uint32_t)line;
	cache->ways = (uint32_t)ways;
	cache->sets = (uint32_t)sets;
	cache->group = (uint32_t)group;
	return cache_can_be(cache);
}

static bool parse_caches(struct scanned rest, struct cpu_cache *caches, uint32_t *nr)
{
	for (*nr = 0; rest.start < rest.end; (*nr)++) {
		if (*nr == PLACE_MAX_CACHES || !parse_cache(take_field(&rest, ','), &caches[*nr]))
			return false;
	}
	return true;
}

bool place_parse(struct scanned text, struct cpu_cache *caches, struct trace_event *event)
{
	struct scanned rest = scan_trim(text.start, scanned_bytes(text));
	uint64_t number;

	event->kind = TRACE_PLACE;
	event->place.caches = caches;
	rest.start += strlen(PLACE_LINE);
	if (!take_number(&rest, '|', PLACE_MAX_CPUS - 1, &number) ||
	    !take_id(&rest, &event->place.core) || !take_id(&rest, &event->place.package) ||
	    !take_id(&rest, &event->place.node))
		return false;
	event->place.number = (int)number;
	return parse_caches(rest, caches, &event->place.nr_caches);
}

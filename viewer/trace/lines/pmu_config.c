// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/pmu_config.h"

#include <string.h>

#include <uapi/annot.h>

#include "util/text/scan.h"

#define MAX_ERRNO 4095

/* Of struct perf_event_attr's config, as AMD's driver has it: only what missed the last level is sampled. */
#define IBS_OP_L3_MISS_ONLY (1ull << 16)
#define IBS_FETCH_L3_MISS_ONLY (1ull << 59)

/* The low bits of config that name an event. */
#define EVENT_CODE 0xffffu

/* The keys read so far. */
struct told {
	struct string_table *strings;
	struct trace_event *event;
	bool has_event;
	bool has_mode;
	bool is_software; /* the kernel counts it; there, config 0 is the clock of a CPU */
	bool has_config;
	uint64_t config;
	uint64_t config1;
	uint64_t l3_miss_only; /* the bit of config; 0: the PMU has none */
};

/*
 * The value of the next pair, whose key is @key. Returns false at the end. Text that is no pair is
 * skipped.
 */
static bool next_pair(struct scan_text *rest, struct scan_text *key, struct scan_text *value)
{
	while (rest->start < rest->end) {
		if (!scan_field(rest, ' ', value)) {
			*value = *rest;
			rest->start = rest->end;
		}
		if (scan_field(value, '=', key))
			return true;
	}
	return false;
}

bool pmu_config_is(const char *text)
{
	struct scan_text rest = { text, text + strlen(text) }, key, value;

	while (next_pair(&rest, &key, &value)) {
		if (scan_is(key, "event"))
			return true;
	}
	return false;
}

static bool parse_upto(struct scan_text value, uint64_t max, uint64_t *number)
{
	return scan_unsigned(value, number) && *number <= max;
}

static bool parse_event(struct told *told, struct scan_text value)
{
	uint64_t number;

	if (!parse_upto(value, ANNOT_EVENTS_MAX - 1, &number))
		return false;
	told->event->pmu_event.event = (uint8_t)number;
	told->has_event = true;
	return true;
}

static bool parse_name(struct told *told, struct scan_text value)
{
	if (scan_bytes(value) >= ANNOT_EVENT_NAME_MAX_BYTES || !scan_is_printable(value))
		return false;
	told->event->pmu_event.name = string_table_intern(told->strings, value.start,
							  scan_bytes(value));
	return true;
}

static bool parse_mode(struct told *told, struct scan_text value)
{
	told->has_mode = true;
	told->event->pmu_event.is_counted = scan_is(value, "count");
	return told->event->pmu_event.is_counted || scan_is(value, "sample");
}

static bool parse_flag(struct scan_text value, bool *flag)
{
	uint64_t number;

	if (!parse_upto(value, 1, &number))
		return false;
	*flag = number;
	return true;
}

static bool parse_precise(struct scan_text value, uint8_t *precise)
{
	uint64_t number;

	if (!parse_upto(value, TRACE_MAX_PRECISE, &number))
		return false;
	*precise = (uint8_t)number;
	return true;
}

static bool parse_error(struct told *told, struct scan_text value)
{
	uint64_t number;

	if (!parse_upto(value, MAX_ERRNO, &number))
		return false;
	told->event->pmu_event.error = (int)number;
	return true;
}

static void take_pmu(struct told *told, struct scan_text value)
{
	told->event->pmu_event.by_ratio = scan_starts_with(value, "ibs_");
	if (scan_is(value, "ibs_op"))
		told->l3_miss_only = IBS_OP_L3_MISS_ONLY;
	else if (scan_is(value, "ibs_fetch"))
		told->l3_miss_only = IBS_FETCH_L3_MISS_ONLY;
}

static void take_config(struct told *told, struct scan_text value)
{
	told->has_config = scan_starts_with(value, "0x") &&
			   scan_hex((struct scan_text){ value.start + 2, value.end },
				    &told->config);
}

static void take_config1(struct told *told, struct scan_text value)
{
	if (!scan_starts_with(value, "0x") ||
	    !scan_hex((struct scan_text){ value.start + 2, value.end }, &told->config1))
		told->config1 = 0;
}

/* Intel's events of loads that took long, of which config1 has the least latency: of Nehalem, of Gracemont, of the others. */
static bool is_load_latency(const struct told *told)
{
	uint64_t code = told->config & EVENT_CODE;

	return !told->is_software && (code == 0x100b || code == 0x05d0 || code == 0x01cd);
}

static bool take_pair(struct told *told, struct scan_text key, struct scan_text value)
{
	struct trace_event *event = told->event;

	if (scan_is(key, "event"))
		return parse_event(told, value);
	if (scan_is(key, "name"))
		return parse_name(told, value);
	if (scan_is(key, "mode"))
		return parse_mode(told, value);
	if (scan_is(key, "period"))
		return scan_unsigned(value, &event->pmu_event.period);
	if (scan_is(key, "user"))
		return parse_flag(value, &event->pmu_event.user);
	if (scan_is(key, "kernel"))
		return parse_flag(value, &event->pmu_event.kernel);
	if (scan_is(key, "asked"))
		return parse_precise(value, &event->pmu_event.precise_asked);
	if (scan_is(key, "precise"))
		return parse_precise(value, &event->pmu_event.precise);
	if (scan_is(key, "error"))
		return parse_error(told, value);
	if (scan_is(key, "shared"))
		return parse_flag(value, &event->pmu_event.is_shared);
	if (scan_is(key, "pmu"))
		take_pmu(told, value);
	else if (scan_is(key, "type"))
		told->is_software = scan_is(value, "0x1");
	else if (scan_is(key, "config"))
		take_config(told, value);
	else if (scan_is(key, "config1"))
		take_config1(told, value);
	return true;
}

bool pmu_config_parse(const char *text, uint32_t id, struct string_table *strings,
		      struct trace_event *event)
{
	struct scan_text rest = { text, text + strlen(text) }, key, value;
	struct told told = { .strings = strings, .event = event };

	event->kind = TRACE_PMU_EVENT;
	memset(&event->pmu_event, 0, sizeof(event->pmu_event));
	event->pmu_event.text = id;
	while (next_pair(&rest, &key, &value)) {
		if (!take_pair(&told, key, value))
			return false;
	}
	event->pmu_event.is_software = told.is_software;
	event->pmu_event.is_clock = told.is_software && told.has_config && !told.config;
	event->pmu_event.is_filtered = told.config & told.l3_miss_only;
	if (is_load_latency(&told))
		event->pmu_event.threshold_cycles = told.config1;
	return told.has_event && told.has_mode && event->pmu_event.name != TRACE_NO_STRING;
}

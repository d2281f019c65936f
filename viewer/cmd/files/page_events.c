// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/page_events.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/print/event_printer.h"
#include "util/diag.h"
#include "util/text/word_list.h"
#include "util/xalloc.h"

/* A row takes 5 to 10 bytes of a page, with its text: these are a fifth of a page that has nothing else. */
#define MOST_ROWS 20000
/* With a limit of the page's size, rows get at most a tenth of it. */
#define LIMIT_BYTES_FOR_A_ROW 100

#define TOLD_BY_NAME 2 /* types; the others are told in one */

struct left_out_type {
	uint16_t type;
	uint64_t nr;
};

struct page_events {
	struct trace *trace;
	struct page_events_choice choice;
	struct event_source source;
	struct event_printer *printer; /* NULL: none was needed so far */
	bool is_unprintable; /* there is no printer to be had */
	event_text_fn *take;
	void *taker;
	size_t nr_waiting; /* if it is unprintable */
	size_t nr_types; /* that are left out: the first ones */
	struct left_out_type told[TOLD_BY_NAME];
	uint64_t nr_others; /* events of the other types */
	uint64_t nr_early; /* before the page begins */
};

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Words of the form SYSTEM:EVENT. */
static bool is_list_of_names(const char *list)
{
	while (true) {
		size_t nr_bytes = strcspn(list, ",");
		const char *colon = memchr(list, ':', nr_bytes);

		if (!colon || colon == list || colon + 1 == list + nr_bytes)
			return false;
		if (!list[nr_bytes])
			return true;
		list += nr_bytes + 1;
	}
}

bool page_events_parse(const char *text, struct page_events_choice *choice)
{
	*choice = (struct page_events_choice){ .is_given = text, .most_rows = MOST_ROWS };
	if (!text || parse_number(text, &choice->most_rows))
		return true;
	choice->most_rows = strcmp(text, "none") ? UINT64_MAX : 0;
	if (!strcmp(text, "none") || !strcmp(text, "all"))
		return true;
	choice->names = text;
	return is_list_of_names(text);
}

static bool trace_describes(const struct trace *trace, const char *name)
{
	for (unsigned int type = 0; type <= UINT16_MAX; type++) {
		if (!strcmp(trace_event_name(trace, (uint16_t)type), name))
			return true;
	}
	return false;
}

/* An event that is not there is a slip of the pen. */
static int check_names(const struct trace *trace, const char *list)
{
	for (int at = 0; at < word_list_count(list); at++) {
		char *name = word_list_get(list, at);
		int status = 0;

		if (!trace_describes(trace, name))
			status = diag_error("%s: --events: has no event '%s'",
					    trace_info(trace)->path, name);
		free(name);
		if (status)
			return status;
	}
	return 0;
}

static uint32_t source_name(void *context, uint16_t type)
{
	struct page_events *events = context;
	const char *name = trace_event_name(events->trace, type);
	char unknown[32];

	if (*name)
		return trace_intern(events->trace, name);
	snprintf(unknown, sizeof(unknown), "unknown:%u", type);
	return trace_intern(events->trace, unknown);
}

static bool source_is_wanted(void *context, uint16_t type)
{
	const struct page_events *events = context;

	return !events->choice.names ||
	       word_list_find(events->choice.names, trace_event_name(events->trace, type)) >= 0;
}

static bool need_printer(struct page_events *events)
{
	if (events->printer || events->is_unprintable)
		return events->printer;
	events->printer = event_printer_new(trace_info(events->trace)->path);
	events->is_unprintable = !events->printer;
	return events->printer;
}

/* The printer begins while this process is small: a fork makes it copy each page that it writes afterwards. */
static bool source_record(void *context, struct trace_record *record)
{
	struct page_events *events = context;

	need_printer(events);
	return trace_record(events->trace, record);
}

static bool source_add(void *context, uint64_t time_ns, int cpu, const struct trace_record *record)
{
	struct page_events *events = context;

	if (need_printer(events))
		return event_printer_add(events->printer, time_ns, cpu, record);
	events->nr_waiting++;
	return false;
}

static void take_printed(void *context, enum event_print_result result, const char *text)
{
	struct page_events *events = context;

	(void)result;
	events->take(events->taker, text);
}

static void source_flush(void *context, event_text_fn *take, void *taker)
{
	struct page_events *events = context;

	events->take = take;
	events->taker = taker;
	if (events->printer)
		event_printer_flush(events->printer, take_printed, events);
	for (; events->nr_waiting; events->nr_waiting--)
		take(taker, "");
}

static void source_left_out(void *context, uint16_t type, uint64_t nr)
{
	struct page_events *events = context;

	if (events->nr_types < TOLD_BY_NAME)
		events->told[events->nr_types] = (struct left_out_type){ type, nr };
	else
		events->nr_others += nr;
	events->nr_types++;
}

static void source_early(void *context, uint64_t nr)
{
	struct page_events *events = context;

	events->nr_early = nr;
}

struct page_events *page_events_new(struct trace *trace, const struct page_events_choice *choice,
				    uint64_t most_bytes)
{
	struct page_events *events;

	if (choice->names && check_names(trace, choice->names))
		return NULL;
	events = xcalloc(1, sizeof(*events));
	events->trace = trace;
	events->choice = *choice;
	if (!choice->is_given && most_bytes && most_bytes / LIMIT_BYTES_FOR_A_ROW < MOST_ROWS)
		events->choice.most_rows = most_bytes / LIMIT_BYTES_FOR_A_ROW;
	events->source = (struct event_source){
		.context = events,
		.name = source_name,
		.is_wanted = source_is_wanted,
		.record = source_record,
		.add = source_add,
		.flush = source_flush,
		.left_out = source_left_out,
		.early = source_early,
		.most_rows = events->choice.most_rows,
	};
	return events;
}

void page_events_free(struct page_events *events)
{
	if (!events)
		return;
	event_printer_free(events->printer);
	free(events);
}

const struct event_source *page_events_source(const struct page_events *events)
{
	return &events->source;
}

/* "1,234,567" */
struct grouped_count {
	char text[32];
};

static struct grouped_count group_digits(uint64_t count)
{
	struct grouped_count grouped = { "" };
	char plain[24];
	size_t nr_digits = (size_t)snprintf(plain, sizeof(plain), "%" PRIu64, count), nr = 0;

	for (size_t i = 0; i < nr_digits; i++) {
		if (i && (nr_digits - i) % 3 == 0)
			grouped.text[nr++] = ',';
		grouped.text[nr++] = plain[i];
	}
	return grouped;
}

static void tell_several(const struct page_events *events)
{
	const char *path = trace_info(events->trace)->path;
	const struct left_out_type *told = events->told;
	const char *first = trace_event_name(events->trace, told[0].type);
	const char *second = trace_event_name(events->trace, told[1].type);

	if (events->nr_types == TOLD_BY_NAME)
		diag_note("%s: left out: %s events of %s and %s of %s: --events %s,%s puts them in",
			  path, group_digits(told[0].nr).text, first, group_digits(told[1].nr).text,
			  second, first, second);
	else
		diag_note("%s: left out: %s events of %s, %s of %s and %s of %zu other types: "
			  "--events all puts them in",
			  path, group_digits(told[0].nr).text, first, group_digits(told[1].nr).text,
			  second, group_digits(events->nr_others).text,
			  events->nr_types - TOLD_BY_NAME);
}

void page_events_tell(const struct page_events *events)
{
	const char *path = trace_info(events->trace)->path;
	const char *first = trace_event_name(events->trace, events->told[0].type);

	if (events->nr_early)
		diag_note(
			"%s: left out: %s %s before the first one that annot decodes, where the page begins: "
			"annot events prints %s",
			path, group_digits(events->nr_early).text,
			events->nr_early == 1 ? "event" : "events",
			events->nr_early == 1 ? "it" : "them");
	if (!events->choice.most_rows || events->choice.names || !events->nr_types)
		return;
	if (events->nr_types == 1)
		diag_note("%s: left out: %s events of %s: --events %s puts them in", path,
			  group_digits(events->told[0].nr).text, first, first);
	else
		tell_several(events);
}

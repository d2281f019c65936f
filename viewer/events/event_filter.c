// SPDX-License-Identifier: GPL-2.0
#include "events/event_filter.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

#define NR_TYPES 65536

struct event_filter {
	bool given;
	bool takes[NR_TYPES];
	bool takes_all[NR_TYPES]; /* whatever the fields */
	char *condition[NR_TYPES]; /* NULL: none */
};

/* A filter's text, in its parts. */
struct pattern {
	char *system; /* or, without event, either of both */
	char *event; /* NULL: not given */
	const char *expression; /* NULL: not given */
};

struct event_filter *event_filter_new(void)
{
	return xcalloc(1, sizeof(struct event_filter));
}

void event_filter_free(struct event_filter *filter)
{
	if (!filter)
		return;
	for (int type = 0; type < NR_TYPES; type++)
		free(filter->condition[type]);
	free(filter);
}

/* "SYSTEM:EVENT: ...", and "WORD: ...", whose colon a blank follows. Returns what follows the colon, or NULL. */
static const char *find_expression(const char *text)
{
	const char *colon = strchr(text, ':');

	if (colon && colon[1] != ' ')
		colon = strchr(colon + 1, ':');
	return colon ? colon + 1 : NULL;
}

bool event_filter_has_expression(const char *text)
{
	return find_expression(text);
}

static struct pattern parse_pattern(const char *text)
{
	struct pattern pattern = { .expression = find_expression(text) };
	size_t bytes = pattern.expression ? (size_t)(pattern.expression - text) - 1 : strlen(text);

	pattern.system = xstrndup(text, bytes);
	pattern.event = strchr(pattern.system, ':');
	if (pattern.event)
		*pattern.event++ = '\0';
	return pattern;
}

/* @name: "system:event". */
static bool is_meant(const struct pattern *pattern, const char *name)
{
	const char *event = strchr(name, ':') + 1;
	char *system = xstrndup(name, (size_t)(event - name) - 1);
	bool same_system = !fnmatch(pattern->system, system, 0), is_meant;

	if (pattern->event)
		is_meant = same_system && !fnmatch(pattern->event, event, 0);
	else
		is_meant = same_system || !fnmatch(pattern->system, event, 0);
	free(system);
	return is_meant;
}

/* @expression "": none. For libtraceevent, which has another sign between system and event. */
static char *ask_printer(struct event_printer *printer, const char *name, const char *expression)
{
	char *text = xasprintf("%s%s%s", name, *expression ? ":" : "", expression), *error;

	*strchr(text, ':') = '/';
	error = event_printer_add_filter(printer, text);
	free(text);
	return error;
}

/* One more reason to take events of this type. Returns NULL, or what is wrong; free() that. */
static char *add_condition(struct event_filter *filter, struct event_printer *printer,
			   const char *name, uint16_t type, const char *expression)
{
	char *error = ask_printer(printer, name, expression), *before = filter->condition[type];

	if (error)
		return error;
	filter->condition[type] = before ? xasprintf("%s || (%s)", before, expression) :
					   xasprintf("(%s)", expression);
	free(before);
	filter->takes[type] = true;
	return ask_printer(printer, name, filter->takes_all[type] ? "" : filter->condition[type]);
}

static char *take_all(struct event_filter *filter, struct event_printer *printer, const char *name,
		      uint16_t type)
{
	filter->takes[type] = true;
	filter->takes_all[type] = true;
	return filter->condition[type] ? ask_printer(printer, name, "") : NULL;
}

/* Of a name that no event has. */
static int no_such_event(const struct trace *trace, const struct pattern *pattern, const char *text)
{
	const char **names = xcalloc(NR_TYPES + 1, sizeof(*names)), *nearest;
	size_t nr = 0;

	for (int type = 0; type < NR_TYPES; type++) {
		const char *name = trace_event_name(trace, (uint16_t)type);

		if (*name)
			names[nr++] = pattern->event ? name : strchr(name, ':') + 1;
	}
	nearest = nearest_word(text, names);
	diag_error("%s: describes no event '%s'%s%s%s", trace_info(trace)->path, text,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	free(names);
	return -1;
}

static int complain(const struct trace *trace, const struct pattern *pattern, const char *text,
		    const char *error)
{
	char *name = xstrndup(text, pattern->expression ? (size_t)(pattern->expression - text) - 1 :
							  strlen(text));
	int status = error ? diag_error("%s: filter '%s': %s", trace_info(trace)->path, text,
					error) :
			     no_such_event(trace, pattern, name);

	free(name);
	return status;
}

static int add_pattern(struct event_filter *filter, const struct trace *trace,
		       struct event_printer *printer, const struct pattern *pattern,
		       const char *text)
{
	char *first_error = NULL;
	size_t nr_taken = 0;

	for (int type = 0; type < NR_TYPES; type++) {
		const char *name = trace_event_name(trace, (uint16_t)type);
		char *error;

		if (!*name || !is_meant(pattern, name))
			continue;
		error = pattern->expression ? add_condition(filter, printer, name, (uint16_t)type,
							    pattern->expression) :
					      take_all(filter, printer, name, (uint16_t)type);
		nr_taken += !error;
		if (first_error)
			free(error);
		else
			first_error = error;
	}
	if (!nr_taken)
		complain(trace, pattern, text, first_error);
	free(first_error);
	return nr_taken ? 0 : -1;
}

int event_filter_add(struct event_filter *filter, const struct trace *trace,
		     struct event_printer *printer, const char *text)
{
	struct pattern pattern = parse_pattern(text);
	int status = add_pattern(filter, trace, printer, &pattern, text);

	free(pattern.system);
	filter->given = true;
	return status;
}

bool event_filter_takes(const struct event_filter *filter, uint16_t type)
{
	return !filter->given || filter->takes[type];
}

bool event_filter_has_condition(const struct event_filter *filter, uint16_t type)
{
	return filter->condition[type] && !filter->takes_all[type];
}

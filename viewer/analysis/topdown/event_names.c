// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/event_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/events/event_rates.h"

#define NAME_BYTES 128

struct plain_name {
	char pmu[NAME_BYTES]; /* "": not told */
	char event[NAME_BYTES]; /* "uops_issued.any" */
};

static bool is_one_of(const char *name, const char *const *words)
{
	for (; *words; words++) {
		if (!strcmp(name, *words))
			return true;
	}
	return false;
}

static bool is_modifier(const char *part)
{
	static const char *const words[] = { "u", "k", "uk", "ku", NULL };

	return is_one_of(part, words) || strchr(part, '=');
}

/* Modifiers stand at the end. */
static void drop_modifiers(char *event)
{
	char *last;

	while ((last = strrchr(event, '.')) && is_modifier(last + 1))
		*last = '\0';
}

/* All names of what has several. */
static const char *common_name(const char *event)
{
	static const char *const cycles[] = { "cpu_clk_unhalted.thread",
					      "cpu_clk_unhalted.thread_p", NULL };
	static const char *const slots[] = { "topdown.slots", "topdown.slots_p", NULL };

	if (event_is_cycles(event) || is_one_of(event, cycles))
		return "cycles";
	if (event_is_instructions(event))
		return "instructions";
	return is_one_of(event, slots) ? "slots" : event;
}

/* "cpu/NAME/u", "PMU::NAME:MASK:u" and "NAME.MASK" */
static struct plain_name plain_name_of(const char *name)
{
	struct plain_name plain = { .pmu = "" };
	const char *event = name, *separator = strstr(name, "::");
	char own[NAME_BYTES];

	if (separator) {
		snprintf(plain.pmu, sizeof(plain.pmu), "%.*s", (int)(separator - name), name);
		event = separator + 2;
	} else if ((separator = strchr(name, '/'))) {
		event = separator + 1;
	}
	snprintf(own, sizeof(own), "%.*s", (int)strcspn(event, "/"), event);
	for (char *at = own; *at; at++)
		*at = *at == ':' ? '.' : (char)tolower((unsigned char)*at);
	drop_modifiers(own);
	snprintf(plain.event, sizeof(plain.event), "%s", common_name(own));
	return plain;
}

static bool is_meant(const struct plain_name *asked, const char *name)
{
	struct plain_name plain = plain_name_of(name);

	return !strcmp(asked->event, plain.event) &&
	       (!asked->pmu[0] || !strcasecmp(asked->pmu, plain.pmu));
}

static unsigned int sides_of(const struct pmu_event *event)
{
	return (event->user ? EVENT_USER : 0) | (event->kernel ? EVENT_KERNEL : 0);
}

/* The bit of the counter; 0: there is none. */
static uint32_t find_counter(const struct model *model, const struct plain_name *asked,
			     unsigned int sides)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (event->is_counted && !event->error && !event->is_merged &&
		    sides_of(event) == sides &&
		    is_meant(asked, trace_string(model->trace, event->name)))
			return 1u << event->counter;
	}
	return 0;
}

struct counted_event counted_event_find(const struct model *model, const char *name,
					unsigned int sides)
{
	struct plain_name asked = plain_name_of(name);
	uint32_t one = find_counter(model, &asked, sides), user, kernel;

	if (one || sides != EVENT_BOTH)
		return (struct counted_event){ one };
	user = find_counter(model, &asked, EVENT_USER);
	kernel = find_counter(model, &asked, EVENT_KERNEL);
	return (struct counted_event){ user && kernel ? user | kernel : 0 };
}

// SPDX-License-Identifier: GPL-2.0
#include "pmu/listing.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/aliases.h"
#include "pmu/encode.h"
#include "pmu/names.h"
#include "pmu/places.h"
#include "pmu/request.h"
#include "pmu/sysfs_event.h"
#include "pmu/uncore.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define ALIAS_COLUMNS 16
#define COUNTS_COLUMNS 27
#define EVENT_COLUMNS 24
#define UNCORE_COLUMNS 36
#define NOT_HERE "(none on this CPU)"

static bool passes_filter(const struct pmu_listing *listing, const char *name, const char *text)
{
	const char *filter = listing->filter;

	return !filter || strcasestr(name, filter) || strcasestr(text, filter);
}

static bool wants_alias(const struct pmu_listing *listing, const struct pmu_code *code, bool here)
{
	return !listing->software_only || (here && code->is_software);
}

/* A part of the list. On a terminal, its heading comes before its first line. */
struct section {
	const struct pmu_listing *listing;
	const char *heading;
	size_t nr_printed;
};

static void begin_line(struct section *section)
{
	if (!section->nr_printed++ && section->listing->width)
		fputs(section->heading, section->listing->out);
}

/* Where two events go together, which does what. */
static char *event_text(const struct pmu_alias *alias, const struct pmu_code *code,
			const char *stands_for)
{
	switch (pmu_places_of(alias, code)) {
	case PLACES_OF_IBS:
		return xasprintf("%s%s, places by ibs_op", stands_for, code ? ": counts" : "");
	case PLACES_MISSING:
		return xasprintf("%s%s, no IBS here for places", stands_for,
				 code ? ": counts" : "");
	default:
		return xstrndup(stands_for, strlen(stands_for));
	}
}

static void print_alias(struct section *section, const struct pmu_alias *alias)
{
	const struct pmu_listing *listing = section->listing;
	struct pmu_code code = { 0 };
	char why[REQUEST_WHY_BYTES];
	bool here = pmu_encode(alias->name, true, true, &code, why, sizeof(why)) == PMU_ENCODED;
	const char *stands_for = here ? code.stands_for : NOT_HERE;
	char *event = event_text(alias, here ? &code : NULL, stands_for);

	if (wants_alias(listing, &code, here) &&
	    (passes_filter(listing, alias->name, alias->counts) ||
	     passes_filter(listing, event, event))) {
		int column;

		begin_line(section);
		column = fprintf(listing->out, "%-*s %c %-*s ", ALIAS_COLUMNS, alias->name,
				 code.precise ? 'p' : '-', COUNTS_COLUMNS, alias->counts);
		text_cut(listing->out, listing->width, column, event);
	}
	free(event);
	free(code.stands_for);
}

static size_t print_aliases(const struct pmu_listing *listing)
{
	struct section section = {
		.listing = listing,
		.heading = "ALIAS            P COUNTS                      EVENT\n",
	};
	const struct pmu_alias *all;
	size_t nr = pmu_aliases(&all);

	for (size_t i = 0; i < nr; i++)
		print_alias(&section, &all[i]);
	return section.nr_printed;
}

/* libpfm4 describes most of the kernel's generic events by their own names. */
static bool is_worth_a_line(const struct pmu_names_event *event)
{
	return event->pmu->is_cpu || event->same_as;
}

static bool needs_no_pmu(const struct pmu_names_event *event)
{
	struct pmu_code code;
	char why[REQUEST_WHY_BYTES];
	bool is_software;

	if (pmu_encode(event->name, true, true, &code, why, sizeof(why)) != PMU_ENCODED)
		return false;
	is_software = code.is_software;
	free(code.stands_for);
	return is_software;
}

static bool print_event_line(const struct pmu_names_event *event, void *context)
{
	struct section *section = context;
	const struct pmu_listing *listing = section->listing;
	const char *text = event->same_as ? event->same_as : event->description;
	int column;

	if (!is_worth_a_line(event) || !passes_filter(listing, event->name, event->description) ||
	    (listing->software_only && !needs_no_pmu(event)))
		return true;
	begin_line(section);
	column = fprintf(listing->out, "%-*s %c %s", EVENT_COLUMNS, event->name,
			 event->precise ? 'p' : '-', event->same_as ? "= " : "");
	text_cut(listing->out, listing->width, column, text);
	return true;
}

static void print_uncore_line(void *context, const char *name, const struct uncore_event *event)
{
	struct section *section = context;
	const struct pmu_listing *listing = section->listing;
	const char *unit = *event->unit ? event->unit : "events";
	int column;

	if (!passes_filter(listing, name, unit))
		return;
	begin_line(section);
	column = fprintf(listing->out, "%-*s - ", UNCORE_COLUMNS, name);
	text_cut(listing->out, listing->width, column, unit);
}

/* They need no PMU of the CPU. */
static size_t print_uncore(const struct pmu_listing *listing)
{
	struct section section = {
		.listing = listing,
		.heading = "\nEVENT OF A SOCKET, --count           P COUNTS\n",
	};

	uncore_for_each(SYSFS_PMUS, print_uncore_line, &section);
	return section.nr_printed;
}

size_t pmu_listing_print(const struct pmu_listing *listing)
{
	struct section section = {
		.listing = listing,
		.heading = "\nEVENT                    P COUNTS\n",
	};
	size_t nr_aliases = print_aliases(listing);
	const struct pmu_names_pmu *pmus;
	size_t nr_pmus = pmu_names_pmus(&pmus);

	for (size_t i = 0; i < nr_pmus; i++) {
		if (!pmus[i].is_cpu || !listing->software_only)
			pmu_names_for_each(&pmus[i], print_event_line, &section);
	}
	return nr_aliases + section.nr_printed + print_uncore(listing);
}

static void print_field(const struct pmu_listing *listing, const char *name, const char *text)
{
	int column = fprintf(listing->out, "%-10s ", name);

	text_wrap(listing->out, listing->width, column, text);
}

static void print_attribute(const struct pmu_listing *listing,
			    const struct pmu_names_attribute *attribute)
{
	bool same = attribute->same_as;
	char name[64], text[512];
	int column;

	snprintf(name, sizeof(name), ":%s%s", attribute->name, attribute->takes_number ? "=N" : "");
	snprintf(text, sizeof(text), "%s%s%s", same ? "= " : "",
		 same ? attribute->same_as : attribute->description,
		 attribute->is_default ? " (if none is given)" : "");
	column = fprintf(listing->out, "  %-*s %c ", EVENT_COLUMNS - 2, name,
			 attribute->precise ? 'p' : '-');
	text_wrap(listing->out, listing->width, column, text);
}

/* Of libpfm4's modifiers, those that annot does not take. */
static bool is_refused(const struct pmu_names_attribute *attribute)
{
	static const char *const refused[] = { "freq", "excl",	 "mg", "mh",
					       "cpu",  "pinned", "h",  "hw_smpl" };

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (!attribute->is_mask && !strcmp(attribute->name, refused[i]))
			return true;
	}
	return false;
}

static void print_attributes(const struct pmu_listing *listing, const struct pmu_names_event *event,
			     bool masks)
{
	const char *title = masks ? "masks:" : "modifiers:";
	struct pmu_names_attribute attribute;

	for (int i = 0; pmu_names_attribute(event, i, &attribute); i++) {
		if (attribute.is_mask != masks || is_refused(&attribute))
			continue;
		if (title)
			fprintf(listing->out, "\n%s\n", title);
		title = NULL;
		print_attribute(listing, &attribute);
	}
}

static void print_library_event(const struct pmu_listing *listing,
				const struct pmu_names_event *event)
{
	print_field(listing, "event", event->name);
	print_field(listing, "of", event->pmu->description);
	print_field(listing, "counts", event->description);
	if (event->same_as)
		print_field(listing, "same as", event->same_as);
	if (event->pmu->is_cpu)
		print_field(listing, "precise",
			    event->precise ? "yes, with the masks marked p" : "no");
	print_attributes(listing, event, true);
	print_attributes(listing, event, false);
}

static void print_candidates(const struct pmu_listing *listing, const struct pmu_alias *alias)
{
	char list[512] = "";

	for (int i = 0; alias->candidates[i]; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 alias->candidates[i]);
	print_field(listing, "first of", list);
}

static void print_alias_parameter(const struct pmu_listing *listing, const struct pmu_alias *alias)
{
	char text[96];

	if (!alias->parameter)
		return;
	snprintf(text, sizeof(text), "%s:THRESHOLD, in cycles; %u if none is given", alias->name,
		 alias->parameter_default);
	print_field(listing, "parameter", text);
}

/* The event of libpfm4 that @stands_for, which has masks, belongs to. */
static void print_its_event(const struct pmu_listing *listing, const char *stands_for)
{
	size_t length = strcspn(stands_for, ":");
	char base[96];
	struct pmu_names_event event;

	snprintf(base, sizeof(base), "%.*s", (int)length, stands_for);
	if (!pmu_names_find(base, &event))
		return;
	putc('\n', listing->out);
	print_library_event(listing, &event);
}

static void print_places(const struct pmu_listing *listing, const struct pmu_alias *alias,
			 const struct pmu_code *code)
{
	switch (pmu_places_of(alias, code)) {
	case PLACES_OF_IBS:
		print_field(listing, "places",
			    "by ibs_op, which annot record -e takes beside it: instruction, "
			    "address, latency and level. The event itself is for counts and "
			    "density. With :precise=0 it is taken alone");
		break;
	case PLACES_MISSING:
		print_field(listing, "places",
			    "unknown: ibs_op would tell them, but the kernel has no IBS here");
		break;
	default:
		break;
	}
}

static void print_whole_alias(const struct pmu_listing *listing, const struct pmu_alias *alias)
{
	struct pmu_code code = { 0 };
	char why[REQUEST_WHY_BYTES];
	bool here = pmu_encode(alias->name, true, true, &code, why, sizeof(why)) == PMU_ENCODED;

	print_field(listing, "alias", alias->name);
	print_field(listing, "counts", alias->counts);
	print_field(listing, "here", here ? code.stands_for : NOT_HERE);
	if (here)
		print_field(listing, "precise", code.precise ? "yes" : "no");
	print_places(listing, alias, here ? &code : NULL);
	print_alias_parameter(listing, alias);
	print_candidates(listing, alias);
	if (here)
		print_its_event(listing, code.stands_for);
	free(code.stands_for);
}

bool pmu_listing_print_event(const struct pmu_listing *listing, const char *name)
{
	const struct pmu_alias *alias = pmu_alias_find(name, strlen(name));
	struct pmu_names_event event;

	if (alias) {
		print_whole_alias(listing, alias);
		return true;
	}
	if (!pmu_names_find(name, &event))
		return false;
	print_library_event(listing, &event);
	return true;
}

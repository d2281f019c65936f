// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/event_names.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/listing.h"
#include "pmu/names.h"
#include "pmu/refusal.h"

/* A listing's lines begin with the event's name. */
static void print_names(FILE *out, char *lines)
{
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		fprintf(out, "%.*s\n", (int)strcspn(line, " "), line);
}

void event_names_offer(FILE *out)
{
	struct pmu_listing listing = { 0 };
	struct pmu_refusal_facts facts;
	char *lines = NULL;
	size_t size;

	if (pmu_names_open(NULL))
		return;
	pmu_refusal_read_facts(&facts);
	listing.software_only = !facts.has_pmu && !pmu_names_are_forced();
	listing.out = open_memstream(&lines, &size);
	if (!listing.out)
		return;
	pmu_listing_print(&listing);
	fclose(listing.out);
	print_names(out, lines);
	free(lines);
}

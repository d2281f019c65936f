/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints events for annot list: a line each, or all about one.
 */
#ifndef ANNOT_PMU_LISTING_H
#define ANNOT_PMU_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pmu_listing {
	FILE *out;
	int width; /* of a line; 0: no limit */
	const char *filter; /* only events with this text in their line, ignoring case; NULL: all */
	bool software_only; /* without a PMU: only software events */
};

/* Prints our own names, libpfm4's, and those of sockets (uncore.h). Returns the number of lines. */
size_t pmu_listing_print(const struct pmu_listing *listing);

/*
 * Prints all about the event with exactly this name, ours or libpfm4's. Returns false if there is
 * none.
 */
bool pmu_listing_print_event(const struct pmu_listing *listing, const char *name);

#endif /* ANNOT_PMU_LISTING_H */

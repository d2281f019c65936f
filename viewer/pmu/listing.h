/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events as annot list prints them: a line each, or all about one.
 */
#ifndef ANNOT_PMU_LISTING_H
#define ANNOT_PMU_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pmu_listing {
	FILE *out;
	int width; /* of a line; 0: whatever it takes */
	const char *filter; /* only what has this in its line, in either case; NULL: all */
	bool software_only; /* there is no PMU: only what needs none */
};

/* Our own names, then libpfm4's. Returns how many lines of events there were. */
size_t pmu_listing_print(const struct pmu_listing *listing);

/* All about the event of exactly this name, ours or libpfm4's. False: there is none. */
bool pmu_listing_print_event(const struct pmu_listing *listing, const char *name);

#endif /* ANNOT_PMU_LISTING_H */

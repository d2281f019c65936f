/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Our own names for the most important events, the same on every CPU: those of hardmeter. Each
 * means the first of its candidates that libpfm4 knows on this CPU. There are only names here, no
 * codes.
 */
#ifndef ANNOT_PMU_ALIASES_H
#define ANNOT_PMU_ALIASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALIAS_MAX_CANDIDATES 7

struct pmu_alias {
	const char *name;
	const char *counts; /* what it counts, in a few words */
	const char *parameter; /* NULL, or the modifier that a number after the name sets */
	unsigned int parameter_default;
	bool is_of_data; /* it happens at an address, which is worth a sample's while */
	uint64_t default_period; /* where nobody says another; 0: as of all events */
	const char *candidates[ALIAS_MAX_CANDIDATES + 1]; /* the best first; NULL: end */
};

/* All aliases, in the order of display. Returns their number. */
size_t pmu_aliases(const struct pmu_alias **all);

/* The alias whose name is the first @length bytes of @name, ignoring case; NULL: none. */
const struct pmu_alias *pmu_alias_find(const char *name, size_t length);

#endif /* ANNOT_PMU_ALIASES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of ours for what matters most, the same on every CPU: hardmeter's. Each stands for the first
 * of its candidates that libpfm4 knows on this CPU; only names stand here, no codes.
 */
#ifndef ANNOT_PMU_ALIASES_H
#define ANNOT_PMU_ALIASES_H

#include <stddef.h>

#define ALIAS_MAX_CANDIDATES 7

struct pmu_alias {
	const char *name;
	const char *counts; /* what, in a few words */
	const char *parameter; /* NULL, or the modifier that a number behind the name sets */
	unsigned int parameter_default;
	const char *candidates[ALIAS_MAX_CANDIDATES + 1]; /* the best first; NULL: end */
};

/* All of them, in the order in which to show them. Returns how many. */
size_t pmu_aliases(const struct pmu_alias **all);

/* The one whose name is the first @length bytes of @name, in either case; NULL: none. */
const struct pmu_alias *pmu_alias_find(const char *name, size_t length);

#endif /* ANNOT_PMU_ALIASES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each kind of finding is, how it is found and seen, and what is known to cure it.
 */
#ifndef ANNOT_CATALOGUE_H
#define ANNOT_CATALOGUE_H

#include "analysis/base/findings.h"

struct catalogue_entry {
	const char *title; /* in a few words */
	const char *what;
	const char *found; /* the definition */
	const char *seen; /* in the page and in reports */
	const char *const *cures; /* NULL behind the last */
};

/* Of each kind there is one. */
const struct catalogue_entry *catalogue_entry(enum finding_kind kind);

#endif /* ANNOT_CATALOGUE_H */

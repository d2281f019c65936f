/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts about each kind of finding: what it means, how annot finds it, how to see it, known cures. They
 * stand beside the analysis that finds it.
 */
#ifndef ANNOT_CATALOGUE_H
#define ANNOT_CATALOGUE_H

#include "analysis/base/findings.h"

struct catalogue_entry {
	enum finding_kind kind;
	const char *title; /* a few words */
	const char *what;
	const char *definition; /* how annot finds it */
	const char *how_to_see; /* in the page and in reports */
	const char *const *cures; /* the last is NULL */
};

#define CATALOGUE_CURES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* The entry of @kind; never NULL. */
const struct catalogue_entry *catalogue_entry(enum finding_kind kind);

#endif /* ANNOT_CATALOGUE_H */

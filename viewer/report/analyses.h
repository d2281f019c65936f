/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All analyses of a timeline, and the findings that they come to. Each analysis is a part: how it is
 * made of the timeline, what it finds, and how it is told, as text and as JSON; insights.c has the
 * list of them.
 */
#ifndef ANNOT_INSIGHTS_H
#define ANNOT_INSIGHTS_H

#include <stdio.h>

#include "analysis/base/findings.h"
#include "analysis/base/task_stats.h"
#include "util/json.h"

struct insights;
struct region;

struct insight_part {
	const char *name; /* of its JSON key, and for annot report --show */
	const char *help; /* in annot report --help: a few words */
	/* What it needs of parts before it in the list, insights_of() has. Never fails. */
	void *(*analyse)(const struct insights *insights);
	void (*free)(void *result);
	void (*find)(const struct insights *insights, const void *result,
		     struct findings *findings); /* NULL: finds nothing */
	void (*text)(const struct insights *insights, const void *result, FILE *out);
	/* One value. */
	void (*json)(const struct insights *insights, const void *result, struct json *json);
};

struct insights {
	const struct model *model;
	const struct analysis *analysis;
	bool names_addresses; /* files that the trace names may be opened, to name addresses */
	struct findings findings;
	double threshold_pct; /* of the tree of tasks: what takes less is not told */
	const struct region *region; /* chosen for its critical path; NULL: none */
	size_t nr_parts;
	void **results; /* beside the list of parts */
};

/*
 * Never fails. @model and @analysis must live as long. insights_free() frees it. Addresses stay
 * numbers; the second names them, for which it opens files that the trace names.
 */
struct insights *insights_new(const struct model *model, const struct analysis *analysis);
struct insights *insights_new_named(const struct model *model, const struct analysis *analysis);
void insights_free(struct insights *insights);

/*
 * Takes the parallel region that @choice names, to tell its critical path: NAME, the instance with
 * most to save, or NAME:N, the Nth one from 1 on. Returns 0, or -1 after telling that there is none.
 */
int insights_choose_region(struct insights *insights, const char *choice);

/* What @part came to. */
const void *insights_of(const struct insights *insights, const struct insight_part *part);

/* NULL behind the last. */
const struct insight_part *const *insights_parts(void);

/* The findings, as text; that there is none is said, too. */
void insights_findings_text(const struct insights *insights, FILE *out);

/* Whether @list, names of parts with commas in between, or "all", has @part. */
bool insights_list_has(const char *list, const struct insight_part *part);

/* The first name in @list that is of no part, and its length; or NULL. */
const char *insights_list_unknown(const char *list, size_t *length);

/* The parts in @list, which may be NULL, each with an empty line before it. */
void insights_text(const struct insights *insights, const char *list, FILE *out);

/*
 * Keys of the object that @json is in: "session", "findings", "catalogue" (what annot explain tells of
 * the kinds that were found), and one of each part.
 */
void insights_json(const struct insights *insights, struct json *json);

#endif /* ANNOT_INSIGHTS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All analyses of a model, and the findings that they come to. An analysis is described by how it is
 * computed, what it finds, and how it is written, as text and as JSON; analysis_list.h has the list.
 */
#ifndef ANNOT_ANALYSES_H
#define ANNOT_ANALYSES_H

#include <stdio.h>

#include "analysis/base/findings.h"
#include "analysis/tasks/task_stats.h"
#include "analysis/instances/deadlines.h"
#include "analysis/topdown/metric_dir.h"
#include "report/catalogue.h"
#include "util/text/json.h"

struct analyses;
struct analysis_table;
struct region;
struct schema_member;

struct analysis_desc {
	const char *name; /* of its JSON key, and for annot report --show */
	const char *help; /* in annot report --help: a few words */
	const char *title; /* above its tables, and of its tab in the page; NULL: has no tables */
	const struct analysis_table
		*tables; /* without a key: the end; NULL: none (analysis_table.h) */
	size_t first_optional; /* of the tables, from this one on: in text only if it has rows; 0: none */
	/* Of each kind that it finds, ended by an entry without a title. NULL: finds nothing. */
	const struct catalogue_entry *catalogue;
	/*
	 * Reads the model, and the result of what it needs: analyses_result(). Of others, the results may not be there yet.
	 * Several analyses are computed at once. Never fails.
	 */
	void *(*compute)(const struct analyses *analyses);
	const struct analysis_desc *needs; /* stands before it in the list; NULL: nothing */
	bool takes_longest; /* of long traces, or nearly so: begun before others, so that none waits for it. Needs nothing */
	bool interns_names; /* computed alone, before all others: the trace has them as strings then. Needs nothing */
	void (*free)(void *result);
	void (*add_findings)(const struct analyses *analyses, const void *result,
			     struct findings *findings); /* NULL: finds nothing */
	/* NULL, or why there is no result. Without this, there always is one. */
	const char *(*not_computed)(const void *result);
	/* Without these two, title and tables are written. */
	void (*write_text)(const struct analyses *analyses, const void *result, FILE *out);
	/* One value. */
	void (*write_json)(const struct analyses *analyses, const void *result, struct json *json);
	const struct schema_member *members; /* of that value, beside the tables; NULL: none */
	bool may_be_null; /* that value */
};

struct analyses {
	const struct model *model;
	const struct task_stats *stats;
	const struct deadlines *deadlines; /* NULL: none */
	const struct metric_dir *metrics; /* NULL: none */
	bool names_addresses; /* files that the trace names may be opened, to name addresses */
	/* These names, for all that is written of findings and tables: see address_label_symbols(). */
	struct symbols **symbols;
	struct findings findings;
	double threshold_pct; /* of the tree of tasks: what takes less is left out */
	const struct region *region; /* chosen for its critical path; NULL: none */
	size_t nr;
	const struct analysis_desc *const *descs;
	void **results; /* in the order of descs */
};

/*
 * Never fails. @model and @stats must live as long. analyses_free() frees it. Addresses stay
 * numbers; the second names them, for which it opens files that the trace names, and takes @deadlines and @metrics, which may
 * be NULL.
 */
struct analyses *analyses_new(const struct model *model, const struct task_stats *stats);
struct analyses *analyses_new_named(const struct model *model, const struct task_stats *stats,
				    const struct deadlines *deadlines,
				    const struct metric_dir *metrics);
void analyses_free(struct analyses *analyses);

/* What @desc came to. */
static inline const void *analyses_result(const struct analyses *analyses,
					  const struct analysis_desc *desc)
{
	for (size_t i = 0; i < analyses->nr; i++) {
		if (analyses->descs[i] == desc)
			return analyses->results[i];
	}
	return NULL;
}

/* The findings, as text; that there is none is said, too. */
void analyses_findings_text(const struct analyses *analyses, FILE *out);

/* Whether @list, names of analyses with commas in between, or "all", has @desc. */
bool analyses_list_has(const char *list, const struct analysis_desc *desc);

/* The first name in @list that is of no analysis, and its length; or NULL. */
const char *analyses_list_unknown(const char *list, size_t *length);

/* The analyses in @list, which may be NULL, each with an empty line before it. */
void analyses_text(const struct analyses *analyses, const char *list, FILE *out);

/* Members of the object that @json is in: what stands before a finding's evidence, and behind it. */
void analyses_json_finding(struct json *json, const struct model *model,
			   const struct finding *finding);
void analyses_json_caveats(struct json *json, const struct finding *finding);

/*
 * Keys of the object that @json is in: "session", "findings", "catalogue" (what annot explain tells of
 * the kinds that were found), and one of each analysis.
 */
void analyses_json(const struct analyses *analyses, struct json *json);

#endif /* ANNOT_ANALYSES_H */

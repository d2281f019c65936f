/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures in the forms that annot report prints: for people, for programs, for tables.
 */
#ifndef ANNOT_REPORT_H
#define ANNOT_REPORT_H

#include <stdio.h>

#include "analysis/base/task_stats.h"
#include "model/model.h"
#include "report/analyses.h"

/* Of the JSON: counts incompatible changes. Keys may be added without one. */
#define REPORT_JSON_VERSION 1

#define REPORT_MAX_SORT_KEYS 8

struct report {
	const struct model *model;
	const struct task_stats *stats;
	const struct analyses *analyses;
	const char
		*shown; /* parts of the analyses to print as well, commas in between; NULL: none */
	size_t *tasks; /* indices in analysis->tasks, in the order to print */
	size_t *threads; /* indices in analysis->threads, likewise */
	bool all_threads; /* in the text, those of no interest to the session, too */
};

struct sort_key;

/* NULL if there is none of that name; report_sort_keys() lists them, NULL at the end. */
const struct sort_key *report_sort_key(const char *name);
const char *const *report_sort_keys(void);

/* Makes report->tasks and ->threads, by the @nr keys, the first above all; then by the default. */
void report_sort(struct report *report, const struct sort_key *const *keys, size_t nr);
void report_free(struct report *report);

void report_text(const struct report *report, FILE *out);
void report_json(const struct report *report, FILE *out);
void report_csv(const struct report *report, FILE *out);

/* In the text: what keeps measurements from being complete; what was measured, of each task. */
void report_event_losses(const struct model *model, FILE *out);
void report_events(const struct report *report, FILE *out);

/* Whether the text shows thread @thread: it is of the session, or there is no such thing. */
bool report_shows(const struct report *report, uint32_t thread);

const char *report_comm(const struct report *report, uint32_t thread);

#endif /* ANNOT_REPORT_H */

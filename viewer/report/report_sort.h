/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which tasks and threads annot report prints, and in what order.
 */
#ifndef ANNOT_REPORT_SORT_H
#define ANNOT_REPORT_SORT_H

#include "report/report.h"

#define REPORT_MAX_SORT_KEYS 8

struct sort_key;

/* NULL if there is none of that name; report_sort_keys() lists them, NULL at the end. */
const struct sort_key *report_sort_key(const char *name);
const char *const *report_sort_keys(void);

/* Makes report->tasks and ->threads, by the @nr keys, the first above all; then by the default. */
void report_sort(struct report *report, const struct sort_key *const *keys, size_t nr);
void report_free(struct report *report);

/* Whether the text shows thread @thread: it is of the session, or there is no such thing. */
bool report_shows(const struct report *report, uint32_t thread);

const char *report_comm(const struct report *report, uint32_t thread);

#endif /* ANNOT_REPORT_SORT_H */

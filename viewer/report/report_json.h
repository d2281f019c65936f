/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures for programs, and the part of them that several reports have.
 */
#ifndef ANNOT_REPORT_JSON_H
#define ANNOT_REPORT_JSON_H

#include <stdio.h>

#include "analysis/tasks/task_events.h"
#include "model/model.h"
#include "report/report.h"
#include "util/text/json.h"

/* Of the JSON: counts incompatible changes. Keys may be added without one. */
#define REPORT_JSON_VERSION 1

/* "trace": what is true of all of it. @events are the figures of everything that was measured. */
void report_json_trace(struct json *json, const struct model *model,
		       const struct event_figures *events);

/* The sums over a task: members of the object that @json is in. */
void report_json_task(struct json *json, const struct model *model, const struct task *task);

void report_json(const struct report *report, FILE *out);

#endif /* ANNOT_REPORT_JSON_H */

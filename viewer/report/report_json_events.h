/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was measured, in the JSON. Each function writes a key and its value.
 */
#ifndef ANNOT_REPORT_JSON_EVENTS_H
#define ANNOT_REPORT_JSON_EVENTS_H

#include "analysis/tasks/task_events.h"
#include "model/model.h"
#include "util/text/json.h"

/* "pmu": the events, and what became of each. */
void report_json_pmu(struct json *json, const struct model *model,
		     const struct event_figures *events);

/* "damaged", "odd_slice_counts": what was left out. */
void report_json_damage(struct json *json, const struct model *model);

/* "events": the figures of one task or thread. */
void report_json_events(struct json *json, const struct model *model,
			const struct event_figures *events);

#endif /* ANNOT_REPORT_JSON_EVENTS_H */

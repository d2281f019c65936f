/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the JSON that several reports have. Each writes a key and its value.
 */
#ifndef ANNOT_REPORT_JSON_H
#define ANNOT_REPORT_JSON_H

#include "analysis/base/events.h"
#include "model/model.h"
#include "util/json.h"

/* "trace": what is true of all of it. @events are the figures of everything that was measured. */
void report_json_trace(struct json *json, const struct model *model,
		       const struct event_figures *events);

/* "pmu": the events, and what became of each. */
void report_json_pmu(struct json *json, const struct model *model,
		     const struct event_figures *events);

/* "damaged", "odd_slice_counts": what was left out. */
void report_json_damage(struct json *json, const struct model *model);

/* "events": the figures of one task or thread. */
void report_json_events(struct json *json, const struct model *model,
			const struct event_figures *events);

#endif /* ANNOT_REPORT_JSON_H */

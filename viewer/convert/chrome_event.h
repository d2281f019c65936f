/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Single events of Chrome's trace event format. One that is begun may be given "args" (the caller's,
 * a key of the object that is open) before chrome_event_end().
 */
#ifndef ANNOT_CONVERT_CHROME_EVENT_H
#define ANNOT_CONVERT_CHROME_EVENT_H

#include "convert/lane.h"
#include "util/text/json.h"

/* Of any phase: what all of them have. */
void chrome_event_begin(struct json *json, const char *phase, struct lane lane,
			const char *category, const char *name, uint64_t time_ns);
void chrome_event_end(struct json *json);

/* A slice ("X"). */
void chrome_event_begin_slice(struct json *json, struct lane lane, const char *category,
			      const char *name, uint64_t start_ns, uint64_t end_ns);

/* One with an id: of a flow ("s", "f") or of what may overlap others ("b", "e"). */
void chrome_event_with_id(struct json *json, const char *phase, struct lane lane,
			  const char *category, const char *name, uint64_t time_ns, uint64_t id);

/* "args", left open. */
void chrome_event_begin_args(struct json *json);
void chrome_event_end_args(struct json *json);

#endif /* ANNOT_CONVERT_CHROME_EVENT_H */

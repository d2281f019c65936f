/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the annot_config of a PMU event: key=value pairs, described in trace/events/annot.h.
 */
#ifndef ANNOT_TRACE_LINES_PMU_CONFIG_H
#define ANNOT_TRACE_LINES_PMU_CONFIG_H

#include "util/string_table.h"
#include "trace/event.h"

/* Whether @text describes a PMU event, and not the recording. */
bool pmu_config_is(const char *text);

/*
 * Fills @event from @text, whose string id is @id (the caller sets time, cpu and tid). Returns
 * false if a value is invalid or a required key is missing.
 */
bool pmu_config_parse(const char *text, uint32_t id, struct string_table *strings,
		      struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_PMU_CONFIG_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The annot_config of an event that is sampled or counted: key=value pairs, described where the
 * event is (trace/events/annot.h).
 */
#ifndef ANNOT_TRACE_DECODE_PMU_CONFIG_H
#define ANNOT_TRACE_DECODE_PMU_CONFIG_H

#include "util/string_table.h"
#include "trace/event.h"

/* Whether @text speaks of such an event, rather than of the recording. */
bool pmu_config_is(const char *text);

/*
 * Fills @event from @text, whose string id is @id (time, cpu and tid are the caller's). False: a
 * value cannot be, or what makes an event is missing.
 */
bool pmu_config_parse(const char *text, uint32_t id, struct string_table *strings,
		      struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_PMU_CONFIG_H */

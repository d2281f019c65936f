/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a page tells of its trace beside the timeline: findings, and all analyses.
 */
#ifndef ANNOT_ANALYSIS_JSON_H
#define ANNOT_ANALYSIS_JSON_H

#include "model/filter.h"

/*
 * Analyses hold the whole timeline, about 45 bytes an event: 140 MB of so many. A page alone takes little
 * memory.
 */
#define ANALYSIS_MOST_EVENTS 3000000

/*
 * Reads the trace @path, or what @filter (NULL: all) keeps of it. Returns 0 and in @out, which is to
 * be freed, an object as insights_json() has it; of a trace of more than about @most_events (those
 * in batches counted one by one), one that says so: {"left_out": {"events": n, "most_events": m}}. Or -1 after one line on stderr:
 * it cannot be read. What is missing of it, whoever reads it otherwise will tell.
 */
int analysis_json(const char *path, const struct model_filter *filter, uint64_t most_events,
		  char **out);

#endif /* ANNOT_ANALYSIS_JSON_H */

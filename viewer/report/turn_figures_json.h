/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the page: the figures of events that took turns, of the whole trace. From the counts of slices alone, the page cannot tell how
 * far off they may be.
 */
#ifndef ANNOT_TURN_FIGURES_JSON_H
#define ANNOT_TURN_FIGURES_JSON_H

#include "analysis/tasks/task_stats.h"
#include "model/model.h"
#include "util/text/json.h"

/*
 * "turns", if any event took turns: "events", the index and the name of each; "all", and of "tasks" and "threads" that ran, "figures":
 * of each of these events the count, how far off it may be at most in 95 of 100 cases, and the share of the time in which it was
 * counted. A count or an error that is not known is null.
 */
void turn_figures_json(struct json *json, const struct model *model,
		       const struct task_stats *stats);

#endif /* ANNOT_TURN_FIGURES_JSON_H */

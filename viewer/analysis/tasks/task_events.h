/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measured events -> figures: how often each event happened in each task and each thread.
 *
 * For a sampled event, the count is an estimate: the sum of the periods of the samples in the task's spans. Its error is
 * that of n random events: the true value is within it in 95 of 100 cases, by Poisson's distribution.
 *
 * For a counted event, the count comes from the counts of the thread's slices. It is exact if each slice lies in a span as a
 * whole: an annotation that enters the kernel while slices are counted cuts them. Otherwise the count c of a slice is shared
 * by time. The task gets f * c, where f is its share of the slice. The error is then the greatest that is possible,
 * max(f, 1 - f) * c: all of c happened in the span, or none. These errors have a common cause, so they are added.
 *
 * Counted events that took turns on too few counters are estimated: event_turns.h.
 *
 * Time in which an event was not measured is not part of the time of its count. If there is no other time, there is no count,
 * which is not a count of 0.
 *
 * Nesting is as for useful time: an event in a span counts for it and for the spans around it, but only once for each task.
 */
#ifndef ANNOT_TASK_EVENTS_H
#define ANNOT_TASK_EVENTS_H

#include "analysis/events/event_rates.h"
#include "analysis/tasks/task_stats.h"

/* Called by task_stats_compute(). */
void task_events_compute(const struct model *model, struct task_stats *stats);

#endif /* ANNOT_TASK_EVENTS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was measured -> figures: how often each event happened in each task and each thread.
 *
 * Of a sampled event the count is an estimate: the sum of the periods of the samples that fell into
 * the task's spans. Its error is that of counting n random events, sqrt(n) periods; where no sample
 * fell, one period.
 *
 * Of a counted event it is what the thread's slices counted, and exact where a slice lies in a span
 * as a whole. Where it does not, the slice's count is shared by time, and the error is the greatest
 * that the share f of a count c can have on average: sqrt(f * (1 - f)) * c, when all of c happened
 * either in the span or outside. Errors of slices and threads add up as independent ones do.
 *
 * Time in which an event was not measured is left out of the time that its count is of. If that is
 * all there was, there is no count: that is not the same as a count of 0.
 *
 * Nesting is as for useful time: what happens in a span counts for it and for the spans around it,
 * but only once for each task.
 */
#ifndef ANNOT_ANALYSIS_EVENTS_H
#define ANNOT_ANALYSIS_EVENTS_H

#include "analysis/tasks.h"

struct event_figures {
	bool measured; /* false: nobody knows, which is not 0 */
	uint64_t nr_samples;
	double count;
	double variance; /* of the count: its error squared */
	uint64_t on_cpu_ns; /* that the count is of */
	uint64_t unmeasured_ns; /* on a CPU, too, but without a counter at work */
	uint64_t nr_incomplete; /* slices in which its counter did not run all the time */
};

/* Called by analyse(). */
void analyse_events(const struct model *model, struct analysis *analysis);

/* One standard deviation of the count of event @event of the model. */
double event_error(const struct model *model, size_t event, const struct event_figures *figures);

/* What happened in a microsecond on a CPU. False: it was on none, or was not measured. */
bool event_per_us(const struct event_figures *figures, double *rate);

/* Whether the event happens once for each instruction, going by its name. */
bool event_is_instructions(const char *name);

/*
 * What happened for each thousand instructions. False: instructions were not counted, or not in
 * the same mode (user, kernel). @figures are of all events of one task or thread.
 */
bool event_per_1000_instructions(const struct model *model, size_t event,
				 const struct event_figures *figures, double *rate);

#endif /* ANNOT_ANALYSIS_EVENTS_H */

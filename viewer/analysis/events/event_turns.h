/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counts of slices become figures. A counted event that takes turns with others (pmu_event.is_shared) is estimated from
 * its turns, thread by thread (turn_estimate.h).
 */
#ifndef ANNOT_ANALYSIS_EVENTS_EVENT_TURNS_H
#define ANNOT_ANALYSIS_EVENTS_EVENT_TURNS_H

#include "analysis/events/event_rates.h"
#include "analysis/stats/turn_estimate.h"

/* Sums for all shared events of @nr_owners, each with figures of all events. NULL: none is shared. free() it after the figures. */
struct turn_sums *event_turns_hand_out(const struct model *model, struct event_figures *figures,
				       size_t nr_owners);

/*
 * A part of the time of the slice of row @row, and of what was counted in it. Rows of a thread come by time, and those of another
 * thread after all of them.
 */
struct slice_part {
	size_t row;
	double share; /* of the slice, 0 to 1 */
	uint64_t at_ns; /* the lengths of all slices of the thread before, in sum */
};

/* Adds what the counter of @event counted in @part. */
void event_add_count(const struct model *model, size_t event, struct slice_part part,
		     struct event_figures *figures);

/* All rows of this thread have come: frees what was needed for it. @figures are of all events of the model. */
void event_turns_close(const struct model *model, struct event_figures *figures);

/* All rows have come: what a shared event is taken to have counted. Nothing, of others. */
void event_turns_settle(struct event_figures *figures);

/* Adds figures of other threads, settled, to settled ones. */
void event_turns_add(struct event_figures *sum, const struct event_figures *part);

#endif /* ANNOT_ANALYSIS_EVENTS_EVENT_TURNS_H */

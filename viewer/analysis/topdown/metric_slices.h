/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slices, with their counts, that are of a thread, a task or a region: those of which 99 % lie inside or more. An annotation cuts
 * slices while they are counted, so that most do as a whole.
 */
#ifndef ANNOT_METRIC_SLICES_H
#define ANNOT_METRIC_SLICES_H

#include "analysis/events/event_rates.h"

/* In the order of time for each thread. */
struct metric_slices {
	size_t nr;
	size_t capacity;
	size_t *rows; /* of the model's slice_counts */
	uint64_t partial_ns; /* in slices that lie only partly inside: these do not count */
	const struct event_figures *figures; /* of all events: what was not measured */
};

/* Row @row of the counts, of @slice_ns, of which @inside_ns lie inside. */
void metric_slices_add(struct metric_slices *slices, size_t row, uint64_t slice_ns,
		       uint64_t inside_ns);

/* Frees the rows of @nr of them, and their array. */
void metric_slices_free(struct metric_slices *slices, size_t nr);

#endif /* ANNOT_METRIC_SLICES_H */

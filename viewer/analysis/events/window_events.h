/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often an event happened in any interval of a thread's time, estimated as in events.h: from samples, or from the counts of
 * slices, shared by time.
 */
#ifndef ANNOT_WINDOW_EVENTS_H
#define ANNOT_WINDOW_EVENTS_H

#include "analysis/base/by_thread.h"

struct window_events {
	const struct model *model;
	struct by_thread samples;
	struct by_thread slices;
	uint64_t *slice_end_ns; /* beside slices.rows */
	uint64_t *sample_ns; /* beside samples.rows */
};

struct window_count {
	bool measured;
	bool is_incomplete; /* of slices: there is a part in which it was not counted */
	double count;
	double variance; /* its error squared */
	uint64_t covered_ns; /* of slices: their length in the interval, where it was counted */
};

/* window_events_free() frees it. */
struct window_events window_events_new(const struct model *model);
void window_events_free(struct window_events *events);

/* Event @event of the model, by @thread in [from_ns, to_ns). Cost: its samples or slices there. */
struct window_count window_events_count(const struct window_events *events, size_t event,
					uint32_t thread, uint64_t from_ns, uint64_t to_ns);

#endif /* ANNOT_WINDOW_EVENTS_H */

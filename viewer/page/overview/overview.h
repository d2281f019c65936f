/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The whole trace in buckets of equal length. A page paints the overview while it has not read the
 * rows in view. It is gathered window by window, in memory that does not grow with the trace.
 *
 * Rows may be added in any order, so the rows of windows and those that cross cuts can be added
 * separately. Two limits apply. If more than 64 threads (or names of spans of one depth) share a
 * bucket, the smallest may be dropped before they grow. When a bucket is complete, only its 16
 * largest are kept. So in a bucket that is made of others, or added to late, the longest one is
 * found unless it was dropped in each of them.
 *
 * A share is in 255ths, rounded down, but at least 1 if it is not 0. The shares of a thread's
 * states add up to 255 if the state is known in all of the bucket, otherwise to less.
 *
 * The amount of a sampled event is the sum of its periods, at the time of the samples. The amount
 * of a counted event is the counts of slices, spread evenly over each slice, even if the counter
 * did not run all the time. Events that were refused, or never described, have no amounts.
 */
#ifndef ANNOT_PAGE_OVERVIEW_H
#define ANNOT_PAGE_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "page/block.h"

struct overview;

/*
 * @duration_hint_ns and @nr_events_hint: expected length and size of the trace; 0: not known. Wrong
 * 	hints only cost time or detail.
 */
struct overview *overview_new(uint64_t duration_hint_ns, uint64_t nr_events_hint);

/*
 * Adds the rows of a window, of the rest, or of a whole model. Times beyond 2^63 ns are cut off.
 * Cost: a few nanoseconds per row, and at times a pass over all that was gathered.
 */
void overview_add(struct overview *overview, const struct model *model);

/* Adds one state of a thread. It must not be in any model that is added. */
void overview_add_state(struct overview *overview, uint32_t thread, enum thread_state state,
			uint64_t start_ns, uint64_t end_ns);

/* Length of a bucket: a power of two. May grow with each overview_add(). */
uint64_t overview_bucket_ns(const struct overview *overview);
/*
 * Number of buckets that the models' durations and rows need. The end of the trace is in a bucket,
 * too.
 */
uint32_t overview_nr_buckets(const struct overview *overview);

/*
 * Doubles the length of buckets. Returns false, and changes nothing, if fewer than @nr_fewest would be
 * left.
 */
bool overview_widen(struct overview *overview, uint32_t nr_fewest);

/*
 * Writes the tables of an overview (model/tables.def) into @block. @rest: the model with all threads and CPUs.
 * Afterwards nothing may be added, but the overview can be widened and written again.
 */
void overview_write(struct overview *overview, const struct model *rest, struct block *block);
void overview_free(struct overview *overview);

#endif /* ANNOT_PAGE_OVERVIEW_H */

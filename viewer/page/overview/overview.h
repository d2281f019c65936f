/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The whole trace in buckets of equal length: what a page paints while it has not read the rows that
 * are in sight. Gathered window by window, in memory that does not grow with the trace.
 *
 * Which rows come first makes no difference, so that those of a window and those that cross its ends
 * add up, with these limits: among more than 64 threads (or names of spans of one depth) that share a
 * bucket the smallest may be forgotten before they grow; and once a bucket has been passed, only the
 * 16 largest are kept apart, so that in a bucket made of others, or added to late, the one that
 * lasted longest is found unless it was none of these in any of them.
 *
 * A share is of 255, rounded down, but more than nothing is at least 1. Of a thread's states the
 * shares add up to 255 if all of the bucket is known, else to less.
 *
 * The amount of a sampled event is the sum of its periods at their instants; of a counted one, what
 * each slice counted, spread evenly over it, also if the counter did not run all the time. There is
 * none of an event that was refused, or that nobody told of.
 */
#ifndef ANNOT_PAGE_OVERVIEW_H
#define ANNOT_PAGE_OVERVIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "page/block.h"

struct overview;

/*
 * @duration_hint_ns and @nr_events_hint: how long and how large the trace will be, as far as is
 * known; 0: it is not. Wrong ones cost time or detail, nothing else.
 */
struct overview *overview_new(uint64_t duration_hint_ns, uint64_t nr_events_hint);

/*
 * Adds the rows of a window, of the rest, or of a whole model. What lies beyond 2^63 ns is cut off.
 * Cost: a few nanoseconds a row; and now and then that of going through all that was gathered.
 */
void overview_add(struct overview *overview, const struct model *model);

/* Adds one state of a thread, which is in none of the models that are added. */
void overview_add_state(struct overview *overview, uint32_t thread, enum thread_state state,
			uint64_t start_ns, uint64_t end_ns);

/* A power of two. May grow with each overview_add(). */
uint64_t overview_bucket_ns(const struct overview *overview);
/* As many as the models' durations, and their rows, need: what is at the end has one, too. */
uint32_t overview_nr_buckets(const struct overview *overview);

/* Makes buckets twice as wide; false, and they stay as they are, if that would leave too few. */
bool overview_widen(struct overview *overview);

/*
 * Puts the tables 20 to 26 (data.h) into @block. @rest: the model that has all threads and CPUs.
 * Nothing can be added any more; it can be widened, and written again.
 */
void overview_write(struct overview *overview, const struct model *rest, struct block *block);
void overview_free(struct overview *overview);

#endif /* ANNOT_PAGE_OVERVIEW_H */

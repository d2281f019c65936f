/* SPDX-License-Identifier: MIT */
/*
 * Spans of conventions whose begins and ends do not nest: an end names what it ends. An annotation's
 * end is that of the thread's innermost span. A span that ends while others are open in it therefore
 * ends together with the last of these.
 *
 * Begins and ends are remembered whether or not anything records, so that an end never ends what was
 * not told. A thread has at most SPANS_MAX of them open; those further inside are not told.
 */
#ifndef LIBANNOT_ATTACH_SPANS_H
#define LIBANNOT_ATTACH_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "place.h"

#define SPANS_MAX 64

/* What a begin and its end have in common. Both are free for the front to choose. */
struct attach_span_key {
	uint64_t owner;
	uint64_t id;
};

/* NULL for @place: nothing records. Waits that the span interrupts end before it, as with a task. */
void attach_span_begin(struct attach_span_key key, struct place *place);
void attach_span_begin_value(struct attach_span_key key, struct place *place, int64_t value);

/* A wait span. */
void attach_span_wait_begin(struct attach_span_key key, struct place *place, int64_t value);

/* Ends the calling thread's innermost span with this key. False: it has none. */
bool attach_span_end(struct attach_span_key key);

/* How many spans with this key are open in the calling thread. */
unsigned int attach_span_count(struct attach_span_key key);

#endif /* LIBANNOT_ATTACH_SPANS_H */

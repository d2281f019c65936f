/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of threads that their slices and wakeups imply. Nearly all that a trace has follows
 * from these two, so that a page need only tell the rest (edits.h).
 *
 * A slice implies two rows: running, from its start, and its end's state, from its end (no second
 * one if the thread is still on at the end). A wakeup implies a row, woken, unless the thread is
 * running, preempted, woken or dead at the time; on the CPU of the slice that follows, or of the
 * last one. Where a wakeup and a slice's start are at one time, the wakeup comes first.
 */
#ifndef ANNOT_MODEL_IMPLIED_H
#define ANNOT_MODEL_IMPLIED_H

#include "model/model.h"

/* One row of state_column. */
struct implied_state {
	uint32_t thread;
	uint64_t start_ns;
	uint8_t state;
	int16_t cpu;
};

/* Calls use() for each of them: of each thread in time order, of all threads in any. */
void implied_states(const struct model *model,
		    void (*use)(void *context, const struct implied_state *state), void *context);

#endif /* ANNOT_MODEL_IMPLIED_H */

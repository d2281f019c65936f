/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derives the states of threads from their slices and wakeups. Nearly all states of a trace follow
 * from these, so a page stores only the differences (state_delta.h).
 *
 * A slice gives two rows: "running" at its start, and its end state at its end. There is no second
 * row if the thread still runs at the end of the trace.
 *
 * A wakeup gives one row, "runnable". Its CPU is that of the thread's next slice; if there is none,
 * that of its last one. A wakeup gives no row if the thread is running, preempted, dead, or woken
 * already.
 *
 * Of a wakeup and a slice's start at the same time, the wakeup comes first.
 *
 * viewer/README.md has an example.
 */
#ifndef ANNOT_MODEL_DERIVED_STATES_H
#define ANNOT_MODEL_DERIVED_STATES_H

#include "model/model.h"

/* One row of state_table. */
struct derived_state {
	uint32_t thread;
	uint64_t start_ns;
	uint8_t state;
	int16_t cpu;
};

/* Calls use() for each derived row. Rows of one thread come in time order, threads in any order. */
void derived_states_each(const struct model *model,
			 void (*use)(void *context, const struct derived_state *state),
			 void *context);

#endif /* ANNOT_MODEL_DERIVED_STATES_H */

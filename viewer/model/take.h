/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moving rows from one column table to the end of another.
 */
#ifndef ANNOT_MODEL_TAKE_H
#define ANNOT_MODEL_TAKE_H

#include "model/model.h"

/* Copies rows @first to @first + @nr of @from behind those of @to. */
void states_take(struct state_column *to, const struct state_column *from, size_t first, size_t nr);
void spans_take(struct span_column *to, const struct span_column *from, size_t first, size_t nr);
void marks_take(struct mark_column *to, const struct mark_column *from, size_t first, size_t nr);
void slices_take(struct slice_column *to, const struct slice_column *from, size_t first, size_t nr);
void gaps_take(struct gap_column *to, const struct gap_column *from, size_t first, size_t nr);
void migrations_take(struct migration_column *to, const struct migration_column *from, size_t first,
		     size_t nr);
void wakeups_take(struct wakeup_column *to, const struct wakeup_column *from, size_t first,
		  size_t nr);
/* Without their registers. */
void samples_take(struct sample_column *to, const struct sample_column *from, size_t first,
		  size_t nr);
/* @to is widened to as many counters as @from has. */
void slice_counts_take(struct slice_count_column *to, const struct slice_count_column *from,
		       size_t first, size_t nr);
void pmu_gaps_take(struct pmu_gap_column *to, const struct pmu_gap_column *from, size_t first,
		   size_t nr);

/* Removes the first @nr rows. */
void states_drop(struct state_column *states, size_t nr);
void spans_drop(struct span_column *spans, size_t nr);
void marks_drop(struct mark_column *marks, size_t nr);
void slices_drop(struct slice_column *slices, size_t nr);
void migrations_drop(struct migration_column *migrations, size_t nr);
void wakeups_drop(struct wakeup_column *wakeups, size_t nr);
void samples_drop(struct sample_column *samples, size_t nr);
void slice_counts_drop(struct slice_count_column *counts, size_t nr);

#endif /* ANNOT_MODEL_TAKE_H */

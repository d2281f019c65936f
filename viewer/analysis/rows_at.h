/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of the model's tables by time: binary searches.
 */
#ifndef ANNOT_ROWS_AT_H
#define ANNOT_ROWS_AT_H

#include "model/model.h"

/* The first of @nr rows with ascending ends that ends behind @time_ns; @nr if there is none. */
size_t row_ending_after(const uint64_t *end_ns, size_t nr, uint64_t time_ns);

/* The first row of @states that ends behind @time_ns; its nr if there is none. */
size_t state_row_at(const struct state_column *states, uint64_t time_ns);

#endif /* ANNOT_ROWS_AT_H */

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_MODEL_ACCOUNT_H
#define ANNOT_MODEL_ACCOUNT_H

#include "model/model.h"

/*
 * Computes the checkpoints that model_account() needs, and the totals; once, when no row will be
 * added any more.
 */
void account_prepare(struct thread *thread, uint64_t duration_ns);

/* Adds the first @nr rows to @sum; the last of all rows ends at @end_ns. */
void account_add(struct state_checkpoint *sum, const struct state_column *states, size_t nr,
		 uint64_t end_ns);

/* Adds @length_ns of a row, and what its start stands for if that is a part of them. */
void account_add_row(struct state_checkpoint *sum, const struct state_column *states, size_t row,
		     uint64_t length_ns, bool starts);

#endif /* ANNOT_MODEL_ACCOUNT_H */

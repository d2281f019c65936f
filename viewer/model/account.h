/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_MODEL_ACCOUNT_H
#define ANNOT_MODEL_ACCOUNT_H

#include "model/model.h"

/* Computes the checkpoints that model_account() needs; once, when no row will be added any more. */
void account_prepare(struct state_column *states, uint64_t duration_ns);

#endif /* ANNOT_MODEL_ACCOUNT_H */

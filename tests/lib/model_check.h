/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_MODEL_CHECK_H
#define TESTS_MODEL_CHECK_H

#include "model/model.h"

/*
 * Whatever the events were: rows in time order; the states of each thread add up to the trace's
 * length, from checkpoints as from a plain sum; slices of a CPU do not overlap and are what the
 * threads' states say; spans lie within the trace; of interrupts, each lies in the one around it, and
 * no time is taken twice.
 */
void check_model(const struct model *model);

#endif /* TESTS_MODEL_CHECK_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks -> a file of speedscope: a profile for each thread, in which each different stack is a sample with what
 * belongs to it. Of off-cpu and wakers, the outermost frame is what was waited for, as "[futex]".
 */
#ifndef ANNOT_CONVERT_SPEEDSCOPE_H
#define ANNOT_CONVERT_SPEEDSCOPE_H

#include <stdio.h>

#include "analysis/stacks/stack_weights.h"

/* Write errors are the FILE's. */
void convert_speedscope(const struct model *model, const struct stack_weights *weights, FILE *out);

#endif /* ANNOT_CONVERT_SPEEDSCOPE_H */

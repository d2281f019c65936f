/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks -> folded text, as flamegraph.pl and speedscope read it: a line for each different stack, "thread;main;f
 * 17", the outermost frame first, then what belongs to it. Of off-cpu, what was waited for stands behind the thread,
 * as "[futex]".
 */
#ifndef ANNOT_CONVERT_FOLDED_H
#define ANNOT_CONVERT_FOLDED_H

#include <stdio.h>

#include "analysis/stacks/stack_weights.h"

/* Write errors are the FILE's. */
void convert_folded(const struct model *model, const struct stack_weights *weights, FILE *out);

#endif /* ANNOT_CONVERT_FOLDED_H */

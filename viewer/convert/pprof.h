/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks -> the format of pprof: profile.proto, compressed by gzip. Threads and causes of waits are labels.
 */
#ifndef ANNOT_CONVERT_PPROF_H
#define ANNOT_CONVERT_PPROF_H

#include <stdio.h>

#include "analysis/stacks/stack_weights.h"

/* Write errors are the FILE's. */
void convert_pprof(const struct model *model, const struct stack_weights *weights, FILE *out);

#endif /* ANNOT_CONVERT_PPROF_H */

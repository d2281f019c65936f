/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot report --stacks WHAT --json.
 */
#ifndef ANNOT_STACKS_SCHEMA_H
#define ANNOT_STACKS_SCHEMA_H

#include <stdio.h>

#include "analysis/stacks/stack_weights.h"

/* Which keys there are depends on @of. */
void stacks_schema(enum stacks_of of, FILE *out);

#endif /* ANNOT_STACKS_SCHEMA_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot diff --json with several traces a side.
 */
#ifndef ANNOT_RUNS_SCHEMA_H
#define ANNOT_RUNS_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/* Of several traces a side. @has_rules: some are given. */
void runs_schema(bool has_rules, FILE *out);

#endif /* ANNOT_RUNS_SCHEMA_H */

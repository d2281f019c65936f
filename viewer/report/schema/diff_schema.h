/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot diff --json.
 */
#ifndef ANNOT_DIFF_SCHEMA_H
#define ANNOT_DIFF_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/* Of two traces. @has_rules: some are given. */
void diff_schema(bool has_rules, FILE *out);

#endif /* ANNOT_DIFF_SCHEMA_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot what-if --json.
 */
#ifndef ANNOT_WHAT_IF_SCHEMA_H
#define ANNOT_WHAT_IF_SCHEMA_H

#include <stdbool.h>
#include <stdio.h>

/* An answer has a prediction if @is_changed, and trials if @tries_all. */
void what_if_schema(bool is_changed, bool tries_all, FILE *out);

#endif /* ANNOT_WHAT_IF_SCHEMA_H */

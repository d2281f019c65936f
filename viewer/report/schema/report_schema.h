/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot report --json.
 */
#ifndef ANNOT_REPORT_SCHEMA_H
#define ANNOT_REPORT_SCHEMA_H

#include <stdio.h>

/* The keys of analyses come from the descriptors by which they are written. */
void report_schema(FILE *out);

#endif /* ANNOT_REPORT_SCHEMA_H */

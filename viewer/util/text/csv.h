/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_CSV_H
#define ANNOT_UTIL_CSV_H

#include <stdio.h>

/*
 * As RFC 4180 has it: a field with a comma, a quote or a line break stands in quotes, and quotes in
 * it are doubled. Lines end in CR LF; that and the commas are the caller's.
 */
void csv_field(const char *field, FILE *out);

/* The same, for readers that refuse what is not UTF-8: such bytes become U+FFFD. */
void csv_field_utf8(const char *field, FILE *out);

#endif /* ANNOT_UTIL_CSV_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UTF-8.
 */
#ifndef ANNOT_UTIL_UTF8_H
#define ANNOT_UTIL_UTF8_H

#include <stdbool.h>

/* The length in bytes (1 to 4) of the well-formed UTF-8 sequence at @bytes, or 0 if there is none. */
int utf8_sequence_bytes(const char *bytes);

/* Whether @bytes begin with such a sequence, and one that cannot upset a terminal. */
bool utf8_is_safe(const char *bytes);

#endif /* ANNOT_UTIL_UTF8_H */

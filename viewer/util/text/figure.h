/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Formats figures for people, in few characters.
 */
#ifndef ANNOT_UTIL_FIGURE_H
#define ANNOT_UTIL_FIGURE_H

#include <stdint.h>

struct figure {
	char text[24];
};

/* Three digits and a unit, @space ("" or " ") between them: "45.1us", "1.20s"; at most 6 without. */
struct figure figure_ns(uint64_t ns, const char *space);

/* The same with a sign: "+45.1us", "-1.20s", "0"; at most 7. */
struct figure figure_change_ns(int64_t ns);

/* "999999", then "1.00M": at most 6 letters. */
struct figure figure_count(uint64_t count);

/* Three digits: "0", "0.00123", "1.23", "123", "12.3M"; at most 7 letters, and a sign. */
struct figure figure_number(double number);

/* In binary units: "4 KiB", "1.2 GiB", "1023 MiB"; at most 8 letters. */
struct figure figure_bytes(uint64_t bytes);

/* An error in percent of the value: "0", "2.80%", "140%"; of zero: "<100". */
struct figure figure_error(double error, double of);

#endif /* ANNOT_UTIL_FIGURE_H */

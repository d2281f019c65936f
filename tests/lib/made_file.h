/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace.dat that has nothing but formats of events, as a machine of either byte order would write it.
 */
#ifndef ANNOT_TESTS_MADE_FILE_H
#define ANNOT_TESTS_MADE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of the system "made". */
struct made_format {
	const char *name;
	uint16_t id;
	const char *fields; /* "field:...;" lines behind the common fields, which take 8 bytes */
	const char *print; /* what stands behind "print fmt: " */
};

/* Writes it to @path. Ends the test if it cannot. */
void made_file_write(const char *path, bool is_big_endian, const struct made_format *formats,
		     size_t nr);

#endif /* ANNOT_TESTS_MADE_FILE_H */

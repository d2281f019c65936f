/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small files below machine.root. Paths are those of the machine itself, without the root.
 */
#ifndef ANNOT_DOCTOR_MACHINE_FILES_H
#define ANNOT_DOCTOR_MACHINE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "doctor/machine.h"

/* @path below the root, into @full, of PATH_MAX bytes. Returns @full. */
char *machine_file_path(const struct machine *machine, const char *path, char *full);

bool machine_file_exists(const struct machine *machine, const char *path);

/*
 * Reads the first line, without its end. Returns false, and an empty @line, if it cannot be read.
 */
bool machine_file_line(const struct machine *machine, const char *path, char *line, size_t size);

/* Returns false, and leaves @number, if there is no number. */
bool machine_file_number(const struct machine *machine, const char *path, long long *number);

/*
 * Reads the rest, without leading blanks, of the first line that begins with @key. Returns false,
 * and an empty @value, if there is none.
 */
bool machine_file_value(const struct machine *machine, const char *path, const char *key,
			char *value, size_t size);

/* Whether any line contains @word, delimited by blanks or line ends. */
bool machine_file_has_word(const struct machine *machine, const char *path, const char *word);

/* Whether @text contains @word, delimited by blanks or its ends. */
bool machine_text_has_word(const char *text, const char *word);

#endif /* ANNOT_DOCTOR_MACHINE_FILES_H */

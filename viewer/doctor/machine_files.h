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

/* The first line, without its end. False: it cannot be read; @line is then empty. */
bool machine_file_line(const struct machine *machine, const char *path, char *line, size_t size);

/* False: there is no number, and @number is left as it is. */
bool machine_file_number(const struct machine *machine, const char *path, long long *number);

/*
 * What follows @key in the first line that begins with it, without blanks and tabs before it. False:
 * there is none; @value is then empty.
 */
bool machine_file_value(const struct machine *machine, const char *path, const char *key,
			char *value, size_t size);

/* Does any line have @word in it, between blanks or at the line's ends? */
bool machine_file_has_word(const struct machine *machine, const char *path, const char *word);

/* Does @text have @word in it, between blanks or at its ends? */
bool machine_text_has_word(const char *text, const char *word);

#endif /* ANNOT_DOCTOR_MACHINE_FILES_H */

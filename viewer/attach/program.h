/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a command would run: an ELF file, or the interpreter of a script, and its libraries. And why nothing can
 * be loaded into it, where that is so.
 */
#ifndef ANNOT_ATTACH_PROGRAM_H
#define ANNOT_ATTACH_PROGRAM_H

#include <stdbool.h>

#include "attach/libraries.h"

struct attach_program {
	char *path; /* of the file that runs; of a script, its interpreter */
	char *problem; /* a sentence; or NULL: something can be loaded */
	struct libraries libraries; /* without a problem */
};

/* @name is searched for as execvp() does. */
void attach_program_open(struct attach_program *program, const char *name);
void attach_program_close(struct attach_program *program);

/* The file in which the program, or a library of it, loads others by dlopen(), or starts programs; or NULL. */
const char *attach_program_loads_late(const struct attach_program *program);

#endif /* ANNOT_ATTACH_PROGRAM_H */

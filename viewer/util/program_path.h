/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds a program as execvp() does.
 */
#ifndef ANNOT_UTIL_PROGRAM_PATH_H
#define ANNOT_UTIL_PROGRAM_PATH_H

#include <limits.h>

/*
 * The file that execvp() executes for @name, into @path. Returns 0, ENOENT, or EACCES if there is one that may
 * not be executed.
 */
int program_path_find(const char *name, char path[PATH_MAX]);

#endif /* ANNOT_UTIL_PROGRAM_PATH_H */

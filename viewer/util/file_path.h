/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of files: what users name, and what the kernel and compilers tell.
 */
#ifndef ANNOT_UTIL_FILE_PATH_H
#define ANNOT_UTIL_FILE_PATH_H

#include <stdbool.h>

/* The part after the last slash. Not allocated. */
const char *file_path_name(const char *path);

/* The kernel marked it: it is the path of no file any more. */
bool file_path_is_deleted(const char *path);

#endif /* ANNOT_UTIL_FILE_PATH_H */

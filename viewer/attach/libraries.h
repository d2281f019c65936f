/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program or library and all that the loader loads for it, in the loader's order: breadth first.
 */
#ifndef ANNOT_ATTACH_LIBRARIES_H
#define ANNOT_ATTACH_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

#include "attach/elf_file.h"

struct library {
	char *name; /* by which it is needed, without a path */
	char *path; /* NULL: not found */
	size_t needed_by; /* another one of these; of the first, 0 */
	bool is_own; /* found where the program says, not where the system has libraries */
	struct elf_file file; /* of one that was not found: empty */
};

/* The first is the program. */
struct libraries {
	struct library *items;
	size_t nr;
	size_t capacity;
};

/*
 * Loads what the program at @path, which is @file, takes. @file becomes the first of @libraries. Directories
 * come from the files, LD_LIBRARY_PATH, ldconfig's cache, and the loader's own. @preloaded, as LD_PRELOAD has
 * it, or NULL, is loaded before all else.
 */
void libraries_load(struct libraries *libraries, const char *path, const struct elf_file *file,
		    const char *preloaded);
void libraries_free(struct libraries *libraries);

/* The library of that name, needed or its own; NULL: none. */
const struct library *libraries_find(const struct libraries *libraries, const char *name);

#endif /* ANNOT_ATTACH_LIBRARIES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the fronts are: in $ANNOT_ATTACH_DIR; else, beside annot in a tree where it was built; else where they are
 * installed.
 */
#ifndef ANNOT_ATTACH_DIRECTORY_H
#define ANNOT_ATTACH_DIRECTORY_H

#include <limits.h>

#include "attach/fronts.h"
#include "attach/libraries.h"

struct attach_directory {
	char path[PATH_MAX];
	char *problem; /* a sentence, why nothing can be loaded from there; or NULL */
};

void attach_directory_find(struct attach_directory *directory);
void attach_directory_free(struct attach_directory *directory);

/* The file of @front there, with a name that holds wherever a program goes. free() it. */
char *attach_directory_file(const struct attach_directory *directory,
			    const struct attach_front *front);

/*
 * The file of the library that the fronts there take; NULL: it is not beside them. free() it. Preloaded before them,
 * its wrappers of _exit() and exec*() come before the C library's functions: without it, a program that ends in
 * these ways would lose the last annotations.
 */
char *attach_directory_library(const struct attach_directory *directory);

/*
 * Why @front cannot be loaded into a program that has @libraries (NULL: not known); NULL: it can. To be freed. Root
 * loads nothing that others than root, or than who owns annot itself, can change.
 */
char *attach_directory_obstacle(const struct attach_directory *directory,
				const struct attach_front *front,
				const struct libraries *libraries);

#endif /* ANNOT_ATTACH_DIRECTORY_H */

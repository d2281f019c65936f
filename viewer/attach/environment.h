/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The variables with which a program loads fronts. What they held before is loaded as before: ours come first in
 * lists; where a variable holds, or a runtime takes, one library only, another variable tells the front of the
 * rest.
 */
#ifndef ANNOT_ATTACH_ENVIRONMENT_H
#define ANNOT_ATTACH_ENVIRONMENT_H

#include <stddef.h>
#include <stdio.h>

#include "attach/fronts.h"

#define ATTACH_MOST_VARIABLES (3 * ATTACH_WAYS)

struct attach_environment {
	struct {
		const char *name;
		char *value;
	} variables[ATTACH_MOST_VARIABLES];
	size_t nr;
};

/* Adds that @files, colons or what else separates names in the variable between them, are loaded by @way. */
void attach_environment_add(struct attach_environment *environment, enum attach_way_id way,
			    const char *files);
void attach_environment_free(struct attach_environment *environment);

/* Sets the variables in this process. Returns 0, or -1 with errno set. */
int attach_environment_set(const struct attach_environment *environment);

/* Prints commands for sh(1) that set them. */
void attach_environment_print(const struct attach_environment *environment, FILE *out);

#endif /* ANNOT_ATTACH_ENVIRONMENT_H */

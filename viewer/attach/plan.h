/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which fronts are loaded into a command, and why others are not.
 *
 * The command is its program, and the programs that its arguments name by a path: "mpirun -n 4 ./solver" is mpirun
 * and ./solver. All that they start has the same environment.
 */
#ifndef ANNOT_ATTACH_PLAN_H
#define ANNOT_ATTACH_PLAN_H

#include <stdbool.h>

#include "attach/directory.h"
#include "attach/environment.h"
#include "attach/program.h"
#include "attach/use.h"

/* What is asked for. */
struct attach_choice {
	bool is_made; /* false: whatever is used */
	bool conventions[ATTACH_CONVENTIONS];
};

/* From the least to the most. */
enum attach_verdict {
	ATTACH_UNKNOWN, /* the programs cannot be looked into */
	ATTACH_UNUSED, /* there is no sign of use */
	ATTACH_ON_DEMAND, /* it may be of use, but is loaded only if it is asked for */
	ATTACH_LATER, /* it may be of use later, and is harmless until then */
	ATTACH_USED,
};

struct attach_result {
	enum attach_verdict verdict;
	struct attach_use use; /* the sign; its strings are the programs' */
	char *why; /* a sentence, of the verdict */
	char *obstacle; /* why it cannot be loaded; or NULL */
	bool is_chosen;
};

struct attach_plan {
	struct attach_program *programs;
	size_t nr_programs;
	struct attach_directory directory;
	struct attach_result results[ATTACH_FRONTS]; /* of attach_fronts */
	struct attach_environment environment;
};

/* @command ends with NULL; NULL: it is not known, and what is asked for is loaded. */
void attach_plan_make(struct attach_plan *plan, char *const *command,
		      const struct attach_choice *choice);
void attach_plan_free(struct attach_plan *plan);

#endif /* ANNOT_ATTACH_PLAN_H */

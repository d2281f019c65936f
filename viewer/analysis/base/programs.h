/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which program a thread is of: programs are told apart by name, that of their process's first
 * thread. Processes of one name are one program, as the ranks of an MPI job are. A thread of which
 * no process is known goes by its own name, that of the kernel's threads up to the '/' in it:
 * "kworker" for all of them.
 */
#ifndef ANNOT_PROGRAMS_H
#define ANNOT_PROGRAMS_H

#include "model/model.h"

struct programs {
	size_t nr;
	uint32_t *names; /* string ids */
	uint32_t *of_thread; /* by thread of the model */
};

/* Cost: O(n log n) over the threads. programs_free() frees it. */
struct programs programs_compute(const struct model *model);
void programs_free(struct programs *programs);

#endif /* ANNOT_PROGRAMS_H */

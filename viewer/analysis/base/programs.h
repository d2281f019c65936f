/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program of each thread. The name of a program is that of its process's first thread. Processes of one name are one
 * program, like the ranks of an MPI job. If the process of a thread is unknown, its program is the thread's own name; for
 * threads of the kernel, the name up to a '/': all kworkers are "kworker".
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

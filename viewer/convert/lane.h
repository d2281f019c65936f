/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where events stand in Chrome's trace event format, which knows but processes and threads: each
 * CPU is a thread of a process made up for them; the states of a thread are another thread
 * beside it, and so is what it does in the kernel. Ids that are made up are greater than any that the kernel gives.
 */
#ifndef ANNOT_CONVERT_LANE_H
#define ANNOT_CONVERT_LANE_H

#include "model/model.h"

#define LANE_LABEL_BYTES 96

struct lane {
	int64_t pid;
	int64_t tid;
};

/* The process of the CPUs, and that of threads of which no process is known. */
#define LANE_CPUS_PID INT64_C(20000000)
#define LANE_STRAYS_PID INT64_C(30000000)

struct lane lane_of_cpu(int cpu);

/* What the thread says of itself; what the scheduler makes of it; and what it does in the kernel. */
struct lane lane_of_thread(const struct thread *thread);
struct lane lane_of_states(const struct thread *thread);
struct lane lane_of_kernel(const struct thread *thread);

/* "comm tid": a thread as it is called where it is not at home. */
void lane_label(const struct model *model, uint32_t thread, char label[LANE_LABEL_BYTES]);

#endif /* ANNOT_CONVERT_LANE_H */

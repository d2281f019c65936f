/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_RECORD_READERS_SHARE_H
#define ANNOT_RECORD_READERS_SHARE_H

#include <stdint.h>

/* The interval in which a thread's CPU time is limited. Two threads on a CPU may use half of it. */
#define SHARE_WINDOW_NS INT64_C(100000000)
#define SHARE_MOST_CPU_NS (SHARE_WINDOW_NS / 4)

/* The state of one thread; all 0 before the first call. */
struct share {
	int64_t begin_ns; /* of the window */
	int64_t cpu_ns; /* CPU time of the thread at begin_ns */
};

/*
 * Limits the CPU time of a thread at real-time priority, which would otherwise never yield its CPU.
 * A thread that has used SHARE_MOST_CPU_NS sleeps until the interval ends. Call between two pieces
 * of work.
 */
void share_give_way(struct share *share);

#endif /* ANNOT_RECORD_READERS_SHARE_H */

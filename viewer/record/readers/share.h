/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_RECORD_READERS_SHARE_H
#define ANNOT_RECORD_READERS_SHARE_H

#include <stdint.h>

/* The window in which a thread's share of its CPU is bounded. Of each CPU, two threads may have half. */
#define SHARE_WINDOW_NS INT64_C(100000000)
#define SHARE_MOST_CPU_NS (SHARE_WINDOW_NS / 4)

/* Of one thread; 0 before its first call. */
struct share {
	int64_t begin_ns; /* of the window */
	int64_t cpu_ns; /* that the thread had used then */
};

/*
 * To be called between two pieces of work. At real-time priority, nothing else would take the CPU from a
 * thread that always has work: one that has used SHARE_MOST_CPU_NS sleeps until the window ends.
 */
void share_give_way(struct share *share);

#endif /* ANNOT_RECORD_READERS_SHARE_H */

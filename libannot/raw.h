/* SPDX-License-Identifier: MIT */
/*
 * trace_marker_raw, in batches: the fall-back. Each thread has a ring of its own, in memory of the
 * process. The inline functions store into it as into a ring of the module. The library writes many
 * records as one event to trace_marker_raw.
 *
 *	raw.c		the ring source: when rings are used, drained and given up
 *	raw_ring.c	memory of rings, attaching a thread to one
 *	raw_lock.c	the lock of a ring
 *	raw_write.c	writes records of a ring into the trace
 *	raw_names.c	the numbers of names
 *	raw_hooks.c	the ends of threads and processes
 *
 * A thread that drains a ring holds its lock and blocks signals: a signal handler that annotates may
 * find the ring full, and must be able to drain it. The lock is held for some microseconds. Nearly
 * always it is the thread's own; another thread of the process rarely writes for it.
 */
#ifndef LIBANNOT_RAW_H
#define LIBANNOT_RAW_H

#include <stdbool.h>
#include <stdint.h>

struct annot_site;

int annot_raw_open(const char *directory); /* 0, or -errno; after annot_marker_open() */
bool annot_raw_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

/* The end of a process or thread. From then on, each annotation is written at once. */
void annot_raw_end_process(void);
void annot_raw_end_thread(void);

#endif /* LIBANNOT_RAW_H */

/* SPDX-License-Identifier: MIT */
/* Writes records of a ring into the trace. */
#ifndef LIBANNOT_RAW_WRITE_H
#define LIBANNOT_RAW_WRITE_H

#include "trace/annot_raw.h"

struct raw_process;
struct raw_ring;

struct annot_raw_moment annot_raw_now(void);

/*
 * Writes out all records of the ring. Call with its lock held. If it is the ring of another thread,
 * it must be known.
 */
void annot_raw_write_out(struct raw_process *process, struct raw_ring *ring);
void annot_raw_discard(const struct raw_process *process,
		       struct raw_ring *ring); /* drops the records; same conditions */

#endif /* LIBANNOT_RAW_WRITE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which thread a tid means now. The kernel reuses tids.
 */
#ifndef ANNOT_MODEL_TIDS_H
#define ANNOT_MODEL_TIDS_H

#include "model/model.h"

#define TIDS_PER_LEAF 4096
#define TID_LIMIT (1 << 22) /* the kernel's PID_MAX_LIMIT */

/* A leaf holds 1 + the thread's index, 0 for none. */
struct tid_table {
	uint32_t *leaves[TID_LIMIT / TIDS_PER_LEAF];
};

/* Whether a thread can have this tid. Idle (0) is not a thread. */
static inline bool tid_is_valid(int32_t tid)
{
	return tid > 0 && tid < TID_LIMIT;
}

/* Returns MODEL_NO_THREAD if there is none. */
static inline uint32_t tid_table_get(const struct tid_table *table, int32_t tid)
{
	const uint32_t *leaf;

	if (!tid_is_valid(tid))
		return MODEL_NO_THREAD;
	leaf = table->leaves[tid / TIDS_PER_LEAF];
	/* 0 - 1 is MODEL_NO_THREAD. */
	return leaf ? leaf[tid % TIDS_PER_LEAF] - 1 : MODEL_NO_THREAD;
}

/* @tid is valid. MODEL_NO_THREAD removes it. */
void tid_table_set(struct tid_table *table, int32_t tid, uint32_t thread);
void tid_table_free(struct tid_table *table);

#endif /* ANNOT_MODEL_TIDS_H */

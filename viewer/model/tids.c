// SPDX-License-Identifier: GPL-2.0
#include "model/tids.h"

#include <stdlib.h>

#include "util/xalloc.h"

uint32_t tid_table_get(const struct tid_table *table, int32_t tid)
{
	const uint32_t *leaf;

	if (!tid_is_valid(tid))
		return MODEL_NO_THREAD;
	leaf = table->leaves[tid / TIDS_PER_LEAF];
	/* 0 - 1 is MODEL_NO_THREAD. */
	return leaf ? leaf[tid % TIDS_PER_LEAF] - 1 : MODEL_NO_THREAD;
}

void tid_table_set(struct tid_table *table, int32_t tid, uint32_t thread)
{
	uint32_t **leaf = &table->leaves[tid / TIDS_PER_LEAF];

	if (!*leaf)
		*leaf = xcalloc(TIDS_PER_LEAF, sizeof(**leaf));
	(*leaf)[tid % TIDS_PER_LEAF] = thread + 1;
}

void tid_table_free(struct tid_table *table)
{
	for (int i = 0; i < TID_LIMIT / TIDS_PER_LEAF; i++)
		free(table->leaves[i]);
}

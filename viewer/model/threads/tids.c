// SPDX-License-Identifier: GPL-2.0
#include "model/threads/tids.h"

#include <stdlib.h>

#include "util/xalloc.h"

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

// SPDX-License-Identifier: GPL-2.0
#include "trace/names/comm_cache.h"

uint32_t comm_cache_take(struct comm_cache_slot *slot, struct string_table *strings,
			 const char *comm)
{
	comm_cache_put(slot, comm, string_table_intern(strings, comm, COMM_BYTES));
	return slot->id;
}

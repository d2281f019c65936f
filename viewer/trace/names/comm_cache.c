// SPDX-License-Identifier: GPL-2.0
#include "trace/names/comm_cache.h"

#include <string.h>

uint32_t comm_cache_take(struct comm_cache_slot *slot, struct string_table *strings,
			 const char *comm)
{
	memcpy(slot->key, comm, COMM_BYTES);
	slot->id = string_table_intern(strings, comm, COMM_BYTES);
	return slot->id;
}

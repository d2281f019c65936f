// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/access_events.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Modifiers may follow. */
static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++) {
		size_t length = strlen(*names);

		if (!strncasecmp(name, *names, length) && (!name[length] || name[length] == ':'))
			return true;
	}
	return false;
}

bool access_event_is_loads(const char *name)
{
	static const char *const names[] = { "memory_loads",
					     "MEM_INST_RETIRED:ALL_LOADS",
					     "MEM_UOPS_RETIRED:ALL_LOADS",
					     "r81d0",
					     "L1-DCACHE-LOADS",
					     NULL };

	return is_one_of(name, names);
}

bool access_event_is_stores(const char *name)
{
	static const char *const names[] = { "memory_stores",
					     "MEM_INST_RETIRED:ALL_STORES",
					     "MEM_UOPS_RETIRED:ALL_STORES",
					     "r82d0",
					     "L1-DCACHE-STORES",
					     NULL };

	return is_one_of(name, names);
}

// SPDX-License-Identifier: MIT
#include "handles.h"

#include <stdbool.h>
#include <stddef.h>

#define SLOTS (2 * HANDLES_MAX)

static struct {
	uint64_t handle; /* 0: the slot is free */
	struct place *place; /* NULL: it will be known in a moment */
} slots[SLOTS];

static unsigned int nr_handles;

static size_t hash_of(uint64_t handle)
{
	return (handle * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
}

void handle_set_place(uint64_t handle, struct place *place)
{
	if (handle_place(handle))
		return;
	if (__atomic_add_fetch(&nr_handles, 1, __ATOMIC_RELAXED) > HANDLES_MAX)
		return;
	for (size_t at = hash_of(handle);; at++) {
		uint64_t there = 0;

		if (__atomic_compare_exchange_n(&slots[at % SLOTS].handle, &there, handle, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    there == handle) {
			__atomic_store_n(&slots[at % SLOTS].place, place, __ATOMIC_RELEASE);
			return;
		}
	}
}

struct place *handle_place(uint64_t handle)
{
	for (size_t at = hash_of(handle);; at++) {
		uint64_t there = __atomic_load_n(&slots[at % SLOTS].handle, __ATOMIC_ACQUIRE);

		if (there == handle)
			return __atomic_load_n(&slots[at % SLOTS].place, __ATOMIC_ACQUIRE);
		if (!there)
			return NULL;
	}
}

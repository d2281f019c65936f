// SPDX-License-Identifier: MIT
#include "itt_sync.h"

#include <stdbool.h>
#include <stdio.h>

#define OBJECTS 4096 /* a power of two */
#define PROBES 64

/* A slot belongs to its address for good: memory that is freed is often an object of the same kind again. */
static struct {
	const void *address;
	struct place *place; /* NULL: it has no name */
} objects[OBJECTS];

static struct place *place_of_wait(const char *name)
{
	char text[128];

	if (!name || !*name)
		return NULL;
	snprintf(text, sizeof(text), "wait %s", name);
	return place_of_name(text);
}

static size_t slot_of(const void *object)
{
	return (size_t)((uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

void itt_sync_name(const void *object, const char *name)
{
	size_t at = slot_of(object);

	for (size_t i = at; i < at + PROBES; i++) {
		const void *there = NULL;

		if (__atomic_compare_exchange_n(&objects[i % OBJECTS].address, &there, object,
						false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    there == object) {
			__atomic_store_n(&objects[i % OBJECTS].place, place_of_wait(name),
					 __ATOMIC_RELEASE);
			return;
		}
	}
}

static struct place **place_find(const void *object)
{
	size_t at = slot_of(object);

	for (size_t i = at; i < at + PROBES; i++) {
		const void *there = __atomic_load_n(&objects[i % OBJECTS].address,
						    __ATOMIC_ACQUIRE);

		if (there == object)
			return &objects[i % OBJECTS].place;
		if (!there)
			return NULL;
	}
	return NULL;
}

void itt_sync_forget(const void *object)
{
	struct place **kept = place_find(object);

	if (kept)
		__atomic_store_n(kept, NULL, __ATOMIC_RELEASE);
}

struct place *itt_sync_place(const void *object)
{
	struct place **kept = place_find(object);
	struct place *place = kept ? __atomic_load_n(kept, __ATOMIC_ACQUIRE) : NULL;

	return place ? place : place_of_name("wait");
}

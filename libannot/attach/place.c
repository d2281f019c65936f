// SPDX-License-Identifier: MIT
#include "place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "object_of_address.h"

#define NAME_MAX_BYTES 256 /* with the terminating zero; the trace holds no more */
#define LITERALS_MAX 256 /* the fronts have fewer. For these there is always room */
#define SLOTS (4 * PLACES_MAX) /* a power of two, seldom full near any place */
#define PLACE_MAX_BYTES 320 /* of a place with the longest name */
#define ARENA_BYTES ((size_t)PLACES_MAX * PLACE_MAX_BYTES)

_Static_assert(sizeof(struct place) + NAME_MAX_BYTES + 15 <= PLACE_MAX_BYTES, "all find room");

/* What is never used of these takes no memory. */
static struct place *slots[SLOTS];
static char arena[ARENA_BYTES] __attribute__((aligned(16)));
static size_t arena_used;

/* For names that find no room. */
static struct place place_of_anything = { .word = "?", .name = "?" };
static struct place *places[PLACES_MAX] = { &place_of_anything };
static uint32_t nr_places = 1;

static size_t hash_of(const char *word, uintptr_t address)
{
	uint64_t hash = ((uint64_t)address ^ (uint64_t)(uintptr_t)word << 20) *
			UINT64_C(0x9e3779b97f4a7c15);

	return hash >> 40;
}

static size_t hash_of_text(const char *text)
{
	uint64_t hash = 0;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x9e3779b97f4a7c15);
	return hash >> 40;
}

/* NULL: there are @room places. */
static struct place *place_allocate(const char *name, uint32_t room)
{
	size_t bytes = (sizeof(struct place) + strlen(name) + 1 + 15) & ~(size_t)15;
	uint32_t index = __atomic_load_n(&nr_places, __ATOMIC_RELAXED);
	struct place *place;

	do {
		if (index >= room)
			return NULL;
	} while (!__atomic_compare_exchange_n(&nr_places, &index, index + 1, true, __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
	place = (struct place *)(arena + __atomic_fetch_add(&arena_used, bytes, __ATOMIC_RELAXED));
	place->index = index;
	strcpy(place->name, name);
	__atomic_store_n(&places[index], place, __ATOMIC_RELEASE);
	return place;
}

static struct place *slot_at(size_t at)
{
	return __atomic_load_n(&slots[at % SLOTS], __ATOMIC_ACQUIRE);
}

/*
 * Puts @place into the first free slot from @at on, unless @is_same() finds there what another thread
 * put in meanwhile: then returns that.
 */
static struct place *place_publish(struct place *place, size_t at,
				   bool (*is_same)(const struct place *there,
						   const struct place *place))
{
	for (;; at++) {
		struct place *there = NULL;

		if (__atomic_compare_exchange_n(&slots[at % SLOTS], &there, place, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			return place;
		if (is_same(there, place))
			return there;
	}
}

static bool is_same_address(const struct place *there, const struct place *place)
{
	return there->address == place->address && there->word == place->word;
}

static bool is_same_name(const struct place *there, const struct place *place)
{
	return !there->address && !strcmp(there->name, place->name);
}

static struct place *place_of_text(const char *name, uint32_t room)
{
	char text[NAME_MAX_BYTES];
	size_t at = hash_of_text(name);
	struct place *place, *there;

	for (size_t i = at; (there = slot_at(i)); i++) {
		if (!there->address && !strncmp(there->name, name, NAME_MAX_BYTES - 1))
			return there;
	}
	strncpy(text, name, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	place = place_allocate(text, room);
	if (!place)
		return &place_of_anything;
	place->word = place->name;
	return place_publish(place, at, is_same_name);
}

struct place *place_of_name(const char *name)
{
	return place_of_text(name, PLACES_MAX - LITERALS_MAX);
}

struct place *place_of_literal(struct place **kept, const char *name)
{
	struct place *place = __atomic_load_n(kept, __ATOMIC_ACQUIRE);

	if (!place) {
		place = place_of_text(name, PLACES_MAX);
		__atomic_store_n(kept, place, __ATOMIC_RELEASE);
	}
	return place;
}

static void append_build_id(char *text, const struct loaded_object *object)
{
	if (object->nr_build_id_bytes)
		*text++ = '#';
	for (unsigned int i = 0; i < object->nr_build_id_bytes; i++, text += 2)
		snprintf(text, 3, "%02x", object->build_id[i]);
}

/* False: the address has no file, or the file's path is too long. */
static bool write_place_name(char name[NAME_MAX_BYTES], const char *word, enum place_form form,
			     uintptr_t address)
{
	char build_id[2 * BUILD_ID_BYTES + 2] = "";
	struct loaded_object object;

	if (!object_of_address(address, &object))
		return false;
	append_build_id(build_id, &object);
	return snprintf(name, NAME_MAX_BYTES, "%s %c%s%s+0x%lx", word, form, object.path, build_id,
			(unsigned long)(address - object.bias)) < NAME_MAX_BYTES;
}

static struct place *place_make(const char *word, enum place_form form, uintptr_t address,
				size_t at)
{
	char name[NAME_MAX_BYTES];
	int saved_errno = errno;
	struct place *place = NULL;

	if (write_place_name(name, word, form, address))
		place = place_allocate(name, PLACES_MAX - LITERALS_MAX);
	else
		place = place_allocate(word, PLACES_MAX - LITERALS_MAX);
	errno = saved_errno;
	if (!place)
		return place_of_text(word, PLACES_MAX);
	place->word = word;
	place->address = address;
	place->form = form;
	return place_publish(place, at, is_same_address);
}

struct place *place_of_address(const char *word, enum place_form form, const void *address)
{
	uintptr_t wanted = (uintptr_t)address;
	size_t at = hash_of(word, wanted);
	struct place *there;

	if (!wanted)
		return place_of_name(word);
	for (size_t i = at; (there = slot_at(i)); i++) {
		if (there->address == wanted && there->word == word)
			return there;
	}
	return place_make(word, form, wanted, at);
}

struct place *place_of_call(const char *word, enum place_form form, const void *return_address)
{
	/* Inside the call: behind it, the line may be another one. */
	return place_of_address(word, form,
				return_address ? (const char *)return_address - 1 : NULL);
}

struct place *place_at(uint32_t index)
{
	return __atomic_load_n(&places[index], __ATOMIC_ACQUIRE);
}

// SPDX-License-Identifier: MIT
/*
 * Numbers of names. A call with a literal remembers its own; the others are looked up here, among
 * the names that this process has used so far. What does not fit is asked for again each time.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "names.h"
#include "annot/annot.h"
#include "format.h"
#include "rings.h"

#define NR_ENTRIES 512 /* a power of 2 */
#define NR_PROBES 8

enum {
	EMPTY,
	BEING_FILLED,
	FILLED
};

/* The text of an entry never changes; its number is asked for again after fork(). */
struct entry {
	atomic_int state;
	_Atomic(uint64_t) number;
	struct clean_name name;
};

static struct entry entries[NR_ENTRIES];

/* FNV-1a */
uint32_t annot_name_hash(const char *bytes, size_t nr_bytes)
{
	uint32_t sum = 2166136261u;
	size_t i;

	for (i = 0; i < nr_bytes; i++)
		sum = (sum ^ (unsigned char)bytes[i]) * 16777619u;
	return sum;
}

static bool same_name(const struct clean_name *a, const struct clean_name *b)
{
	return a->nr_bytes == b->nr_bytes && !memcmp(a->bytes, b->bytes, a->nr_bytes);
}

/*
 * Returns the entry of @name, a new one if there was none, or NULL if there is no room. Two threads
 * may get two entries; so may a thread and its signal handler. Both entries are valid.
 */
static struct entry *find_entry(const struct clean_name *name)
{
	uint32_t first = annot_name_hash(name->bytes, name->nr_bytes), i;

	for (i = 0; i < NR_PROBES; i++) {
		struct entry *entry = &entries[(first + i) % NR_ENTRIES];
		int state = atomic_load_explicit(&entry->state, memory_order_acquire);

		if (state == EMPTY &&
		    atomic_compare_exchange_strong(&entry->state, &state, BEING_FILLED)) {
			memcpy(&entry->name, name, sizeof(*name));
			atomic_store_explicit(&entry->state, FILLED, memory_order_release);
			return entry;
		}
		if (state == FILLED && same_name(&entry->name, name))
			return entry;
	}
	return NULL;
}

static uint64_t ask_id(const struct ring_source *source, const struct clean_name *name,
		       uint64_t generation)
{
	uint32_t number = source->name(name->bytes, name->nr_bytes);

	return number ? generation | number : 0;
}

static uint64_t look_up(const struct ring_source *source, const struct clean_name *name,
			uint64_t generation)
{
	struct entry *entry = find_entry(name);
	uint64_t number;

	if (!entry)
		return ask_id(source, name, generation);
	number = atomic_load_explicit(&entry->number, memory_order_relaxed);
	if (number && (number ^ generation) >> 32 == 0)
		return number;
	number = ask_id(source, name, generation);
	if (number)
		atomic_store_explicit(&entry->number, number, memory_order_relaxed);
	return number;
}

uint64_t annot_name_number(const struct ring_source *source, struct annot_site *site,
			   const char *name)
{
	uint64_t generation = annot_rings.generation;
	struct clean_name clean;
	uint64_t number;

	if (site) {
		number = __atomic_load_n(&site->name, __ATOMIC_RELAXED);
		if (number && (number ^ generation) >> 32 == 0)
			return number;
	}
	annot_clean_name(&clean, name);
	if (!site)
		return look_up(source, &clean, generation);
	number = ask_id(source, &clean, generation);
	if (number)
		__atomic_store_n(&site->name, number, __ATOMIC_RELAXED);
	return number;
}

// SPDX-License-Identifier: GPL-2.0
#include "util/string_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/xalloc.h"

#define ARENA_BLOCK_BYTES (64 * 1024)

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	char bytes[];
};

struct string_table {
	const char **strings; /* by id */
	uint32_t *hashes; /* by id */
	uint32_t nr;
	uint32_t capacity;
	uint32_t *slots; /* open addressing; ids, 0 is free */
	uint32_t slot_mask;
	struct arena_block *arena;
};

struct string_table *string_table_new(void)
{
	struct string_table *table = xcalloc(1, sizeof(*table));

	table->capacity = 256;
	table->strings = xcalloc(table->capacity, sizeof(*table->strings));
	table->hashes = xcalloc(table->capacity, sizeof(*table->hashes));
	table->strings[0] = "";
	table->nr = 1;
	table->slot_mask = 1023;
	table->slots = xcalloc(table->slot_mask + 1, sizeof(*table->slots));
	return table;
}

void string_table_free(struct string_table *table)
{
	if (!table)
		return;
	while (table->arena) {
		struct arena_block *next = table->arena->next;

		free(table->arena);
		table->arena = next;
	}
	free(table->strings);
	free(table->hashes);
	free(table->slots);
	free(table);
}

static const char *arena_copy(struct string_table *table, const char *bytes, size_t length)
{
	struct arena_block *block = table->arena;
	char *copy;

	if (!block || block->size - block->used <= length) {
		size_t size = length + 1 > ARENA_BLOCK_BYTES ? length + 1 : ARENA_BLOCK_BYTES;

		block = xcalloc(1, sizeof(*block) + size);
		block->size = size;
		block->next = table->arena;
		table->arena = block;
	}
	copy = block->bytes + block->used;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	block->used += length + 1;
	return copy;
}

static void grow_slots(struct string_table *table)
{
	uint32_t mask = table->slot_mask * 2 + 1;
	uint32_t *slots = xcalloc((size_t)mask + 1, sizeof(*slots));

	for (uint32_t id = 1; id < table->nr; id++) {
		uint32_t at = table->hashes[id] & mask;

		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = id;
	}
	free(table->slots);
	table->slots = slots;
	table->slot_mask = mask;
}

static uint32_t add_string(struct string_table *table, const char *bytes, size_t length,
			   uint32_t hash)
{
	if (table->nr == table->capacity) {
		table->capacity = (uint32_t)grown_capacity(table->capacity, table->nr + 1);
		table->strings = xrealloc_array(table->strings, table->capacity,
						sizeof(*table->strings));
		table->hashes = xrealloc_array(table->hashes, table->capacity,
					       sizeof(*table->hashes));
	}
	table->strings[table->nr] = arena_copy(table, bytes, length);
	table->hashes[table->nr] = hash;
	return table->nr++;
}

/* The slot that has the bytes, or the free one where they belong. */
static uint32_t find_slot(const struct string_table *table, const char *bytes, size_t length,
			  uint32_t hash)
{
	uint32_t at, id;

	for (at = hash & table->slot_mask; (id = table->slots[at]);
	     at = (at + 1) & table->slot_mask) {
		const char *string = table->strings[id];

		if (table->hashes[id] == hash && !strncmp(string, bytes, length) && !string[length])
			break;
	}
	return at;
}

uint32_t string_table_intern(struct string_table *table, const char *bytes, size_t length)
{
	uint32_t hash, at, id;

	length = length ? strnlen(bytes, length) : 0;
	if (!length)
		return 0;
	hash = (uint32_t)hash_bytes(bytes, length);
	at = find_slot(table, bytes, length, hash);
	if (table->slots[at])
		return table->slots[at];
	id = add_string(table, bytes, length, hash);
	table->slots[at] = id;
	if (table->nr > table->slot_mask / 2)
		grow_slots(table);
	return id;
}

uint32_t string_table_find(const struct string_table *table, const char *bytes, size_t length)
{
	uint32_t id;

	length = length ? strnlen(bytes, length) : 0;
	if (!length)
		return 0;
	id = table->slots[find_slot(table, bytes, length, (uint32_t)hash_bytes(bytes, length))];
	return id ? id : STRING_TABLE_NONE;
}

const char *string_table_get(const struct string_table *table, uint32_t id)
{
	return id < table->nr ? table->strings[id] : "";
}

uint32_t string_table_count(const struct string_table *table)
{
	return table->nr;
}

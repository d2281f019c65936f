// SPDX-License-Identifier: GPL-2.0
#include "util/pair_table.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/xalloc.h"

struct pair_slot {
	uint64_t pair;
	size_t number; /* from 1 on; 0: a free slot */
};

/* The slot of @pair, or the free one where it belongs: open addressing. */
static struct pair_slot *find_slot(const struct pair_table *table, uint64_t pair)
{
	size_t mask = table->capacity - 1;
	size_t at = hash_slot(pair, mask);

	while (table->slots[at].number && table->slots[at].pair != pair)
		at = (at + 1) & mask;
	return &table->slots[at];
}

static void grow(struct pair_table *table)
{
	struct pair_table before = *table;

	table->capacity = before.capacity ? before.capacity * 2 : 64;
	table->slots = xcalloc(table->capacity, sizeof(*table->slots));
	for (size_t i = 0; i < before.capacity; i++) {
		if (before.slots[i].number)
			*find_slot(table, before.slots[i].pair) = before.slots[i];
	}
	free(before.slots);
}

size_t pair_table_number(struct pair_table *table, uint32_t first, uint32_t second)
{
	struct pair_slot *slot;

	if (table->nr * 2 >= table->capacity)
		grow(table);
	slot = find_slot(table, (uint64_t)first << 32 | second);
	if (!slot->number) {
		slot->pair = (uint64_t)first << 32 | second;
		slot->number = ++table->nr;
	}
	return slot->number - 1;
}

void pair_table_free(struct pair_table *table)
{
	free(table->slots);
	*table = (struct pair_table){ 0 };
}

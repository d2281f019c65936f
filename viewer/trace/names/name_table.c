// SPDX-License-Identifier: GPL-2.0
#include "trace/names/name_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/xalloc.h"

/* A damaged file may refer to any number of names that it does not have. */
#define MAX_MADE_UP 4096u
#define MADE_UP_FOR_ALL "(unknown name)"

struct name {
	uint32_t table;
	uint32_t id;
	uint32_t string; /* 0: a free slot */
	bool known;
};

struct name_table {
	struct string_table *strings;
	struct name *slots; /* open addressing */
	size_t mask;
	size_t nr;
	uint32_t nr_made_up;
};

struct name_table *name_table_new(struct string_table *strings)
{
	struct name_table *names = xcalloc(1, sizeof(*names));

	names->strings = strings;
	names->mask = 255;
	names->slots = xcalloc(names->mask + 1, sizeof(*names->slots));
	return names;
}

void name_table_free(struct name_table *names)
{
	if (!names)
		return;
	free(names->slots);
	free(names);
}

/* The slot of the pair, or the free one where it belongs. */
static struct name *find_slot(const struct name_table *names, uint32_t table, uint32_t id)
{
	size_t at = hash_slot((uint64_t)table << 32 | id, names->mask);

	while (names->slots[at].string &&
	       (names->slots[at].table != table || names->slots[at].id != id))
		at = (at + 1) & names->mask;
	return &names->slots[at];
}

static void grow_table(struct name_table *names)
{
	struct name *before = names->slots;
	size_t nr_slots = names->mask + 1;

	names->mask = nr_slots * 2 - 1;
	names->slots = xcalloc(nr_slots * 2, sizeof(*names->slots));
	for (size_t i = 0; i < nr_slots; i++) {
		if (before[i].string)
			*find_slot(names, before[i].table, before[i].id) = before[i];
	}
	free(before);
}

static void put_name(struct name_table *names, const struct name *name)
{
	struct name *slot = find_slot(names, name->table, name->id);

	if (!slot->string)
		names->nr++;
	*slot = *name;
	if (names->nr > names->mask / 2)
		grow_table(names);
}

void name_table_set(struct name_table *names, uint32_t table, uint32_t id, uint32_t string)
{
	if (string)
		put_name(names,
			 &(struct name){
				 .table = table, .id = id, .string = string, .known = true });
}

static uint32_t make_up(struct name_table *names, uint32_t table, uint32_t id)
{
	struct name name = { .table = table, .id = id };
	char text[48];

	if (names->nr_made_up == MAX_MADE_UP)
		return string_table_intern(names->strings, MADE_UP_FOR_ALL,
					   strlen(MADE_UP_FOR_ALL));
	names->nr_made_up++;
	snprintf(text, sizeof(text), "name %" PRIu32 " of %" PRIu32, id, table);
	name.string = string_table_intern(names->strings, text, strlen(text));
	put_name(names, &name);
	return name.string;
}

uint32_t name_table_get(struct name_table *names, uint32_t table, uint32_t id, bool *known)
{
	const struct name *name = find_slot(names, table, id);

	*known = name->string && name->known;
	return name->string ? name->string : make_up(names, table, id);
}

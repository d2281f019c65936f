// SPDX-License-Identifier: GPL-2.0
#include "trace/names/kernel_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace/file/kallsyms.h"
#include "util/hash.h"
#include "util/xalloc.h"

/* The kernel has about so many functions; a damaged file may have any number of addresses. */
#define MAX_NAMES (1u << 18)

struct known_name {
	uint64_t address;
	uint32_t name; /* 0: a free slot */
};

struct kernel_names {
	struct string_table *strings;
	kernel_symbols_reader *read;
	void *context;
	struct kallsyms *symbols; /* NULL: not read yet */
	size_t nr;
	size_t mask;
	struct known_name *slots; /* open addressing */
};

struct kernel_names *kernel_names_new(struct string_table *strings)
{
	struct kernel_names *names = xcalloc(1, sizeof(*names));

	names->strings = strings;
	names->mask = 255;
	names->slots = xcalloc(names->mask + 1, sizeof(*names->slots));
	return names;
}

void kernel_names_free(struct kernel_names *names)
{
	if (!names)
		return;
	kallsyms_free(names->symbols);
	free(names->slots);
	free(names);
}

void kernel_names_use(struct kernel_names *names, kernel_symbols_reader *read, void *context)
{
	names->read = read;
	names->context = context;
}

static struct known_name *find_slot(const struct kernel_names *names, uint64_t address)
{
	size_t at = hash_slot(address, names->mask);

	while (names->slots[at].name && names->slots[at].address != address)
		at = (at + 1) & names->mask;
	return &names->slots[at];
}

static void grow_slots(struct kernel_names *names)
{
	struct known_name *before = names->slots;
	size_t nr_slots = names->mask + 1;

	names->mask = nr_slots * 2 - 1;
	names->slots = xcalloc(nr_slots * 2, sizeof(*names->slots));
	for (size_t i = 0; i < nr_slots; i++) {
		if (before[i].name)
			*find_slot(names, before[i].address) = before[i];
	}
	free(before);
}

static const struct kallsyms *symbols_of(struct kernel_names *names)
{
	char *text = NULL;

	if (names->symbols)
		return names->symbols;
	if (names->read)
		text = names->read(names->context);
	names->symbols = kallsyms_new(text ? text : xcalloc(1, 1));
	return names->symbols;
}

static uint32_t look_up(struct kernel_names *names, uint64_t address)
{
	struct kernel_symbol symbol;
	char text[24];
	int nr;

	if (kallsyms_find(symbols_of(names), address, &symbol) && symbol.is_code)
		return string_table_intern(names->strings, symbol.name, symbol.name_bytes);
	nr = snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return string_table_intern(names->strings, text, (size_t)nr);
}

uint32_t kernel_names_get(struct kernel_names *names, uint64_t address)
{
	struct known_name *slot = find_slot(names, address);
	uint32_t name;

	if (slot->name)
		return slot->name;
	if (names->nr == MAX_NAMES)
		return string_table_intern(names->strings, "(a function)", 12);
	name = look_up(names, address);
	*slot = (struct known_name){ address, name };
	if (++names->nr > names->mask / 2)
		grow_slots(names);
	return name;
}

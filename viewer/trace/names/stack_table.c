// SPDX-License-Identifier: GPL-2.0
#include "trace/names/stack_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define FIRST_SLOTS 256u

struct kept_stack {
	size_t first; /* in words */
	uint32_t nr;
	int32_t tgid;
	bool is_kernel;
	bool is_whole;
};

struct stack_table {
	size_t nr;
	size_t capacity;
	struct kept_stack *stacks; /* by id */
	size_t nr_words;
	size_t words_capacity;
	uint64_t *words; /* addresses of all stacks */
	size_t nr_slots; /* a power of two */
	uint32_t *slots; /* open addressing; ids, 0 is free */
	struct pair_table numbers; /* of the module, with 0 */
	size_t ids_capacity;
	uint32_t *ids; /* beside numbers; 0: not used yet */
};

static uint32_t add_stack(struct stack_table *table, struct kept_stack stack)
{
	ARRAY_MAKE_ROOM(table->stacks, table->nr, table->capacity);
	table->stacks[table->nr++] = stack;
	return (uint32_t)(table->nr - 1);
}

struct stack_table *stack_table_new(void)
{
	struct stack_table *table = xcalloc(1, sizeof(*table));

	table->nr_slots = FIRST_SLOTS;
	table->slots = xcalloc(table->nr_slots, sizeof(*table->slots));
	add_stack(table, (struct kept_stack){ 0 });
	return table;
}

void stack_table_free(struct stack_table *table)
{
	if (!table)
		return;
	free(table->stacks);
	free(table->words);
	free(table->slots);
	free(table->ids);
	pair_table_free(&table->numbers);
	free(table);
}

static struct kept_stack keep(struct stack_table *table, const struct trace_stack *stack)
{
	size_t nr = stack->nr < STACK_MOST_FRAMES ? stack->nr : STACK_MOST_FRAMES;
	struct kept_stack kept = {
		.first = table->nr_words,
		.nr = (uint32_t)nr,
		.tgid = stack->tgid,
		.is_kernel = stack->is_kernel,
		.is_whole = stack->is_whole && nr == stack->nr,
	};

	if (table->nr_words + nr > table->words_capacity) {
		table->words_capacity = grown_capacity(table->words_capacity, table->nr_words + nr);
		table->words = xrealloc_array(table->words, table->words_capacity,
					      sizeof(*table->words));
	}
	memcpy(table->words + table->nr_words, stack->ips, nr * sizeof(*table->words));
	table->nr_words += nr;
	return kept;
}

static bool is_same(const struct stack_table *table, const struct kept_stack *kept,
		    const struct trace_stack *stack)
{
	size_t nr = stack->nr < STACK_MOST_FRAMES ? stack->nr : STACK_MOST_FRAMES;

	return kept->nr == nr && kept->tgid == stack->tgid && kept->is_kernel == stack->is_kernel &&
	       kept->is_whole == (stack->is_whole && nr == stack->nr) &&
	       !memcmp(table->words + kept->first, stack->ips, nr * sizeof(*stack->ips));
}

static size_t slot_of_words(const uint64_t *ips, size_t nr, int32_t tgid, size_t mask)
{
	return hash_slot(hash_bytes(ips, nr * sizeof(*ips)) ^ (uint32_t)tgid, mask);
}

static void put_slot(struct stack_table *table, uint32_t id)
{
	const struct kept_stack *kept = &table->stacks[id];
	size_t at = slot_of_words(table->words + kept->first, kept->nr, kept->tgid,
				  table->nr_slots - 1);

	while (table->slots[at])
		at = (at + 1) & (table->nr_slots - 1);
	table->slots[at] = id;
}

static void grow_slots(struct stack_table *table)
{
	free(table->slots);
	table->nr_slots *= 2;
	table->slots = xcalloc(table->nr_slots, sizeof(*table->slots));
	for (uint32_t id = 1; id < table->nr; id++) {
		if (table->stacks[id].nr)
			put_slot(table, id);
	}
}

uint32_t stack_table_intern(struct stack_table *table, const struct trace_stack *stack)
{
	size_t nr = stack->nr < STACK_MOST_FRAMES ? stack->nr : STACK_MOST_FRAMES, at;
	uint32_t id;

	if (!nr)
		return 0;
	at = slot_of_words(stack->ips, nr, stack->tgid, table->nr_slots - 1);
	for (; (id = table->slots[at]); at = (at + 1) & (table->nr_slots - 1)) {
		if (is_same(table, &table->stacks[id], stack))
			return id;
	}
	id = add_stack(table, keep(table, stack));
	table->slots[at] = id;
	if (table->nr > table->nr_slots / 2)
		grow_slots(table);
	return id;
}

/* Where the id of the module's @number stands. */
static uint32_t *id_of(struct stack_table *table, uint32_t number)
{
	size_t at = pair_table_number(&table->numbers, number, 0), before = table->ids_capacity;

	if (at >= before) {
		table->ids_capacity = grown_capacity(before, at + 1);
		table->ids = xrealloc_array(table->ids, table->ids_capacity, sizeof(*table->ids));
		memset(table->ids + before, 0,
		       (table->ids_capacity - before) * sizeof(*table->ids));
	}
	return &table->ids[at];
}

void stack_table_tell(struct stack_table *table, uint32_t number, const struct trace_stack *stack)
{
	uint32_t *id;

	if (!number || !stack->nr)
		return;
	id = id_of(table, number);
	if (*id && !table->stacks[*id].nr)
		table->stacks[*id] = keep(table, stack);
	else if (!*id || !is_same(table, &table->stacks[*id], stack))
		*id = stack_table_intern(table, stack);
}

uint32_t stack_table_use(struct stack_table *table, uint32_t number)
{
	uint32_t *id;

	if (!number)
		return 0;
	id = id_of(table, number);
	if (!*id)
		*id = add_stack(table, (struct kept_stack){ 0 });
	return *id;
}

struct trace_stack stack_table_get(const struct stack_table *table, uint32_t id)
{
	const struct kept_stack *kept = &table->stacks[id < table->nr ? id : 0];

	return (struct trace_stack){
		.ips = kept->nr ? table->words + kept->first : NULL,
		.nr = kept->nr,
		.tgid = kept->tgid,
		.is_kernel = kept->is_kernel,
		.is_whole = kept->is_whole,
	};
}

uint32_t stack_table_count(const struct stack_table *table)
{
	return (uint32_t)table->nr;
}

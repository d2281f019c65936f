// SPDX-License-Identifier: GPL-2.0
#include "trace/names/stack_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

struct stack_names {
	struct string_table *strings;
	struct string_table *stacks; /* their keys: a stack's id is the place of its name */
	size_t nr;
	size_t capacity;
	struct stack_name *names;
	trace_stack_resolver *resolve; /* NULL: addresses */
	void *context;
};

struct stack_names *stack_names_new(struct string_table *strings)
{
	struct stack_names *names = xcalloc(1, sizeof(*names));

	names->strings = strings;
	names->stacks = string_table_new();
	/* The empty stack, whose id is 0, has no name. */
	ARRAY_MAKE_ROOM(names->names, names->nr, names->capacity);
	names->names[names->nr++] = (struct stack_name){ 0 };
	return names;
}

void stack_names_free(struct stack_names *names)
{
	if (!names)
		return;
	string_table_free(names->stacks);
	free(names->names);
	free(names);
}

void stack_names_resolve(struct stack_names *names, trace_stack_resolver *resolve, void *context)
{
	names->resolve = resolve;
	names->context = context;
}

static uint32_t intern(struct stack_names *names, const char *text)
{
	return text ? string_table_intern(names->strings, text, strlen(text)) : TRACE_NO_STRING;
}

static struct trace_stack_text addresses_of(const uint64_t *ips, size_t nr)
{
	struct trace_stack_text shown = { .frames = xcalloc(nr + 1, 24) };
	size_t length = 0;

	for (size_t i = 0; i < nr; i++)
		length += (size_t)sprintf(shown.frames + length, "%s%#" PRIx64, i ? " < " : "",
					  ips[i]);
	return shown;
}

static struct stack_name name_stack(struct stack_names *names, const uint64_t *ips, size_t nr)
{
	struct trace_stack_text shown = names->resolve ? names->resolve(names->context, ips, nr) :
							 addresses_of(ips, nr);
	struct stack_name name = { intern(names, shown.cause), intern(names, shown.frames) };

	free(shown.cause);
	free(shown.frames);
	return name;
}

/* Strings have no zeros in them: each address becomes 16 letters. */
static void put_key(char *key, const uint64_t *ips, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for (int shift = 0; shift < 64; shift += 4)
			*key++ = (char)('a' + (ips[i] >> shift & 15));
	}
}

struct stack_name stack_names_get(struct stack_names *names, const uint64_t *ips, size_t nr)
{
	char key[STACK_NAMES_MOST_FRAMES * 16];
	uint32_t id;

	if (nr > STACK_NAMES_MOST_FRAMES)
		nr = STACK_NAMES_MOST_FRAMES;
	put_key(key, ips, nr);
	id = string_table_intern(names->stacks, key, nr * 16);
	if (id == names->nr) {
		ARRAY_MAKE_ROOM(names->names, names->nr, names->capacity);
		names->names[names->nr++] = name_stack(names, ips, nr);
	}
	return names->names[id];
}

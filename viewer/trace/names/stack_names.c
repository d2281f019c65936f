// SPDX-License-Identifier: GPL-2.0
#include "trace/names/stack_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

struct known_name {
	bool is_known;
	struct stack_name name;
};

struct stack_names {
	struct string_table *strings;
	size_t capacity;
	struct known_name *names; /* by the stack's id */
	trace_stack_resolver *resolve; /* NULL: addresses */
	void *context;
};

struct stack_names *stack_names_new(struct string_table *strings)
{
	struct stack_names *names = xcalloc(1, sizeof(*names));

	names->strings = strings;
	return names;
}

void stack_names_free(struct stack_names *names)
{
	if (!names)
		return;
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

struct stack_name stack_names_get(struct stack_names *names, uint32_t id, const uint64_t *ips,
				  size_t nr)
{
	size_t before = names->capacity;

	if (id >= before) {
		names->capacity = grown_capacity(before, (size_t)id + 1);
		names->names = xrealloc_array(names->names, names->capacity, sizeof(*names->names));
		memset(names->names + before, 0,
		       (names->capacity - before) * sizeof(*names->names));
	}
	/* The empty stack, whose id is 0, has no name. */
	if (id && !names->names[id].is_known)
		names->names[id] = (struct known_name){ true, name_stack(names, ips, nr) };
	return names->names[id].name;
}

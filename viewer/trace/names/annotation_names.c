// SPDX-License-Identifier: GPL-2.0
#include "trace/names/annotation_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

struct annotation_names {
	struct string_table *strings;
	trace_name_resolver *resolve; /* NULL: names are shown as they are recorded */
	void *context;
	struct string_table *recorded;
	uint32_t *shown; /* by the id in recorded: the id in strings; 0: not asked for yet */
	size_t nr;
};

struct annotation_names *annotation_names_new(struct string_table *strings)
{
	struct annotation_names *names = xcalloc(1, sizeof(*names));

	names->strings = strings;
	return names;
}

void annotation_names_free(struct annotation_names *names)
{
	if (!names)
		return;
	string_table_free(names->recorded);
	free(names->shown);
	free(names);
}

void annotation_names_resolve(struct annotation_names *names, trace_name_resolver *resolve,
			      void *context)
{
	names->resolve = resolve;
	names->context = context;
	names->recorded = string_table_new();
}

struct string_table *annotation_names_strings(const struct annotation_names *names)
{
	return names->strings;
}

static void make_room(struct annotation_names *names, uint32_t id)
{
	size_t nr = names->nr;

	if (id < nr)
		return;
	names->nr = grown_capacity(nr, (size_t)id + 1);
	names->shown = xrealloc_array(names->shown, names->nr, sizeof(*names->shown));
	memset(names->shown + nr, 0, (names->nr - nr) * sizeof(*names->shown));
}

static uint32_t resolve(const struct annotation_names *names, const char *name)
{
	char *text = names->resolve(names->context, name);
	const char *shown = text ? text : name;
	uint32_t id = string_table_intern(names->strings, shown, strlen(shown));

	free(text);
	return id;
}

uint32_t annotation_names_intern(struct annotation_names *names, const char *bytes, size_t length)
{
	uint32_t id;

	if (!names->resolve)
		return string_table_intern(names->strings, bytes, length);
	id = string_table_intern(names->recorded, bytes, length);
	if (!id)
		return 0;
	make_room(names, id);
	if (!names->shown[id])
		names->shown[id] = resolve(names, string_table_get(names->recorded, id));
	return names->shown[id];
}

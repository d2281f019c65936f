// SPDX-License-Identifier: GPL-2.0
#include "attach/environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/shell_word.h"
#include "util/xalloc.h"

static bool list_has(const char *list, const char *name, size_t length, const char *separators)
{
	while (*list) {
		size_t bytes = strcspn(list, separators);

		if (bytes == length && !strncmp(list, name, length))
			return true;
		list += bytes + !!list[bytes];
	}
	return false;
}

/* @old without what is in @files, with @separators[0] between names; "" if nothing is left. free() it. */
static char *list_rest(const char *old, const char *files, const char *separators)
{
	char *rest = xcalloc(strlen(old) + 2, 1);
	char *end = rest;

	while (*old) {
		size_t length = strcspn(old, separators);

		if (length && !list_has(files, old, length, separators)) {
			if (end > rest)
				*end++ = separators[0];
			end = mempcpy(end, old, length);
		}
		old += length + !!old[length];
	}
	return rest;
}

static void set(struct attach_environment *environment, const char *name, char *value)
{
	environment->variables[environment->nr].name = name;
	environment->variables[environment->nr++].value = value;
}

static const char *value_of(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* What was to be loaded until now. Kokkos has the variable under an older name, too. */
static const char *old_value(enum attach_way_id way)
{
	const char *old = value_of(attach_ways[way].variable);

	if (way == ATTACH_BY_KOKKOS && !*old)
		return value_of(attach_ways[ATTACH_BY_KOKKOS_OLD].variable);
	return old;
}

/* Where it is set already, Kokkos wants the older name to say the same. */
static void set_old_name(struct attach_environment *environment, enum attach_way_id way)
{
	const char *name = attach_ways[ATTACH_BY_KOKKOS_OLD].variable;
	const char *value = environment->variables[environment->nr - 1].value;

	if (way == ATTACH_BY_KOKKOS && *value_of(name))
		set(environment, name, xstrndup(value, strlen(value)));
}

void attach_environment_add(struct attach_environment *environment, enum attach_way_id way_id,
			    const char *files)
{
	const struct attach_way *way = &attach_ways[way_id];
	const char separators[] = { way->separator, way_id == ATTACH_BY_PRELOAD ? ' ' : '\0',
				    '\0' };
	char *rest = list_rest(old_value(way_id), files, separators);

	if (way->next && *rest)
		set(environment, way->next, xstrndup(rest, strlen(rest)));
	set(environment, way->variable,
	    xasprintf("%s%.*s%s", files, *rest ? 1 : 0, separators, way->separator ? rest : ""));
	set_old_name(environment, way_id);
	free(rest);
}

void attach_environment_free(struct attach_environment *environment)
{
	for (size_t i = 0; i < environment->nr; i++)
		free(environment->variables[i].value);
	environment->nr = 0;
}

int attach_environment_set(const struct attach_environment *environment)
{
	for (size_t i = 0; i < environment->nr; i++) {
		if (setenv(environment->variables[i].name, environment->variables[i].value, 1))
			return -1;
	}
	return 0;
}

void attach_environment_print(const struct attach_environment *environment, FILE *out)
{
	for (size_t i = 0; i < environment->nr; i++) {
		fprintf(out, "export %s=", environment->variables[i].name);
		shell_quoted_print(environment->variables[i].value, out);
		putc('\n', out);
	}
}

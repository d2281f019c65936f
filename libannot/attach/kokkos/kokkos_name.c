// SPDX-License-Identifier: MIT
#include "kokkos_name.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A type's name is a nested name (N), one local to a function (Z), one of std (St) or a plain one (its length). */
static bool is_mangled(const char *name)
{
	return !strpbrk(name, " :<[") && (*name == 'N' || *name == 'Z' || !strncmp(name, "St", 2) ||
					  (*name >= '1' && *name <= '9'));
}

/* NULL: it is no name of a type. To be freed. */
static char *demangle(const char *name)
{
	char *(*function)(const char *, char *, size_t *, int *) =
		(char *(*)(const char *, char *, size_t *, int *))dlsym(RTLD_DEFAULT,
									"__cxa_demangle");

	return function && is_mangled(name) ? function(name, NULL, NULL, NULL) : NULL;
}

/* Brackets of templates: not those of "->" and "operator<<". */
static int bracket(const char *name, const char *at)
{
	if (at > name && (at[-1] == '-' || (at - name >= 8 && !strncmp(at - 8, "operator", 8))))
		return 0;
	return *at == '<' ? 1 : *at == '>' ? -1 : 0;
}

static int depth_of(const char *name)
{
	int depth = 0, deepest = 0;

	for (const char *at = name; *at; at++) {
		depth += bracket(name, at);
		if (depth > deepest)
			deepest = depth;
	}
	return deepest;
}

/* Without what stands in @depth brackets or more. False: it is too long even so; what fits is there. */
static bool leave_out(const char *name, int depth, char text[KOKKOS_NAME_BYTES])
{
	size_t nr = 0;
	int inside = 0;

	for (const char *at = name; *at; at++) {
		int change = bracket(name, at);

		if (change < 0)
			inside += change;
		if (inside < depth) {
			if (nr == KOKKOS_NAME_BYTES - 1) {
				text[nr] = '\0';
				return false;
			}
			text[nr++] = *at;
		}
		if (change > 0)
			inside += change;
	}
	text[nr] = '\0';
	return true;
}

const char *kokkos_name_shorten(const char *name, char text[KOKKOS_NAME_BYTES])
{
	char *demangled = demangle(name);
	const char *whole = demangled ? demangled : name;

	if (demangled || strlen(name) >= KOKKOS_NAME_BYTES) {
		for (int depth = depth_of(whole) + 1; depth > 0; depth--) {
			if (leave_out(whole, depth, text))
				break;
		}
		whole = text;
	}
	free(demangled);
	return whole;
}

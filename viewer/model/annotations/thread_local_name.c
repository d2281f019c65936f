// SPDX-License-Identifier: GPL-2.0
#include "model/annotations/thread_local_name.h"

#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#define WORD "@thread_local "
#define BYTES_MAX_DIGITS 16
#define DIGITS "0123456789abcdef"

bool thread_local_name_is(const char *name)
{
	return !strncmp(name, WORD, strlen(WORD));
}

/* Takes "BYTES ". */
static bool take_bytes(const char **rest, uint64_t *bytes)
{
	size_t nr = strspn(*rest, DIGITS);

	if (!nr || nr > BYTES_MAX_DIGITS || (*rest)[nr] != ' ')
		return false;
	*bytes = strtoull(*rest, NULL, 16);
	*rest += nr + 1;
	return true;
}

/* Takes "BUILDID ", or "- ". */
static bool take_build_id(const char **rest, struct thread_local_name *parsed)
{
	size_t nr = strspn(*rest, DIGITS), used = nr ? nr : 1;

	if ((!nr && **rest != '-') || (*rest)[used] != ' ')
		return false;
	parsed->build_id = *rest;
	parsed->build_id_bytes = nr;
	*rest += used + 1;
	return true;
}

bool thread_local_name_parse(const char *name, struct thread_local_name *parsed)
{
	const char *rest = name + strlen(WORD);

	if (!thread_local_name_is(name) || strlen(name) >= ANNOT_NAME_MAX_BYTES ||
	    !take_bytes(&rest, &parsed->bytes) || !take_build_id(&rest, parsed))
		return false;
	parsed->path = rest;
	return *rest == '/';
}

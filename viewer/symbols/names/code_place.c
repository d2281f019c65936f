// SPDX-License-Identifier: GPL-2.0
#include "symbols/names/code_place.h"

#include <string.h>

#include <uapi/annot.h>

#include "util/text/text.h"

#define ADDRESS_MAX_DIGITS 16

/* A part of the name. */
struct part {
	const char *start;
	const char *end;
};

/* The value of a digit, in lower case; -1: it is none. */
static int digit_value(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = digit ? strchr(digits, digit) : NULL;

	return found ? (int)(found - digits) : -1;
}

static size_t count_digits_at_end(struct part part)
{
	size_t nr = 0;

	while (part.end - nr > part.start && digit_value(part.end[-1 - (ptrdiff_t)nr]) >= 0)
		nr++;
	return nr;
}

/* Takes "+0xADDRESS" from the end of @rest. */
static bool take_address(struct part *rest, uint64_t *address)
{
	static const char mark[] = "+0x";
	size_t nr = count_digits_at_end(*rest), mark_bytes = strlen(mark);
	const char *digits = rest->end - nr;

	if (!nr || nr > ADDRESS_MAX_DIGITS || (size_t)(digits - rest->start) < mark_bytes ||
	    memcmp(digits - mark_bytes, mark, mark_bytes) != 0)
		return false;
	*address = 0;
	for (; digits < rest->end; digits++)
		*address = *address << 4 | (uint64_t)digit_value(*digits);
	rest->end -= nr + mark_bytes;
	return true;
}

/* Takes "#BUILDID" from the end of @rest, if it is there. A build-id consists of whole bytes. */
static void take_build_id(struct part *rest, struct code_place *place)
{
	size_t nr = count_digits_at_end(*rest);
	const char *digits = rest->end - nr;

	place->build_id = digits;
	place->build_id_bytes = 0;
	if (!nr || nr % 2 || digits == rest->start || digits[-1] != '#')
		return;
	place->build_id_bytes = nr;
	rest->end = digits - 1;
}

static bool is_start(const char *at)
{
	return at[0] == ' ' && (at[1] == '@' || at[1] == '&' || at[1] == '$') && at[2] == '/';
}

/* The last " @/", " &/" or " $/" that has a word before it. NULL: there is none. */
static const char *find_start(struct part rest)
{
	for (const char *at = rest.end - 3; at > rest.start; at--) {
		if (is_start(at))
			return at;
	}
	return NULL;
}

static bool is_safe(struct part part)
{
	bool safe = true;

	for (const char *at = part.start; at < part.end && safe;)
		at += text_next_column(at, &safe);
	return safe;
}

bool code_place_parse(const char *name, struct code_place *place)
{
	size_t bytes = strlen(name);
	struct part rest = { name, name + bytes };
	const char *start;

	if (bytes >= ANNOT_NAME_MAX_BYTES || !take_address(&rest, &place->address))
		return false;
	take_build_id(&rest, place);
	start = rest.end - name > 3 ? find_start(rest) : NULL;
	if (!start)
		return false;
	place->word_bytes = (size_t)(start - name);
	place->wants_function = start[1] == '&';
	place->is_data = start[1] == '$';
	place->path = start + 2;
	place->path_bytes = (size_t)(rest.end - place->path);
	return rest.end[-1] != '/' && is_safe((struct part){ place->path, rest.end });
}

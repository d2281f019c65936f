/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an object of JSON has, declared; written as JSON Schema (draft 2020-12). Objects are closed: a key that is not
 * declared is none of theirs.
 */
#ifndef ANNOT_JSON_SCHEMA_H
#define ANNOT_JSON_SCHEMA_H

#include "util/text/json.h"

enum schema_type {
	SCHEMA_TEXT,
	SCHEMA_FLAG,
	SCHEMA_COUNT, /* whole, and not negative */
	SCHEMA_WHOLE,
	SCHEMA_NUMBER,
	SCHEMA_OBJECT,
};

/* Bits: what is around a value of that type. */
#define SCHEMA_LIST 1u /* an array of it */
#define SCHEMA_LISTS 2u /* an array of arrays of it */
#define SCHEMA_BY_NAME 4u /* an object whose keys are names from the trace, each with one */
#define SCHEMA_NULL 8u /* or null, all of it */
#define SCHEMA_NULL_INSIDE 16u /* or null, each of these */
#define SCHEMA_OPTIONAL 32u /* the key may be missing */

struct schema_member {
	const char *key; /* NULL: the members stand here themselves */
	enum schema_type type;
	unsigned int around;
	const char *meaning; /* a sentence; the unit is added, as the key ends */
	const struct schema_member
		*members; /* of a SCHEMA_OBJECT; no key and no members: the end */
	const char *const
		*words; /* all that a SCHEMA_TEXT may be, NULL at the end; NULL: anything */
	const char *more; /* a second sentence, or NULL */
};

/* In a list: the members of @list, as if they stood here; and its end. */
#define MEMBERS(list)             \
	{                         \
		.members = (list) \
	}
#define MEMBERS_END \
	{           \
		0   \
	}

/* The schema of one value: a member of the object that @json is in. */
void json_schema_member(struct json *json, const struct schema_member *member);

/* "properties" of @members, which schemas of others may follow. */
void json_schema_members(struct json *json, const struct schema_member *members);

/* Elements of the array "required" that @json is in: all keys but the optional ones. */
void json_schema_required(struct json *json, const struct schema_member *members);

/* "type", "properties", "required" and "additionalProperties" of an object that has @members. */
void json_schema_object(struct json *json, const struct schema_member *members);

#endif /* ANNOT_JSON_SCHEMA_H */

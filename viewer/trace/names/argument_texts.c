// SPDX-License-Identifier: GPL-2.0
#include "trace/names/argument_texts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event.h"
#include "util/hash.h"
#include "util/xalloc.h"

/* What a number is shown as in decimal: counts, descriptors and flags are not larger. */
#define MOST_IN_DECIMAL 99999u
#define LEAST_IN_DECIMAL (-4095) /* AT_FDCWD and errors */
#define TEXT_BYTES 512

struct call {
	uint64_t key;
	uint64_t values[SYSCALL_MAX_ARGUMENTS]; /* 0 behind the last */
	uint32_t text;
};

struct argument_texts {
	struct string_table *strings;
	size_t nr;
	size_t nr_texts; /* that were interned as they are */
	size_t capacity;
	struct call *calls;
	uint32_t mask;
	uint32_t *slots; /* open addressing; 0: free; otherwise 1 + index of the call */
};

struct argument_texts *argument_texts_new(struct string_table *strings)
{
	struct argument_texts *texts = xcalloc(1, sizeof(*texts));

	texts->strings = strings;
	texts->mask = 255;
	texts->slots = xcalloc(texts->mask + 1, sizeof(*texts->slots));
	return texts;
}

void argument_texts_free(struct argument_texts *texts)
{
	if (!texts)
		return;
	free(texts->calls);
	free(texts->slots);
	free(texts);
}

static uint64_t hash_of(const struct call *call)
{
	uint64_t hash = hash_u64(call->key);

	for (int i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
		hash = hash_u64((hash >> 32 | hash << 32) ^ call->values[i]);
	return hash;
}

/* The slot of the call, or the free one where it belongs. */
static uint32_t *find_slot(const struct argument_texts *texts, const struct call *call)
{
	uint32_t at = (uint32_t)(hash_of(call) >> 32) & texts->mask;

	while (texts->slots[at]) {
		const struct call *other = &texts->calls[texts->slots[at] - 1];

		if (other->key == call->key &&
		    !memcmp(other->values, call->values, sizeof(call->values)))
			break;
		at = (at + 1) & texts->mask;
	}
	return &texts->slots[at];
}

static void grow_slots(struct argument_texts *texts)
{
	free(texts->slots);
	texts->mask = texts->mask * 2 + 1;
	texts->slots = xcalloc((size_t)texts->mask + 1, sizeof(*texts->slots));
	for (size_t i = 0; i < texts->nr; i++)
		*find_slot(texts, &texts->calls[i]) = (uint32_t)i + 1;
}

/* As a program writes it: -100, 4096, 0x7ffc0e2a1000. */
static int print_value(char *at, size_t bytes, uint64_t value, bool is_pointer)
{
	int32_t low = (int32_t)value;

	if (!value || (!is_pointer && value <= MOST_IN_DECIMAL))
		return snprintf(at, bytes, "%" PRIu64, value);
	/* A negative int, whether it was made longer with its sign or without. */
	if (!is_pointer && low < 0 && low >= LEAST_IN_DECIMAL &&
	    (value >> 32 == 0 || value >> 32 == UINT32_MAX))
		return snprintf(at, bytes, "%" PRId32, low);
	return snprintf(at, bytes, "0x%" PRIx64, value);
}

static uint32_t make_text(const struct argument_texts *texts, const struct argument_names *names,
			  const uint64_t *values)
{
	char text[TEXT_BYTES] = "";
	size_t at = 0;

	for (int i = 0; i < names->nr && at < sizeof(text) - 1; i++) {
		size_t room = sizeof(text) - at;
		int nr = snprintf(text + at, room, "%s%s%s", i ? ", " : "",
				  string_table_get(texts->strings, names->names[i]),
				  names->names[i] ? "=" : "");

		at += (size_t)nr < room ? (size_t)nr : room - 1;
		room = sizeof(text) - at;
		nr = print_value(text + at, room, values[i], names->is_pointer[i]);
		at += (size_t)nr < room ? (size_t)nr : room - 1;
	}
	return string_table_intern(texts->strings, text, at);
}

bool argument_texts_get(struct argument_texts *texts, uint64_t key,
			const struct argument_names *names, const uint64_t *values, uint32_t *text)
{
	struct call call = { .key = key };
	uint32_t *slot;

	memcpy(call.values, values, names->nr * sizeof(*values));
	slot = find_slot(texts, &call);
	if (*slot) {
		*text = texts->calls[*slot - 1].text;
		return true;
	}
	*text = TRACE_NO_STRING;
	if (texts->nr + texts->nr_texts >= ARGUMENT_TEXTS_MAX)
		return false;
	*text = call.text = make_text(texts, names, values);
	ARRAY_MAKE_ROOM(texts->calls, texts->nr, texts->capacity);
	texts->calls[texts->nr++] = call;
	*slot = (uint32_t)texts->nr;
	if (texts->nr > texts->mask / 2)
		grow_slots(texts);
	return true;
}

bool argument_texts_intern(struct argument_texts *texts, const char *text, size_t bytes,
			   uint32_t *id)
{
	uint32_t nr;

	*id = TRACE_NO_STRING;
	if (texts->nr + texts->nr_texts >= ARGUMENT_TEXTS_MAX)
		return false;
	nr = string_table_count(texts->strings);
	*id = string_table_intern(texts->strings, text, bytes);
	texts->nr_texts += string_table_count(texts->strings) - nr;
	return true;
}

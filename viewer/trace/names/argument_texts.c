// SPDX-License-Identifier: GPL-2.0
#include "trace/names/argument_texts.h"

#include <stdlib.h>
#include <string.h>

#include "trace/event.h"
#include "util/hash.h"
#include "util/xalloc.h"

/* What a number is shown as in decimal: counts, descriptors and flags are not larger. */
#define MOST_IN_DECIMAL 99999u
#define LEAST_IN_DECIMAL (-4095) /* AT_FDCWD and errors */
#define TEXT_BYTES 511

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
	/*
	 * Open addressing. That a call is not there, as many are not once the table is full, the tags say, which are
	 * few cache lines.
	 */
	uint8_t *tags; /* 0: free */
	uint32_t *slots; /* the index of the call */
};

static void new_slots(struct argument_texts *texts)
{
	texts->tags = xcalloc((size_t)texts->mask + 1, sizeof(*texts->tags));
	texts->slots = xcalloc((size_t)texts->mask + 1, sizeof(*texts->slots));
}

struct argument_texts *argument_texts_new(struct string_table *strings)
{
	struct argument_texts *texts = xcalloc(1, sizeof(*texts));

	texts->strings = strings;
	texts->mask = 255;
	new_slots(texts);
	return texts;
}

void argument_texts_free(struct argument_texts *texts)
{
	if (!texts)
		return;
	free(texts->calls);
	free(texts->tags);
	free(texts->slots);
	free(texts);
}

/* A sum of products that do not wait for each other, whose upper bits are mixed once more. */
static uint64_t hash_of(const struct call *call)
{
	static const uint64_t odd[SYSCALL_MAX_ARGUMENTS] = {
		0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xff51afd7ed558ccd,
		0xc4ceb9fe1a85ec53, 0x9fb21c651e98df25, 0xd6e8feb86659fd93,
	};
	uint64_t sum = hash_u64(call->key);

	for (int i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
		sum += call->values[i] * odd[i];
	return hash_u64(sum ^ sum >> 32);
}

static uint8_t tag_of(uint64_t hash)
{
	return (uint8_t)(hash >> 24 | 1);
}

static bool is_same(const struct call *call, const struct call *other)
{
	uint64_t differ = call->key ^ other->key;

	for (int i = 0; i < SYSCALL_MAX_ARGUMENTS; i++)
		differ |= call->values[i] ^ other->values[i];
	return !differ;
}

/* The slot of the call, or the free one where it belongs. */
static uint32_t find_slot(const struct argument_texts *texts, const struct call *call,
			  uint64_t hash)
{
	uint32_t at = (uint32_t)(hash >> 32) & texts->mask;

	for (; texts->tags[at]; at = (at + 1) & texts->mask) {
		if (texts->tags[at] == tag_of(hash) &&
		    is_same(call, &texts->calls[texts->slots[at]]))
			break;
	}
	return at;
}

static void put_call(struct argument_texts *texts, uint32_t at, uint64_t hash, size_t index)
{
	texts->tags[at] = tag_of(hash);
	texts->slots[at] = (uint32_t)index;
}

static void grow_slots(struct argument_texts *texts)
{
	free(texts->tags);
	free(texts->slots);
	texts->mask = texts->mask * 2 + 1;
	new_slots(texts);
	for (size_t i = 0; i < texts->nr; i++) {
		uint64_t hash = hash_of(&texts->calls[i]);

		put_call(texts, find_slot(texts, &texts->calls[i], hash), hash, i);
	}
}

/* A text that is being written; what has no room is cut off. */
struct line {
	char text[TEXT_BYTES];
	size_t nr;
};

static void put_bytes(struct line *line, const char *bytes, size_t nr)
{
	size_t room = sizeof(line->text) - line->nr;

	if (nr > room)
		nr = room;
	memcpy(line->text + line->nr, bytes, nr);
	line->nr += nr;
}

/* printf() would take most of the time that reading system calls takes. */
static void put_decimal(struct line *line, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	put_bytes(line, digits + at, sizeof(digits) - at);
}

static void put_hex(struct line *line, uint64_t value)
{
	char digits[16];
	size_t at = sizeof(digits);

	do
		digits[--at] = "0123456789abcdef"[value % 16];
	while (value /= 16);
	put_bytes(line, "0x", 2);
	put_bytes(line, digits + at, sizeof(digits) - at);
}

/* As a program writes it: -100, 4096, 0x7ffc0e2a1000. */
static void put_value(struct line *line, uint64_t value, bool is_pointer)
{
	int32_t low = (int32_t)value;

	if (!value || (!is_pointer && value <= MOST_IN_DECIMAL)) {
		put_decimal(line, value);
		return;
	}
	/* A negative int, whether it was made longer with its sign or without. */
	if (!is_pointer && low < 0 && low >= LEAST_IN_DECIMAL &&
	    (value >> 32 == 0 || value >> 32 == UINT32_MAX)) {
		put_bytes(line, "-", 1);
		put_decimal(line, (uint64_t)-low);
		return;
	}
	put_hex(line, value);
}

static uint32_t make_text(const struct argument_texts *texts, const struct argument_names *names,
			  const uint64_t *values)
{
	struct line line;

	line.nr = 0;
	for (int i = 0; i < names->nr; i++) {
		const char *name = string_table_get(texts->strings, names->names[i]);

		if (i)
			put_bytes(&line, ", ", 2);
		put_bytes(&line, name, strlen(name));
		if (names->names[i])
			put_bytes(&line, "=", 1);
		put_value(&line, values[i], names->is_pointer[i]);
	}
	return string_table_intern(texts->strings, line.text, line.nr);
}

bool argument_texts_get(struct argument_texts *texts, uint64_t key,
			const struct argument_names *names, const uint64_t *values, uint32_t *text)
{
	struct call call = { .key = key };
	uint64_t hash;
	uint32_t at;

	memcpy(call.values, values, sizeof(call.values));
	hash = hash_of(&call);
	at = find_slot(texts, &call, hash);
	if (texts->tags[at]) {
		*text = texts->calls[texts->slots[at]].text;
		return true;
	}
	*text = TRACE_NO_STRING;
	if (texts->nr + texts->nr_texts >= ARGUMENT_TEXTS_MAX)
		return false;
	*text = call.text = make_text(texts, names, values);
	ARRAY_MAKE_ROOM(texts->calls, texts->nr, texts->capacity);
	put_call(texts, at, hash, texts->nr);
	texts->calls[texts->nr++] = call;
	if (texts->nr > texts->mask / 4 * 3)
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

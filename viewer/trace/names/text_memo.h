/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recent texts that were made of numbers, by these: printing and hashing a text takes longer than all else
 * that is done with an event.
 */
#ifndef ANNOT_TRACE_NAMES_TEXT_MEMO_H
#define ANNOT_TRACE_NAMES_TEXT_MEMO_H

#include <stdint.h>

#include "util/hash.h"

#define TEXT_MEMO_BITS 6
#define TEXT_MEMO_NUMBERS 3

struct text_memo_slot {
	uint64_t numbers[TEXT_MEMO_NUMBERS];
	uint32_t id;
};

/* Zero-initialise. Use it for one kind of texts, and with one string table only. */
struct text_memo {
	struct text_memo_slot slots[1 << TEXT_MEMO_BITS];
};

/*
 * Where the id of the text of @first, @second and @third is. 0 (TRACE_NO_STRING): the caller makes the text, and puts
 * its id there.
 */
static inline uint32_t *text_memo_find(struct text_memo *memo, uint64_t first, uint64_t second,
				       uint64_t third)
{
	uint64_t hash = hash_u64(hash_u64(first ^ second << 1) ^ third);
	struct text_memo_slot *slot = &memo->slots[hash >> (64 - TEXT_MEMO_BITS)];

	if (slot->numbers[0] != first || slot->numbers[1] != second || slot->numbers[2] != third)
		*slot = (struct text_memo_slot){ .numbers = { first, second, third } };
	return &slot->id;
}

#endif /* ANNOT_TRACE_NAMES_TEXT_MEMO_H */

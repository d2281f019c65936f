// SPDX-License-Identifier: GPL-2.0
#include "util/text/scan.h"

#include <string.h>

struct scan_text scan_trim(const char *text, size_t bytes)
{
	struct scan_text trimmed = { text, text + bytes };

	while (trimmed.end > trimmed.start && (trimmed.end[-1] == '\n' || trimmed.end[-1] == '\0'))
		trimmed.end--;
	return trimmed;
}

bool scan_field(struct scan_text *rest, char separator, struct scan_text *field)
{
	const char *at = memchr(rest->start, separator, scan_bytes(*rest));

	if (!at)
		return false;
	*field = (struct scan_text){ rest->start, at };
	rest->start = at + 1;
	return true;
}

struct scan_text scan_take(struct scan_text *rest, char separator)
{
	struct scan_text field;

	if (!scan_field(rest, separator, &field)) {
		field = *rest;
		rest->start = rest->end;
	}
	return field;
}

bool scan_is(struct scan_text text, const char *word)
{
	size_t bytes = strlen(word);

	return scan_bytes(text) == bytes && !memcmp(text.start, word, bytes);
}

bool scan_starts_with(struct scan_text text, const char *word)
{
	size_t bytes = strlen(word);

	return scan_bytes(text) >= bytes && !memcmp(text.start, word, bytes);
}

bool scan_is_printable(struct scan_text text)
{
	for (const char *at = text.start; at < text.end; at++) {
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return false;
	}
	return true;
}

bool scan_integer(struct scan_text text, int64_t *value)
{
	const char *p = text.start;
	bool negative = p < text.end && *p == '-';
	int64_t sum = 0;

	p += negative;
	if (p == text.end)
		return false;
	for (; p < text.end; p++) {
		int digit = *p - '0';

		if (digit < 0 || digit > 9)
			return false;
		/* Summed up below zero, where there is room for INT64_MIN. */
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_sub_overflow(sum, digit, &sum))
			return false;
	}
	if (!negative && sum == INT64_MIN)
		return false;
	*value = negative ? sum : -sum;
	return true;
}

/* 1 + what a digit of any base up to 16 stands for; 0: it is none. */
static const uint8_t digit_values[UINT8_MAX + 1] = {
	['0'] = 1,  ['1'] = 2,	['2'] = 3,  ['3'] = 4,	['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,	['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* -1: not a digit. */
static inline int digit_of(char c)
{
	return digit_values[(unsigned char)c] - 1;
}

bool scan_unsigned(struct scan_text text, uint64_t *value)
{
	uint64_t sum = 0;

	if (text.start == text.end)
		return false;
	for (const char *p = text.start; p < text.end; p++) {
		int digit = digit_of(*p);

		if (digit < 0 || digit > 9)
			return false;
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, (uint64_t)digit, &sum))
			return false;
	}
	*value = sum;
	return true;
}

bool scan_hex(struct scan_text text, uint64_t *value)
{
	uint64_t sum = 0;

	if (text.start == text.end)
		return false;
	for (const char *p = text.start; p < text.end; p++) {
		int digit = digit_of(*p);

		if (digit < 0 || sum >> 60)
			return false;
		sum = sum << 4 | (uint64_t)digit;
	}
	*value = sum;
	return true;
}

// SPDX-License-Identifier: MIT
/*
 * Makes the text of annotations, for the device and for trace_marker. It is made on the stack, and by
 * functions that a signal handler may call, so not by snprintf().
 */
#include <stdbool.h>
#include <string.h>

#include "format.h"
#include "annot/annot.h"

void annot_line_add_bytes(struct line *line, const char *bytes, size_t nr_bytes)
{
	size_t room = sizeof(line->bytes) - line->nr_bytes;

	if (nr_bytes > room)
		nr_bytes = room;
	memcpy(line->bytes + line->nr_bytes, bytes, nr_bytes);
	line->nr_bytes += nr_bytes;
}

void annot_line_add(struct line *line, const char *text)
{
	annot_line_add_bytes(line, text, strlen(text));
}

void annot_line_add_number(struct line *line, int64_t number)
{
	char digits[20];
	size_t start = sizeof(digits);
	/* unsigned, because -INT64_MIN is not an int64_t */
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do {
		digits[--start] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		digits[--start] = '-';
	annot_line_add_bytes(line, digits + start, sizeof(digits) - start);
}

static bool is_utf8_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t annot_format_length(const char *text, size_t max_bytes)
{
	size_t length = strnlen(text, max_bytes + 1);
	size_t cut = max_bytes;

	if (length <= max_bytes)
		return length;
	/* A character has up to three continuation bytes; more are not UTF-8: cut them anywhere. */
	while (max_bytes - cut < 3 && is_utf8_continuation(text[cut]))
		cut--;
	return is_utf8_continuation(text[cut]) ? max_bytes : cut;
}

void annot_clean_name(struct clean_name *clean, const char *name)
{
	size_t i;

	if (!name || !*name)
		name = "?";
	clean->nr_bytes = annot_format_length(name, NAME_MAX_BYTES);
	for (i = 0; i < clean->nr_bytes; i++) {
		unsigned char byte = (unsigned char)name[i];

		clean->bytes[i] = byte < 0x20 || byte == 0x7f ? '?' : (char)byte;
	}
}

static bool name_holds(const struct clean_name *name, char byte)
{
	return memchr(name->bytes, byte, name->nr_bytes);
}

static void add_quoted(struct line *line, const struct clean_name *name)
{
	size_t i;

	annot_line_add(line, "\"");
	for (i = 0; i < name->nr_bytes; i++) {
		if (name->bytes[i] == '"' || name->bytes[i] == '\\')
			annot_line_add(line, "\\");
		annot_line_add_bytes(line, &name->bytes[i], 1);
	}
	annot_line_add(line, "\"");
}

void annot_format_device(struct line *line, unsigned int op, const char *name, int64_t value)
{
	static const char *const letters[] = {
		[ANNOT_OP_BEGIN] = "B", [ANNOT_OP_WAIT_BEGIN] = "W", [ANNOT_OP_END] = "E",
		[ANNOT_OP_MARK] = "I",	[ANNOT_OP_COUNTER] = "C",    [ANNOT_OP_NEXT] = "E\nB",
	};
	unsigned int kind = op & ~ANNOT_OP_HAS_VALUE;
	struct clean_name clean;

	line->nr_bytes = 0;
	annot_line_add(line, letters[kind]);
	if (kind == ANNOT_OP_END)
		return;

	annot_clean_name(&clean, name);
	annot_line_add(line, " ");
	/* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): it has a byte */
	if (name_holds(&clean, ' ') || clean.bytes[0] == '"')
		add_quoted(line, &clean);
	else
		annot_line_add_bytes(line, clean.bytes, clean.nr_bytes);
	if (op & ANNOT_OP_HAS_VALUE) {
		annot_line_add(line, " ");
		annot_line_add_number(line, value);
	}
}

/*
 * The atrace format has no quotes. Readers take its fields from the right: an integer is the value,
 * "wait" is the kind of the span, and the rest is the name. So a name with a '|' always has a value
 * behind it. If such a name ends with "|wait", the '|' becomes a '/'.
 */
static void hide_wait_field(struct clean_name *name)
{
	static const char field[] = "|wait";
	size_t nr_bytes = sizeof(field) - 1;

	if (name->nr_bytes >= nr_bytes &&
	    !memcmp(name->bytes + name->nr_bytes - nr_bytes, field, nr_bytes))
		name->bytes[name->nr_bytes - nr_bytes] = '/';
}

void annot_format_marker(struct line *line, unsigned int op, const char *name, int64_t value,
			 int32_t tgid)
{
	static const char *const letters[] = {
		[ANNOT_OP_BEGIN] = "B|", [ANNOT_OP_WAIT_BEGIN] = "B|", [ANNOT_OP_END] = "E|",
		[ANNOT_OP_MARK] = "I|",	 [ANNOT_OP_COUNTER] = "C|",
	};
	unsigned int kind = op & ~ANNOT_OP_HAS_VALUE;
	struct clean_name clean;

	line->nr_bytes = 0;
	annot_line_add(line, letters[kind]);
	annot_line_add_number(line, tgid);
	if (kind == ANNOT_OP_END)
		return;

	annot_clean_name(&clean, name);
	if (kind == ANNOT_OP_BEGIN)
		hide_wait_field(&clean);
	annot_line_add(line, "|");
	annot_line_add_bytes(line, clean.bytes, clean.nr_bytes);
	if (kind == ANNOT_OP_WAIT_BEGIN)
		annot_line_add(line, "|wait");
	if (op & ANNOT_OP_HAS_VALUE || name_holds(&clean, '|')) {
		annot_line_add(line, "|");
		annot_line_add_number(line, op & ANNOT_OP_HAS_VALUE ? value : 0);
	}
}

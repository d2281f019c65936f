// SPDX-License-Identifier: GPL-2.0
/*
 * Text protocol -> struct annot_line. See parse.h for the grammar.
 */
#include "device/parse.h"

#include <linux/errno.h>

#define VALUE_MAX_MAGNITUDE ((__u64)1 << 63) /* of the most negative s64 */

/* The rest of one line, without its newline. */
struct scan {
	const char *at;
	const char *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_control(char c)
{
	unsigned char byte = c;

	return byte < 0x20 || byte == 0x7f;
}

static bool at_field_end(const struct scan *scan)
{
	return scan->at == scan->end || is_blank(*scan->at);
}

static void skip_blanks(struct scan *scan)
{
	while (scan->at < scan->end && is_blank(*scan->at))
		scan->at++;
}

static int append_char(struct annot_line *line, size_t *length, char c)
{
	if (is_control(c) || *length == ANNOT_NAME_MAX_BYTES)
		return -EINVAL;
	line->name[(*length)++] = c;
	return 0;
}

static int parse_quoted_name(struct scan *scan, struct annot_line *line, size_t *length)
{
	scan->at++;
	while (scan->at < scan->end && *scan->at != '"') {
		if (*scan->at == '\\') {
			scan->at++;
			if (scan->at == scan->end || (*scan->at != '"' && *scan->at != '\\'))
				return -EINVAL;
		}
		if (append_char(line, length, *scan->at++))
			return -EINVAL;
	}
	if (scan->at == scan->end)
		return -EINVAL;
	scan->at++;
	return 0;
}

static int parse_bare_name(struct scan *scan, struct annot_line *line, size_t *length)
{
	while (!at_field_end(scan)) {
		if (append_char(line, length, *scan->at++))
			return -EINVAL;
	}
	return 0;
}

static int parse_name(struct scan *scan, struct annot_line *line)
{
	size_t length = 0;
	int err;

	if (scan->at < scan->end && *scan->at == '"')
		err = parse_quoted_name(scan, line, &length);
	else
		err = parse_bare_name(scan, line, &length);
	if (err || !length || !at_field_end(scan))
		return -EINVAL;
	line->name[length] = '\0';
	return 0;
}

static int parse_value(struct scan *scan, struct annot_line *line)
{
	bool negative = *scan->at == '-';
	__u64 limit = negative ? VALUE_MAX_MAGNITUDE : VALUE_MAX_MAGNITUDE - 1;
	__u64 magnitude = 0;

	if (negative)
		scan->at++;
	if (at_field_end(scan))
		return -EINVAL;
	while (!at_field_end(scan)) {
		unsigned int digit = *scan->at++ - '0';

		if (digit > 9 || magnitude > (limit - digit) / 10)
			return -EINVAL;
		magnitude = magnitude * 10 + digit;
	}
	/* Negated as unsigned: the most negative value has no positive counterpart. */
	line->value = negative ? -magnitude : magnitude;
	line->has_value = true;
	return 0;
}

static int parse_op(char letter, struct annot_line *line)
{
	switch (letter) {
	case 'W':
		line->op = ANNOT_OP_WAIT_BEGIN;
		return 0;
	case 'B':
		line->op = ANNOT_OP_BEGIN;
		return 0;
	case 'E':
		line->op = ANNOT_OP_END;
		return 0;
	case 'I':
		line->op = ANNOT_OP_MARK;
		return 0;
	case 'C':
		line->op = ANNOT_OP_COUNTER;
		return 0;
	default:
		return -EINVAL;
	}
}

/* The name, and the value if there is one: all that may follow an op other than 'E'. */
static int parse_operands(struct scan *scan, struct annot_line *line)
{
	if (parse_name(scan, line))
		return -EINVAL;
	skip_blanks(scan);
	if (scan->at < scan->end && parse_value(scan, line))
		return -EINVAL;
	if (line->op == ANNOT_OP_COUNTER && !line->has_value)
		return -EINVAL;
	return 0;
}

static int parse_fields(struct scan *scan, struct annot_line *line)
{
	line->has_value = false;
	line->value = 0;
	line->name[0] = '\0';

	if (scan->at == scan->end || parse_op(*scan->at++, line) || !at_field_end(scan))
		return -EINVAL;
	skip_blanks(scan);
	if (line->op != ANNOT_OP_END && parse_operands(scan, line))
		return -EINVAL;
	skip_blanks(scan);
	return scan->at == scan->end ? 0 : -EINVAL;
}

long annot_parse_line(const char *text, size_t length, struct annot_line *line)
{
	struct scan scan = { .at = text, .end = text };
	size_t consumed;

	while (scan.end < text + length && *scan.end != '\n')
		scan.end++;
	consumed = scan.end - text;
	if (consumed < length)
		consumed++;
	return parse_fields(&scan, line) ? -EINVAL : (long)consumed;
}

long annot_parse_text(const char *text, size_t length, struct annot_line *last)
{
	long nr_lines = 0;

	while (length) {
		long consumed = annot_parse_line(text, length, last);

		if (consumed < 0)
			return consumed;
		text += consumed;
		length -= consumed;
		nr_lines++;
	}
	return nr_lines;
}

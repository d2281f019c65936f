/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text that programs write to /dev/annot/cpuN. No kernel service is used here, so that the
 * same file is unit-tested in user space.
 *
 *	B name [value]	begin a span of work
 *	W name [value]	begin a span of waiting: a barrier, a lock
 *	E		end the innermost span
 *	I name [value]	a mark: an instant
 *	C name value	a counter takes a value
 *
 * Lines end with a newline; the last one may lack it. Fields are separated by blanks (space, tab),
 * which may also trail. A name is 1 to ANNOT_NAME_MAX_BYTES bytes: bare, then without blanks and
 * not starting with a double quote; or in double quotes, with \" and \\ for these two bytes.
 * Control characters are refused in both, bytes from 0x80 pass. A value is a decimal s64.
 */
#ifndef ANNOT_PARSE_H
#define ANNOT_PARSE_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <stdbool.h>
#include <stddef.h>
#endif

#include <uapi/annot.h>

/**
 * struct annot_line - what one line says
 * @op:		ANNOT_OP_*: which annotation
 * @has_value:	a value was written
 * @value:	the value; 0 when none was written
 * @name:	unescaped and NUL-terminated; empty for ANNOT_OP_END
 */
struct annot_line {
	__u8 op;
	bool has_value;
	__s64 value;
	char name[ANNOT_NAME_MAX_BYTES + 1];
};

/**
 * annot_parse_line - read the first line of @text
 * @text:	what was written; not NUL-terminated
 * @length:	its bytes, at least 1
 * @line:	where the result goes; undefined after an error
 *
 * Return: the bytes of the line with its newline, or -EINVAL.
 */
long annot_parse_line(const char *text, size_t length, struct annot_line *line);

/**
 * annot_parse_text - check every line of @text
 * @text:	what was written; not NUL-terminated
 * @length:	its bytes
 * @last:	where the last line goes, so that a text of one line need not be read twice
 *
 * Return: the number of lines (0 for an empty text), or -EINVAL when one of them is bad.
 */
long annot_parse_text(const char *text, size_t length, struct annot_line *last);

#endif /* ANNOT_PARSE_H */

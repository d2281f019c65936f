/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines of limited length.
 */
#ifndef ANNOT_MCP_LINES_H
#define ANNOT_MCP_LINES_H

#include <stddef.h>
#include <stdio.h>

enum line_status {
	LINE_READ,
	LINE_TOO_LONG, /* all of it is passed over */
	LINE_NONE, /* the file ended */
};

/* The next line, without its newline, into @line of @most bytes; how long it is into @bytes. The last may lack a newline. */
enum line_status line_read(FILE *in, char *line, size_t most, size_t *bytes);

#endif /* ANNOT_MCP_LINES_H */

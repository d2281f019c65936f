// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/lines.h"

enum line_status line_read(FILE *in, char *line, size_t most, size_t *bytes)
{
	size_t length = 0;
	int letter;

	while ((letter = getc_unlocked(in)) != EOF && letter != '\n') {
		if (length < most)
			line[length] = (char)letter;
		length++;
	}
	if (letter == EOF && !length)
		return LINE_NONE;
	*bytes = length;
	return length > most ? LINE_TOO_LONG : LINE_READ;
}

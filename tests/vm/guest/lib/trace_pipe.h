/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads what trace_pipe says, line by line, as it comes.
 */
#ifndef TRACE_PIPE_H
#define TRACE_PIPE_H

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* What it has now goes to @take, whole lines of it. False: nothing came. For one pipe of a program. */
static inline bool read_lines(int pipe, void (*take)(void *context, char *line), void *context)
{
	static char text[1 << 18];
	static size_t kept;
	ssize_t got = read(pipe, text + kept, sizeof(text) - 1 - kept);
	char *line = text, *end;

	if (got <= 0)
		return false;
	text[kept += got] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		take(context, line);
		line = end + 1;
	}
	kept -= line - text;
	memmove(text, line, kept + 1);
	return true;
}

#endif /* TRACE_PIPE_H */

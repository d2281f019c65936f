/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a recording goes, in one line at the right edge of the terminal's current row: the program
 * writes to the same terminal, and what it writes on the left stays readable.
 */
#ifndef ANNOT_UTIL_PROGRESS_H
#define ANNOT_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_figures {
	double elapsed_s;
	int buffer_percent; /* of the fullest CPU's buffer */
	uint64_t lost_events;
	uint64_t written_bytes;
};

/* Can stderr show a line now? Not when it is no terminal, or a program has taken the screen. */
bool progress_possible(void);

/* Puts @line in the place of the last one shown. */
void progress_show(const char *line);

/* Takes the line away again, if one stands there. */
void progress_clear(void);

/* "12.3 s  buffer 45%  lost 0  8.1 MB" */
void progress_format(const struct progress_figures *figures, char *line, size_t size);

/* "12.3 MB"; decimal units. */
void progress_format_bytes(uint64_t bytes, char *text, size_t size);

#endif /* ANNOT_UTIL_PROGRESS_H */

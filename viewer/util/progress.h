/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The progress of a recording, in one line at the right edge of the terminal's current row. The
 * recorded program writes to the same terminal, and its output on the left stays readable.
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

/* Whether stderr can show a line now: it is a terminal, and no program uses the full screen. */
bool progress_possible(void);

/* Replaces the line shown. */
void progress_show(const char *line);

/* Removes the line, if it is shown. */
void progress_clear(void);

/* "12.3 s  buffer 45%  lost 0  8.1 MB" */
void progress_format(const struct progress_figures *figures, char *line, size_t size);

/* "12.3 MB"; decimal units. */
void progress_format_bytes(uint64_t bytes, char *text, size_t size);

#endif /* ANNOT_UTIL_PROGRESS_H */

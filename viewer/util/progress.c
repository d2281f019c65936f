// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "util/progress.h"

#define SAVE_CURSOR "\0337"
#define RESTORE_CURSOR "\0338"
#define ERASE_TO_END "\033[K"
#define COLUMN "\033[%dG"

/* Leftmost column of the line; 0: no line is shown. */
static int drawn_column;

bool progress_possible(void)
{
	const char *terminal = getenv("TERM");
	struct termios modes;

	if (!terminal || !strcmp(terminal, "dumb"))
		return false;
	/* Without ICANON or ECHO, a program edits, pages, or asks for a password. */
	if (tcgetattr(STDERR_FILENO, &modes) ||
	    (modes.c_lflag & (ICANON | ECHO)) != (ICANON | ECHO))
		return false;
	return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

void progress_format_bytes(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	double amount = (double)bytes;
	size_t unit = 0;

	while (amount >= 999.95 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		amount /= 1000;
		unit++;
	}
	snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", amount, units[unit]);
}

void progress_format(const struct progress_figures *figures, char *line, size_t size)
{
	char bytes[24];

	progress_format_bytes(figures->written_bytes, bytes, sizeof(bytes));
	snprintf(line, size, "%.1f s  buffer %d%%  lost %" PRIu64 "  %s", figures->elapsed_s,
		 figures->buffer_percent, figures->lost_events, bytes);
}

void progress_show(const char *line)
{
	struct winsize window;
	int column;

	progress_clear();
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window))
		return;
	column = window.ws_col - (int)strlen(line);
	if (column < 1)
		return;
	fprintf(stderr, SAVE_CURSOR COLUMN "%s" RESTORE_CURSOR, column, line);
	drawn_column = column;
}

void progress_clear(void)
{
	if (drawn_column)
		fprintf(stderr, SAVE_CURSOR COLUMN ERASE_TO_END RESTORE_CURSOR, drawn_column);
	drawn_column = 0;
}

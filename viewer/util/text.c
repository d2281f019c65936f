// SPDX-License-Identifier: GPL-2.0
#include "util/text.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define NARROWEST 40
#define USUAL 80

int text_width(FILE *out)
{
	struct winsize window;

	if (!isatty(fileno(out)) || ioctl(fileno(out), TIOCGWINSZ, &window))
		return 0;
	/* A serial line does not know. */
	if (!window.ws_col)
		return USUAL;
	return window.ws_col < NARROWEST ? NARROWEST : window.ws_col;
}

void text_cut(FILE *out, int width, int column, const char *text)
{
	int room = width - column;

	if (width && (int)strlen(text) > room && room > 3)
		fprintf(out, "%.*s...\n", room - 3, text);
	else
		fprintf(out, "%s\n", text);
}

/* How much of @text goes into a line of @room columns: whole words, or what there is of one. */
static int line_length(const char *text, int room)
{
	int length = (int)strlen(text);

	if (length <= room)
		return length;
	for (int end = room; end > 0; end--) {
		if (text[end] == ' ')
			return end;
	}
	return room;
}

void text_wrap(FILE *out, int width, int column, const char *text)
{
	int room = width - column;
	int length;

	if (room < 8) {
		fprintf(out, "%s\n", text);
		return;
	}
	length = line_length(text, room);
	fprintf(out, "%.*s\n", length, text);
	for (text += length; *text; text += length) {
		text += strspn(text, " ");
		length = line_length(text, room);
		fprintf(out, "%*s%.*s\n", column, "", length, text);
	}
}

// SPDX-License-Identifier: GPL-2.0
#include "util/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/text/utf8.h"
#include "util/xalloc.h"

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

/* How much of @text fits a line of @room columns: whole words, or the start of one. */
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

int text_next_column(const char *name, bool *safe)
{
	int bytes = utf8_sequence_bytes(name);

	*safe = utf8_is_safe(name);
	return bytes ? bytes : 1;
}

int text_columns(const char *name)
{
	int columns = 0;
	bool safe;

	for (; *name; columns++)
		name += text_next_column(name, &safe);
	return columns;
}

/* Prints the first @columns columns of @name. */
static void print_columns(FILE *out, const char *name, int columns)
{
	for (int i = 0; i < columns; i++) {
		bool safe;
		int bytes = text_next_column(name, &safe);

		if (safe)
			fwrite(name, 1, (size_t)bytes, out);
		else
			fputc('?', out);
		name += bytes;
	}
}

/* The columns of ":131" at the end of @name, where they leave room for the rest; else 0. */
static int line_number_columns(const char *name, int width)
{
	size_t bytes = strlen(name), nr = 0;

	while (nr < bytes && name[bytes - 1 - nr] >= '0' && name[bytes - 1 - nr] <= '9')
		nr++;
	if (!nr || nr == bytes || name[bytes - 1 - nr] != ':' || nr + 1 > (size_t)width / 3)
		return 0;
	return (int)nr + 1;
}

/* In exactly @width columns. */
static void print_cut_name(FILE *out, const char *name, int width)
{
	int tail = line_number_columns(name, width);

	if (width <= 3) {
		print_columns(out, name, width);
		return;
	}
	print_columns(out, name, width - 3 - tail);
	fprintf(out, "...%s", name + strlen(name) - tail);
}

void text_print_name(FILE *out, const char *name, int width, int pad)
{
	int printed = text_columns(name);

	if (width >= 0 && printed > width) {
		print_cut_name(out, name, width);
		printed = width;
	} else {
		print_columns(out, name, printed);
	}
	if (printed < pad)
		fprintf(out, "%*s", pad - printed, "");
}

void text_print_wrapped(FILE *out, const char *text, int width, int indent)
{
	int column = indent;

	while (*text) {
		char *word = xstrndup(text, strcspn(text, " "));
		int columns = text_columns(word);

		if (column > indent && column + 1 + columns > width) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		text_print_name(out, word, -1, 0);
		column += columns;
		text += strcspn(text, " ");
		text += *text == ' ';
		free(word);
	}
}

int text_widest(int so_far, const char *name, int limit)
{
	int columns = text_columns(name);

	columns = columns > limit ? limit : columns;
	return columns > so_far ? columns : so_far;
}

void text_to_upper(char *text)
{
	for (; *text; text++) {
		if (*text >= 'a' && *text <= 'z')
			*text = (char)(*text - 'a' + 'A');
	}
}

const char *text_plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

// SPDX-License-Identifier: GPL-2.0
#include "util/text/csv.h"

#include <string.h>

#include "util/text/utf8.h"

static void write_bytes(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
}

static void write_utf8(const char *text, FILE *out)
{
	while (*text) {
		int length = utf8_sequence_bytes(text);

		if (*text == '"')
			fputc('"', out);
		if (length)
			fwrite(text, 1, (size_t)length, out);
		else
			fputs("\xef\xbf\xbd", out);
		text += length ? length : 1;
	}
}

static void write_field(const char *field, void (*write)(const char *text, FILE *out), FILE *out)
{
	const char *quote = strpbrk(field, ",\"\r\n") ? "\"" : "";

	fputs(quote, out);
	write(field, out);
	fputs(quote, out);
}

void csv_field(const char *field, FILE *out)
{
	write_field(field, write_bytes, out);
}

void csv_field_utf8(const char *field, FILE *out)
{
	write_field(field, write_utf8, out);
}

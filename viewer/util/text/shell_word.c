// SPDX-License-Identifier: GPL-2.0
#include "util/text/shell_word.h"

#include <string.h>

#define PLAIN                        \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789_-+=./:,@%"

/* In quotes, nothing but the quote itself is special. */
void shell_quoted_print(const char *text, FILE *out)
{
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	}
	putc('\'', out);
}

void shell_word_print(const char *text, FILE *out)
{
	if (*text && !text[strspn(text, PLAIN)])
		fputs(text, out);
	else
		shell_quoted_print(text, out);
}

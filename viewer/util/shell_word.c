// SPDX-License-Identifier: GPL-2.0
#include "util/shell_word.h"

#include <string.h>

#define PLAIN                        \
	"abcdefghijklmnopqrstuvwxyz" \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789_-+=./:,@%"

void shell_word_print(const char *text, FILE *out)
{
	if (*text && !text[strspn(text, PLAIN)]) {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	}
	putc('\'', out);
}

// SPDX-License-Identifier: GPL-2.0
#include "util/text/html_text.h"

#include "util/text/utf8.h"

void html_text_write(const char *text, FILE *out)
{
	while (*text) {
		int length = utf8_sequence_bytes(text);

		if (!length)
			fputs("\xef\xbf\xbd", out);
		else if (*text == '&')
			fputs("&amp;", out);
		else if (*text == '<')
			fputs("&lt;", out);
		else if (*text == '"')
			fputs("&quot;", out);
		else
			fwrite(text, 1, (size_t)length, out);
		text += length ? length : 1;
	}
}

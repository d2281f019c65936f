// SPDX-License-Identifier: MIT
#include "nvtx_text.h"

#include <stdlib.h>
#include <string.h>

#define UTF8_MAX_BYTES 4

/* Returns how many bytes it takes. */
static unsigned int utf8_encode(char *text, uint32_t character)
{
	unsigned int nr_more = character < 0x80	   ? 0 :
			       character < 0x800   ? 1 :
			       character < 0x10000 ? 2 :
						     3;
	static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };

	text[0] = (char)(first[nr_more] | character >> 6 * nr_more);
	for (unsigned int i = 1; i <= nr_more; i++)
		text[i] = (char)(0x80 | (character >> 6 * (nr_more - i) & 0x3f));
	return nr_more + 1;
}

static bool is_character(uint32_t character)
{
	return character < 0x110000 && (character < 0xd800 || character > 0xdfff);
}

void nvtx_text_of_wide(char text[NVTX_TEXT_BYTES], const wchar_t *wide)
{
	unsigned int nr_bytes = 0;

	for (; *wide && nr_bytes + UTF8_MAX_BYTES < NVTX_TEXT_BYTES; wide++)
		nr_bytes += utf8_encode(text + nr_bytes,
					is_character((uint32_t)*wide) ? (uint32_t)*wide : '?');
	text[nr_bytes] = '\0';
}

struct nvtx_number nvtx_text_cut_number(char text[NVTX_TEXT_BYTES])
{
	static const char *const words[] = { ", seq = ", ", op_id = " };

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		char *word = strstr(text, words[i]);

		if (!word)
			continue;
		*word = '\0';
		return (struct nvtx_number){ true, strtoll(word + strlen(words[i]), NULL, 10) };
	}
	return (struct nvtx_number){ false, 0 };
}

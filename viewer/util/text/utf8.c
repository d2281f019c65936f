// SPDX-License-Identifier: GPL-2.0
#include "util/text/utf8.h"

/* Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing past U+10FFFF. */
int utf8_sequence_bytes(const char *bytes)
{
	const unsigned char *b = (const unsigned char *)bytes;
	unsigned char low = 0x80, high = 0xbf;
	int length;

	if (b[0] < 0x80)
		return 1;
	if (b[0] < 0xc2 || b[0] > 0xf4)
		return 0;
	length = b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
	if (b[0] == 0xe0)
		low = 0xa0;
	else if (b[0] == 0xed)
		high = 0x9f;
	else if (b[0] == 0xf0)
		low = 0x90;
	else if (b[0] == 0xf4)
		high = 0x8f;
	if (b[1] < low || b[1] > high)
		return 0;
	for (int i = 2; i < length; i++) {
		if (b[i] < 0x80 || b[i] > 0xbf)
			return 0;
	}
	return length;
}

/* Control characters: C0 and DEL, and C1, which UTF-8 has as 0xc2 0x80 to 0xc2 0x9f. */
bool utf8_is_safe(const char *bytes)
{
	unsigned char first = (unsigned char)bytes[0], second = (unsigned char)bytes[1];

	return utf8_sequence_bytes(bytes) && first >= 0x20 && first != 0x7f &&
	       !(first == 0xc2 && second < 0xa0);
}

// SPDX-License-Identifier: GPL-2.0
#include "util/text/word_list.h"

#include <string.h>

#include "util/xalloc.h"

int word_list_find(const char *list, const char *word)
{
	size_t bytes = strlen(word);

	for (int at = 0; list; at++) {
		size_t length = strcspn(list, ",");

		if (length == bytes && !memcmp(list, word, bytes))
			return at;
		list = list[length] ? list + length + 1 : NULL;
	}
	return -1;
}

int word_list_count(const char *list)
{
	int nr = 1;

	for (; *list; list++)
		nr += *list == ',';
	return nr;
}

char *word_list_get(const char *list, int at)
{
	while (at--)
		list += strcspn(list, ",") + 1;
	return xstrndup(list, strcspn(list, ","));
}

// SPDX-License-Identifier: GPL-2.0
#include "symbols/data/sampled_block.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define WORD "heap~"

uint64_t sampled_block_one_of(const char *name)
{
	const char *digits = name + strlen(WORD);
	uint64_t one_of;
	char *end;

	if (strncmp(name, WORD, strlen(WORD)) != 0 || !isdigit((unsigned char)*digits))
		return 0;
	one_of = strtoull(digits, &end, 10);
	return *end == ' ' || !*end ? one_of : 0;
}

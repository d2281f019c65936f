// SPDX-License-Identifier: GPL-2.0
#include "symbols_library.h"

char library_table[1 << 14] __attribute__((aligned(64)));

__attribute__((noinline)) unsigned long return_address(void)
{
	return (unsigned long)__builtin_return_address(0) - 1;
}

struct place in_library(void)
{
	struct place place;

	place.line = __LINE__ + 1;
	place.ip = return_address();
	return place;
}

// SPDX-License-Identifier: GPL-2.0
/* A library that comes by dlopen(), with a thread-local variable. */
static __thread int own[300];

int *of_library(void);
int *of_library(void)
{
	return &own[17];
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A function that causes exactly one page fault for each page, all of them in its own section, once
 * in the program and once in the library that it loads later.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stddef.h>

#define FAULTS_LIBRARY "faults-later.so"

/* Where the instructions are that fault. */
struct faults_code {
	const char *start;
	const char *end;
};

typedef void (*faults_touch)(char *pages, size_t nr, size_t page_bytes, struct faults_code *code);

#define FAULTS_DEFINE_TOUCH(name)                                                           \
	extern const char __start_in_##name[], __stop_in_##name[];                          \
	__attribute__((noinline, section("in_" #name))) void name(char *pages, size_t nr,   \
								  size_t page_bytes,        \
								  struct faults_code *code) \
	{                                                                                   \
		for (size_t i = 0; i < nr; i++)                                             \
			*(volatile char *)(pages + i * page_bytes) = 1;                     \
		code->start = __start_in_##name;                                            \
		code->end = __stop_in_##name;                                               \
	}

#endif /* FAULTS_H */

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TESTS_SYMBOLS_LIBRARY_H
#define TESTS_SYMBOLS_LIBRARY_H

struct place {
	unsigned long ip;
	int line;
};

/* An address within the call of it. */
unsigned long return_address(void);
struct place in_library(void);
extern char library_table[1 << 14];

#endif /* TESTS_SYMBOLS_LIBRARY_H */

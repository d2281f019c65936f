/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call whose function the compiler put into its caller. Its strings are those of the debug information.
 */
#ifndef ANNOT_SYMBOLS_INLINED_CALL_H
#define ANNOT_SYMBOLS_INLINED_CALL_H

struct inlined_call {
	const char *function; /* that is called, as its symbol would be named */
	const char *file; /* the path of the source that calls it; NULL: not known */
	int line; /* of the call, from 1 on */
};

#endif /* ANNOT_SYMBOLS_INLINED_CALL_H */

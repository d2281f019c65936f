/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A decoder with formats of made-up events, for units that decode records one by one.
 */
#ifndef TEST_TRACE_DECODING_H
#define TEST_TRACE_DECODING_H

#include "trace/decode/decoder.h"

/* A line of a format, of a field that is not signed; and a whole format. */
#define FIELD(declaration, offset, size) \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"
#define FORMAT(name, id, fields)                                                           \
	"name: " name "\nID: " #id "\nformat:\n" FIELD("unsigned short common_type", 0, 2) \
		FIELD("unsigned char common_flags", 2, 1)                                  \
			FIELD("unsigned char common_preempt_count", 3, 1)                  \
				FIELD("int common_pid", 4, 4) "\n" fields "\nprint fmt: \"\"\n"

/* Of the test that runs. */
extern struct string_table *strings;
extern struct decoder *decoder;
extern uint64_t nr_damaged[NR_TRACE_DAMAGES];

/* Makes them, without a format. */
void decoding_begin(void);

/* A test's teardown: frees them. */
int decoding_end(void **state);

/* Decodes the @bytes at @record, from CPU 1. Fails the test if they are no event. */
struct trace_event decoding_of(const void *record, size_t bytes);

#endif /* TEST_TRACE_DECODING_H */

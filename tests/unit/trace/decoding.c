// SPDX-License-Identifier: GPL-2.0
#include "decoding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/string_table.h"

struct string_table *strings;
struct decoder *decoder;
uint64_t nr_damaged[NR_TRACE_DAMAGES];

void decoding_begin(void)
{
	static struct trace_annotation_counts counts;

	memset(nr_damaged, 0, sizeof(nr_damaged));
	strings = string_table_new();
	decoder = decoder_new(strings, &counts, nr_damaged);
}

int decoding_end(void **state)
{
	(void)state;
	decoder_free(decoder);
	string_table_free(strings);
	return 0;
}

struct trace_event decoding_of(const void *record, size_t bytes)
{
	const struct raw_record raw = { .data = record, .size = (uint32_t)bytes };
	struct trace_event event = { .cpu = 1 };

	assert_true(decoder_decode(decoder, &raw, &event));
	return event;
}

// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of requests to block devices -> events, by the formats of Linux 6.1 and of 6.12.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decoding.h"
#include "trace/decode/decoder.h"

#define PLACE                    \
	FIELD("dev_t dev", 8, 4) \
	FIELD("sector_t sector", 16, 8) FIELD("unsigned int nr_sector", 24, 4)

#define ISSUE 30
#define COMPLETE 31
#define START 33
#define DONE 34
#define MERGE 35

static void add(const char *text)
{
	decoder_add_format(decoder, "block", text);
}

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	add(FORMAT("block_rq_issue", 30,
		   PLACE FIELD("unsigned int bytes", 28, 4) FIELD("char rwbs[10]", 32, 10)));
	add(FORMAT("block_rq_complete", 31,
		   PLACE FIELD("int error", 28, 4) FIELD("char rwbs[10]", 32, 10)));
	add(FORMAT("block_io_start", 33,
		   PLACE FIELD("unsigned int bytes", 28, 4) FIELD("char rwbs[10]", 32, 10)));
	add(FORMAT("block_io_done", 34,
		   PLACE FIELD("unsigned int bytes", 28, 4) FIELD("char rwbs[10]", 32, 10)));
	add(FORMAT("block_rq_merge", 35,
		   PLACE FIELD("unsigned int bytes", 28, 4) FIELD("char rwbs[10]", 32, 10)));
	return 0;
}

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint32_t dev;
	uint32_t hole;
	uint64_t sector;
	uint32_t nr_sector;
	int32_t bytes_or_error;
	char rwbs[16];
};

static struct trace_event decode(struct record record)
{
	return decoding_of(&record, sizeof(record));
}

static void test_request(void **state)
{
	struct record record = { .type = ISSUE,
				 .pid = 7,
				 .dev = 254u << 20 | 3,
				 .sector = 1ull << 33,
				 .nr_sector = 8,
				 .bytes_or_error = 4096,
				 .rwbs = "WS" };
	struct trace_event event = decode(record);

	(void)state;
	assert_int_equal(event.kind, TRACE_BLOCK_ISSUE);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.block.type, ISSUE);
	assert_int_equal(event.block.op, TRACE_BLOCK_WRITE);
	assert_string_equal(string_table_get(strings, event.block.device), "254:3");
	assert_int_equal(event.block.sector, 1ull << 33);
	assert_int_equal(event.block.nr_sectors, 8);
	assert_false(event.block.failed);
	record.type = COMPLETE;
	event = decode(record);
	assert_int_equal(event.kind, TRACE_BLOCK_COMPLETE);
	assert_true(event.block.failed);
	record.bytes_or_error = 0;
	assert_false(decode(record).block.failed);
	record.type = START;
	assert_int_equal(decode(record).kind, TRACE_BLOCK_ISSUE);
	record.type = MERGE;
	assert_int_equal(decode(record).kind, TRACE_BLOCK_MERGE);
	record.type = DONE;
	record.bytes_or_error = 4096;
	event = decode(record);
	assert_int_equal(event.kind, TRACE_BLOCK_COMPLETE);
	assert_false(event.block.failed);
}

static void test_ops(void **state)
{
	static const struct {
		const char *rwbs;
		enum trace_block_op op;
	} ops[] = {
		{ "R", TRACE_BLOCK_READ },	    { "RA", TRACE_BLOCK_READ },
		{ "W", TRACE_BLOCK_WRITE },	    { "WFS", TRACE_BLOCK_WRITE },
		{ "FW", TRACE_BLOCK_WRITE },	    { "FWFSM", TRACE_BLOCK_WRITE },
		{ "FF", TRACE_BLOCK_FLUSH },	    { "F", TRACE_BLOCK_FLUSH },
		{ "D", TRACE_BLOCK_DISCARD },	    { "DE", TRACE_BLOCK_DISCARD },
		{ "N", TRACE_BLOCK_OTHER },	    { "", TRACE_BLOCK_OTHER },
		{ "RRRRRRRRRR", TRACE_BLOCK_READ },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		struct record record = { .type = ISSUE };

		memcpy(record.rwbs, ops[i].rwbs, strlen(ops[i].rwbs));
		assert_int_equal(decode(record).block.op, ops[i].op);
	}
}

/* Eight letters. */
static void test_linux_6_1(void **state)
{
	struct record record = { .type = ISSUE, .sector = 5, .rwbs = "DSWWWWWWWW" };

	(void)state;
	add(FORMAT("block_rq_issue", 30,
		   PLACE FIELD("unsigned int bytes", 28, 4) FIELD("char rwbs[8]", 32, 8)));
	assert_int_equal(decode(record).block.op, TRACE_BLOCK_DISCARD);
	assert_int_equal(decode(record).block.sector, 5);
}

static void test_too_short(void **state)
{
	struct record record = { .type = ISSUE };
	const struct raw_record raw = { .data = (const uint8_t *)&record, .size = 41 };
	struct trace_event event = { 0 };

	(void)state;
	assert_false(decoder_decode(decoder, &raw, &event));
	assert_int_equal(nr_damaged[TRACE_DAMAGED_OTHER], 1);
}

#define with_decoder(test) cmocka_unit_test_setup_teardown(test, set_up, decoding_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_decoder(test_request),
		with_decoder(test_ops),
		with_decoder(test_linux_6_1),
		with_decoder(test_too_short),
	};

	return cmocka_run_group_tests_name("requests to block devices in traces", tests, NULL,
					   NULL);
}

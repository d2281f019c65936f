// SPDX-License-Identifier: GPL-2.0
/*
 * Batches of annotations -> events, from hand-made bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/decode/decoder.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

#define BATCH_ID 400
#define NAME_ID 401
#define LOST_ID 402
#define END_ID 403
#define COUNTED_ID 404
#define NOW_NS 1000000u
#define TABLE 3u
#define MAX_RECORDS 64

enum op {
	BEGIN,
	WAIT_BEGIN,
	END,
	MARK,
	COUNTER,
	NEXT
};

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct batch_event {
	struct common common;
	int32_t tgid;
	uint32_t table;
	uint32_t nr;
	uint32_t records; /* where: bytes << 16 | offset */
	uint64_t words[MAX_RECORDS][3];
};

/* Of a module that has what was counted beside the records. */
struct counted_event {
	struct common common;
	int32_t tgid;
	uint32_t table;
	uint32_t nr;
	uint32_t records;
	uint32_t counts;
	uint16_t nr_counts;
	uint16_t invalid;
	uint64_t words[3][3];
	uint64_t counted[3][2];
};

struct fixture {
	struct string_table *strings;
	struct decoder *decoder;
	struct trace_annotation_counts counts;
	uint64_t nr_damaged[NR_TRACE_DAMAGES];
	uint8_t *copy; /* of the record, as long as it says: a tool sees what is read beyond */
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .strings = string_table_new() };
	fixture.decoder = decoder_new(fixture.strings, &fixture.counts, fixture.nr_damaged);
	decoder_add_format(fixture.decoder, "annot",
			   "name: annot_batch\nID: 400\n" COMMON
			   "\tfield:s32 tgid;\toffset:8;\tsize:4;\tsigned:1;\n"
			   "\tfield:u32 table;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:u32 nr;\toffset:16;\tsize:4;\tsigned:0;\n"
			   "\tfield:__data_loc u64[] records;\toffset:20;\tsize:4;\tsigned:0;\n");
	decoder_add_format(fixture.decoder, "annot",
			   "name: annot_batch\nID: 404\n" COMMON
			   "\tfield:s32 tgid;\toffset:8;\tsize:4;\tsigned:1;\n"
			   "\tfield:u32 table;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:u32 nr;\toffset:16;\tsize:4;\tsigned:0;\n"
			   "\tfield:__data_loc u64[] records;\toffset:20;\tsize:4;\tsigned:0;\n"
			   "\tfield:__data_loc u64[] counts;\toffset:24;\tsize:4;\tsigned:0;\n"
			   "\tfield:u16 nr_counts;\toffset:28;\tsize:2;\tsigned:0;\n"
			   "\tfield:u16 invalid;\toffset:30;\tsize:2;\tsigned:0;\n");
	decoder_add_format(fixture.decoder, "annot",
			   "name: annot_name\nID: 401\n" COMMON
			   "\tfield:u32 id;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:u32 table;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:s32 tgid;\toffset:16;\tsize:4;\tsigned:1;\n"
			   "\tfield:__data_loc char[] name;\toffset:20;\tsize:4;\tsigned:0;\n");
	decoder_add_format(fixture.decoder, "annot",
			   "name: annot_lost\nID: 402\n" COMMON
			   "\tfield:u32 nr;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:u32 reason;\toffset:12;\tsize:4;\tsigned:0;\n"
			   "\tfield:s32 tgid;\toffset:16;\tsize:4;\tsigned:1;\n");
	decoder_add_format(fixture.decoder, "annot",
			   "name: annot_end\nID: 403\n" COMMON
			   "\tfield:u64 ago_ns;\toffset:8;\tsize:8;\tsigned:0;\n"
			   "\tfield:s32 tgid;\toffset:16;\tsize:4;\tsigned:1;\n");
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	decoder_free(fixture->decoder);
	string_table_free(fixture->strings);
	free(fixture->copy);
	return 0;
}

static struct batch_event batch_event(void)
{
	return (struct batch_event){ .common = { .type = BATCH_ID, .pid = 17 },
				     .tgid = 16,
				     .table = TABLE };
}

static void add(struct batch_event *batch, uint64_t ago_ns, int64_t value, uint32_t name,
		enum op op, uint8_t flags)
{
	uint64_t *words = batch->words[batch->nr++];

	words[0] = ago_ns;
	words[1] = (uint64_t)value;
	words[2] = (uint64_t)name << 32 | (uint64_t)op << 8 | flags;
	batch->records = batch->nr * 24u << 16 | offsetof(struct batch_event, words);
}

/* The record, in memory that ends where it does; it stays until the next call. */
static struct raw_record record_of(struct fixture *fixture, const void *data, size_t bytes)
{
	free(fixture->copy);
	fixture->copy = malloc(bytes);
	assert_non_null(fixture->copy);
	memcpy(fixture->copy, data, bytes);
	return (struct raw_record){ .time_ns = NOW_NS,
				    .data = fixture->copy,
				    .size = (uint32_t)bytes };
}

/* All that is in one record: at most @max events. Returns how many. */
static size_t decode_all(struct fixture *fixture, const void *data, size_t bytes,
			 struct trace_event *events, size_t max)
{
	struct raw_record record = record_of(fixture, data, bytes);
	size_t nr = 0;

	do {
		assert_true(nr < max);
		if (decoder_decode(fixture->decoder, &record, &events[nr]))
			nr++;
	} while (decoder_wants_again(fixture->decoder));
	return nr;
}

static size_t decode_batch(struct fixture *fixture, const struct batch_event *batch,
			   struct trace_event *events, size_t max)
{
	return decode_all(fixture, batch, offsetof(struct batch_event, words) + batch->nr * 24u,
			  events, max);
}

static void tell_name(struct fixture *fixture, uint32_t table, uint32_t id, const char *name)
{
	struct {
		struct common common;
		uint32_t id;
		uint32_t table;
		int32_t tgid;
		uint32_t name;
		char text[32];
	} data = { .common = { .type = NAME_ID, .pid = 17 }, .id = id, .table = table };
	struct trace_event event;

	data.name = (uint32_t)(strlen(name) + 1) << 16 | 24;
	strcpy(data.text, name);
	assert_int_equal(decode_all(fixture, &data, sizeof(data), &event, 1), 0);
}

static void assert_annotation(const struct fixture *fixture, const struct trace_event *event,
			      enum trace_event_kind kind, uint64_t true_ns, const char *name)
{
	assert_int_equal(event->kind, kind);
	assert_int_equal(event->tid, 17);
	assert_int_equal(event->annot.tgid, 16);
	assert_int_equal(event->annot.true_ns, true_ns);
	if (name)
		assert_string_equal(string_table_get(fixture->strings, event->annot.name), name);
}

static void test_each_operation(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[8];

	tell_name(fixture, TABLE, 1, "loop");
	tell_name(fixture, TABLE, 2, "barrier");
	add(&batch, 900, -7, 1, BEGIN, 1);
	add(&batch, 800, 5, 2, WAIT_BEGIN, 0);
	add(&batch, 700, 0, 0, END, 0);
	add(&batch, 600, INT64_MIN, 2, MARK, 1);
	add(&batch, 500, INT64_MAX, 1, COUNTER, 0);
	add(&batch, 0, 0, 0, END, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 8), 6);
	assert_annotation(fixture, &events[0], TRACE_SPAN_BEGIN, NOW_NS - 900, "loop");
	assert_int_equal(events[0].annot.span_kind, TRACE_SPAN_WORK);
	assert_true(events[0].annot.has_value && events[0].annot.value == -7);
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 800, "barrier");
	assert_int_equal(events[1].annot.span_kind, TRACE_SPAN_WAIT);
	assert_false(events[1].annot.has_value);
	assert_annotation(fixture, &events[2], TRACE_SPAN_END, NOW_NS - 700, NULL);
	assert_annotation(fixture, &events[3], TRACE_MARK, NOW_NS - 600, "barrier");
	assert_true(events[3].annot.has_value && events[3].annot.value == INT64_MIN);
	assert_annotation(fixture, &events[4], TRACE_COUNTER, NOW_NS - 500, "loop");
	assert_true(events[4].annot.has_value && events[4].annot.value == INT64_MAX);
	assert_annotation(fixture, &events[5], TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(fixture->counts.nr_lost, 0);
	assert_int_equal(fixture->counts.nr_altered, 0);
	assert_int_equal(fixture->counts.nr_nameless, 0);
}

static void test_next(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[8];

	tell_name(fixture, TABLE, 1, "phase");
	add(&batch, 900, 0, 1, BEGIN, 0);
	add(&batch, 500, 2, 1, NEXT, 1);
	add(&batch, 400, 0, 1, NEXT, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 8), 5);
	for (int i = 0; i < 2; i++) {
		uint64_t ns = NOW_NS - (i ? 400 : 500);

		assert_annotation(fixture, &events[1 + 2 * i], TRACE_SPAN_END, ns, NULL);
		assert_annotation(fixture, &events[2 + 2 * i], TRACE_SPAN_BEGIN, ns, "phase");
		assert_int_equal(events[2 + 2 * i].annot.span_kind, TRACE_SPAN_WORK);
	}
	assert_true(events[2].annot.has_value && events[2].annot.value == 2);
	assert_false(events[4].annot.has_value);
}

static struct counted_event counted_event(void)
{
	struct counted_event event = {
		.common = { .type = COUNTED_ID, .pid = 17 },
		.tgid = 16,
		.table = TABLE,
		.nr = 3,
		.records = 72u << 16 | offsetof(struct counted_event, words),
		.counts = 48u << 16 | offsetof(struct counted_event, counted),
		.nr_counts = 2,
		.invalid = 2,
		.words = { { 900, 0, 1ull << 32 | BEGIN << 8 },
			   { 500, 0, 1ull << 32 | NEXT << 8 },
			   { 100, 0, END << 8 } },
		.counted = { { 10, 11 }, { 20, 21 }, { 30, 31 } },
	};

	return event;
}

/* Decodes the record up to each event, for what it counted is gone with the next. */
static size_t decode_counts(struct fixture *fixture, const struct counted_event *event,
			    enum trace_event_kind *kinds, uint64_t counts[][2], size_t max)
{
	struct raw_record record = record_of(fixture, event, sizeof(*event));
	size_t nr = 0;

	do {
		struct trace_event one = { 0 };

		assert_true(nr < max);
		if (!decoder_decode(fixture->decoder, &record, &one))
			continue;
		assert_int_equal(one.tid, 17);
		kinds[nr] = one.kind;
		if (one.kind == TRACE_SLICE_COUNTS) {
			assert_int_equal(one.counts.nr, 2);
			assert_int_equal(one.counts.invalid, 2);
			assert_int_equal(one.counts.ended_by, 2); /* the annotation after it */
			memcpy(counts[nr], one.counts.counts, sizeof(counts[nr]));
		}
		nr++;
	} while (decoder_wants_again(fixture->decoder));
	return nr;
}

/* What was counted until an annotation stands ahead of it, once. */
static void test_counts(void **state)
{
	static const enum trace_event_kind wanted[] = {
		TRACE_SLICE_COUNTS, TRACE_SPAN_BEGIN,	TRACE_SLICE_COUNTS, TRACE_SPAN_END,
		TRACE_SPAN_BEGIN,   TRACE_SLICE_COUNTS, TRACE_SPAN_END,
	};
	struct counted_event event = counted_event();
	struct fixture *fixture = *state;
	enum trace_event_kind kinds[8];
	uint64_t counts[8][2];

	assert_int_equal(decode_counts(fixture, &event, kinds, counts, 8), 7);
	assert_memory_equal(kinds, wanted, sizeof(wanted));
	assert_memory_equal(counts[0], event.counted[0], 16);
	assert_memory_equal(counts[2], event.counted[1], 16);
	assert_memory_equal(counts[5], event.counted[2], 16);
	assert_int_equal(fixture->nr_damaged[TRACE_DAMAGED_SLICE_COUNTS], 0);
}

/* The annotations are there nevertheless. */
static void test_damaged_counts(void **state)
{
	struct counted_event event = counted_event();
	struct fixture *fixture = *state;
	enum trace_event_kind kinds[8];
	uint64_t counts[8][2];

	event.counts -= 8u << 16;
	assert_int_equal(decode_counts(fixture, &event, kinds, counts, 8), 4);
	event = counted_event();
	event.counts = 48u << 16 | 0xfff0;
	assert_int_equal(decode_counts(fixture, &event, kinds, counts, 8), 4);
	event = counted_event();
	event.nr_counts = 17;
	assert_int_equal(decode_counts(fixture, &event, kinds, counts, 8), 4);
	assert_int_equal(fixture->nr_damaged[TRACE_DAMAGED_SLICE_COUNTS], 3);
	/* Counts that are said to be invalid, and are none. */
	event = counted_event();
	event.invalid = 4;
	assert_int_equal(decode_counts(fixture, &event, kinds, counts, 8), 4);
	assert_int_equal(fixture->counts.nr_lost, 0);
}

/* One id in two tables is two names; the last word on an id holds. */
static void test_names(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[4];

	tell_name(fixture, TABLE, 1, "one");
	tell_name(fixture, TABLE + 1, 1, "other");
	add(&batch, 3, 0, 1, BEGIN, 0);
	add(&batch, 2, 0, 17, BEGIN, 0);
	add(&batch, 1, 0, 17, BEGIN, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 3);
	assert_annotation(fixture, &events[0], TRACE_SPAN_BEGIN, NOW_NS - 3, "one");
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 2, "name 17 of 3");
	assert_int_equal(events[1].annot.name, events[2].annot.name);
	assert_int_equal(fixture->counts.nr_nameless, 2);
	batch.table = TABLE + 1;
	decode_batch(fixture, &batch, events, 4);
	assert_annotation(fixture, &events[0], TRACE_SPAN_BEGIN, NOW_NS - 3, "other");
	tell_name(fixture, TABLE + 1, 17, "late");
	tell_name(fixture, TABLE + 1, 1, "renamed");
	decode_batch(fixture, &batch, events, 4);
	assert_annotation(fixture, &events[0], TRACE_SPAN_BEGIN, NOW_NS - 3, "renamed");
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 2, "late");
	assert_int_equal(fixture->counts.nr_nameless, 4);
}

/* However many names are asked for that nobody told, memory for them is bounded. */
static void test_many_names(void **state)
{
	struct fixture *fixture = *state;
	struct trace_event events[MAX_RECORDS];

	for (uint32_t i = 0; i < 10000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "known%u", i);
		tell_name(fixture, i % 7, i, name);
	}
	for (uint32_t round = 0; round < 1000; round++) {
		struct batch_event batch = batch_event();

		for (uint32_t i = 0; i < MAX_RECORDS; i++)
			add(&batch, 0, 0, 1000000 + round * MAX_RECORDS + i, MARK, 0);
		assert_int_equal(decode_batch(fixture, &batch, events, MAX_RECORDS), MAX_RECORDS);
	}
	assert_true(string_table_count(fixture->strings) < 10000 + 5000);
	assert_annotation(fixture, &events[0], TRACE_MARK, NOW_NS, "(unknown name)");
	for (uint32_t i = 0; i < 10000; i++) {
		struct batch_event batch = batch_event();
		char name[16];

		snprintf(name, sizeof(name), "known%u", i);
		batch.table = i % 7;
		add(&batch, 0, 0, i, MARK, 0);
		decode_batch(fixture, &batch, events, 1);
		assert_annotation(fixture, &events[0], TRACE_MARK, NOW_NS, name);
	}
}

static void test_more_than_there_are(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	size_t bytes = offsetof(struct batch_event, words) + 2 * 24;
	struct trace_event events[4];

	add(&batch, 1, 0, 0, END, 0);
	add(&batch, 0, 0, 0, END, 0);
	batch.nr = UINT32_MAX;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 4), 2);
	assert_int_equal(fixture->counts.nr_lost, 1);
	/* An array of two and a half. */
	batch.records = 60u << 16 | offsetof(struct batch_event, words);
	assert_int_equal(decode_all(fixture, &batch, bytes + 12, events, 4), 2);
	assert_int_equal(fixture->counts.nr_lost, 2);
	/* An array that is not in the record. */
	batch.records = 48u << 16 | 0xffff;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 4), 0);
	assert_int_equal(fixture->counts.nr_lost_by_reason[TRACE_ANNOTATION_UNREADABLE], 3);
	/* Fewer than the array holds, and none at all. */
	batch.records = 48u << 16 | offsetof(struct batch_event, words);
	batch.nr = 1;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 4), 1);
	batch.nr = 0;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 4), 0);
	assert_int_equal(fixture->counts.nr_lost, 3);
}

static void test_numbers_that_cannot_be(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[8];

	add(&batch, UINT64_MAX, 0, 0, END, 0);
	add(&batch, NOW_NS + 1, 0, 0, END, 0);
	add(&batch, NOW_NS, 0, 0, END, 0);
	add(&batch, 0, 0, 0, 6, 0);
	add(&batch, 0, 0, 0, 255, 0);
	add(&batch, 0, 0, 0, END | 1 << 8, 0); /* bits that mean nothing yet */
	add(&batch, 0, 0, 0, END, 0xfe);
	add(&batch, 0, 0, 0, 6, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 8), 4);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS, NULL);
	assert_annotation(fixture, &events[1], TRACE_SPAN_END, NOW_NS, NULL);
	assert_annotation(fixture, &events[2], TRACE_SPAN_END, 0, NULL);
	assert_annotation(fixture, &events[3], TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(fixture->counts.nr_altered, 3);
	assert_int_equal(fixture->counts.nr_lost_by_reason[TRACE_ANNOTATION_UNREADABLE], 4);
}

/* What a machine wrote whose bytes stand the other way round. */
static void test_swapped(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[4];

	add(&batch, __builtin_bswap64(500), (int64_t)__builtin_bswap64(8), 0, 0, 0);
	batch.words[0][2] = __builtin_bswap64(9ull << 32 | NEXT << 8 | 1);
	batch.common.type = __builtin_bswap16(batch.common.type);
	batch.common.pid = (int32_t)__builtin_bswap32(17);
	batch.tgid = (int32_t)__builtin_bswap32(16);
	batch.table = __builtin_bswap32(TABLE);
	batch.records = __builtin_bswap32(batch.records);
	batch.nr = __builtin_bswap32(1);
	decoder_set_swap(fixture->decoder, true);
	assert_int_equal(decode_all(fixture, &batch, offsetof(struct batch_event, words) + 24,
				    events, 4),
			 2);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS - 500, NULL);
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 500, "name 9 of 3");
	assert_true(events[1].annot.value == 8);
}

static void tell_loss(struct fixture *fixture, uint32_t nr, uint32_t reason)
{
	struct {
		struct common common;
		uint32_t nr;
		uint32_t reason;
		int32_t tgid;
	} data = { .common = { .type = LOST_ID, .pid = 17 }, .nr = nr, .reason = reason };
	struct trace_event event;

	assert_int_equal(decode_all(fixture, &data, sizeof(data), &event, 1), 0);
}

static void test_losses(void **state)
{
	struct fixture *fixture = *state;
	const struct trace_annotation_counts *counts = &fixture->counts;

	tell_loss(fixture, 1, 0);
	tell_loss(fixture, 20, 1);
	tell_loss(fixture, 300, 2);
	tell_loss(fixture, 4000, 3);
	tell_loss(fixture, 50000, 4);
	tell_loss(fixture, 600000, 5);
	tell_loss(fixture, 7000000, 6);
	tell_loss(fixture, 80000000, 7);
	tell_loss(fixture, UINT32_MAX, UINT32_MAX);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_BAD_HEAD], 1);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_BAD_OP], 20);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_BAD_NAME], 300);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_AT_EXEC], 50000);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_NO_CLOCK], 600000);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_DROPPED], 7000000);
	assert_int_equal(counts->nr_lost_by_reason[TRACE_ANNOTATION_OTHER],
			 80000000 + (uint64_t)UINT32_MAX);
	assert_int_equal(counts->nr_altered, 4000);
	assert_int_equal(counts->nr_lost, 87650321 + (uint64_t)UINT32_MAX);
}

static void test_one_by_one(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		uint64_t ago_ns;
		int32_t tgid;
	} data = { .common = { .type = END_ID, .pid = 17 }, .ago_ns = 250, .tgid = 16 };
	struct trace_event event;

	assert_int_equal(decode_all(fixture, &data, sizeof(data), &event, 1), 1);
	assert_annotation(fixture, &event, TRACE_SPAN_END, NOW_NS - 250, NULL);
	data.ago_ns = NOW_NS + 1;
	assert_int_equal(decode_all(fixture, &data, sizeof(data), &event, 1), 1);
	assert_annotation(fixture, &event, TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(fixture->counts.nr_altered, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_operation, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_next, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_more_than_there_are, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_numbers_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_by_one, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}

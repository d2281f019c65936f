// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/made_file.c */
/*
 * Events as text: what libtraceevent prints, whatever the formats and the records are that it is given.
 */
#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <event-parse.h>
#include <trace-seq.h>

#include "made_file.h"
#include "trace/file/trace_file_open.h"
#include "trace/print/annot_handlers.h"
#include "trace/print/event_printer.h"

#define MOST_RESULTS 4096
#define MOST_CRASHES 16 /* after which a printer gives up */
#define MOST_TEXT_BYTES 4096

enum {
	NUMBERS = 10,
	STRING,
	PLACE,
	SYMBOL,
	FLAGS,
	LONG_STRING,
	QUOTIENT, /* by 0, libtraceevent crashes */
	FAR, /* a field that is not in the record */
};

static const struct made_format formats[] = {
	{ "numbers", NUMBERS,
	  "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:unsigned int b;\toffset:12;\tsize:4;\tsigned:0;\n"
	  "\tfield:u64 c;\toffset:16;\tsize:8;\tsigned:0;\n",
	  "\"a=%d b=%u c=%llx sum=%d\", REC->a, REC->b, REC->c, REC->a + 1" },
	{ "string", STRING, "\tfield:char s[16];\toffset:8;\tsize:16;\tsigned:0;\n",
	  "\"s=%s.\", REC->s" },
	{ "place", PLACE, "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n",
	  "\"name=%s\", __get_str(name)" },
	{ "symbol", SYMBOL, "\tfield:int why;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\"why=%s\", __print_symbolic(REC->why, { 0, \"idle\" }, { 3, \"work\" })" },
	{ "flags", FLAGS, "\tfield:int how;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\"how=%s\", __print_flags(REC->how, \"|\", { 1, \"read\" }, { 2, \"write\" })" },
	{ "long_string", LONG_STRING, "\tfield:char s[8000];\toffset:8;\tsize:8000;\tsigned:0;\n",
	  "\"%s\", REC->s" },
	{ "quotient", QUOTIENT, "\tfield:int by;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\"quotient=%d\", 12 / REC->by" },
	{ "far", FAR, "\tfield:int far;\toffset:3000000000;\tsize:4;\tsigned:1;\n",
	  "\"far=%d\", REC->far" },
};

struct result {
	enum event_print_result result;
	char *text;
};

struct fixture {
	char path[64];
	bool is_big_endian;
	struct event_printer *printer;
	size_t nr;
	struct result results[MOST_RESULTS];
};

static void take_result(void *context, enum event_print_result result, const char *text)
{
	struct fixture *fixture = context;

	assert_true(fixture->nr < MOST_RESULTS);
	fixture->results[fixture->nr].result = result;
	fixture->results[fixture->nr].text = strdup(text);
	assert_non_null(fixture->results[fixture->nr++].text);
}

static void forget_results(struct fixture *fixture)
{
	while (fixture->nr)
		free(fixture->results[--fixture->nr].text);
}

static int set_up_file(void **state, bool is_big_endian)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert_non_null(fixture);
	fixture->is_big_endian = is_big_endian;
	snprintf(fixture->path, sizeof(fixture->path), "/tmp/annot-printer-%d.dat", getpid());
	made_file_write(fixture->path, is_big_endian, formats,
			sizeof(formats) / sizeof(formats[0]));
	fixture->printer = event_printer_new(fixture->path);
	assert_non_null(fixture->printer);
	*state = fixture;
	return 0;
}

static int set_up(void **state)
{
	return set_up_file(state, false);
}

static int set_up_big_endian(void **state)
{
	return set_up_file(state, true);
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	event_printer_free(fixture->printer);
	forget_results(fixture);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

static uint8_t *put_number(const struct fixture *fixture, uint8_t *at, uint64_t value, int nr_bytes)
{
	for (int i = 0; i < nr_bytes; i++)
		at[fixture->is_big_endian ? nr_bytes - 1 - i : i] = (uint8_t)(value >> 8 * i);
	return at + nr_bytes;
}

static uint8_t *put_common(const struct fixture *fixture, uint8_t *at, uint16_t type)
{
	at = put_number(fixture, at, type, 2);
	at = put_number(fixture, at, 0, 2);
	return put_number(fixture, at, 77, 4);
}

static void add(struct fixture *fixture, uint16_t type, const uint8_t *data, const uint8_t *end)
{
	const struct trace_record record = {
		.type = type,
		.data = data,
		.size = (uint32_t)(end - data),
	};

	if (event_printer_add(fixture->printer, 5000, 1, &record))
		event_printer_flush(fixture->printer, take_result, fixture);
}

static void add_number(struct fixture *fixture, uint16_t type, int32_t number)
{
	uint8_t data[16], *at = put_common(fixture, data, type);

	add(fixture, type, data, put_number(fixture, at, (uint32_t)number, 4));
}

static void add_string(struct fixture *fixture, uint16_t type, size_t field_bytes,
		       const char *string)
{
	uint8_t *data = calloc(1, 8 + field_bytes);

	assert_non_null(data);
	strncpy((char *)put_common(fixture, data, type), string, field_bytes);
	add(fixture, type, data, data + 8 + field_bytes);
	free(data);
}

static void flush(struct fixture *fixture)
{
	event_printer_flush(fixture->printer, take_result, fixture);
}

static void expect(const struct fixture *fixture, size_t i, const char *text)
{
	assert_true(i < fixture->nr);
	assert_int_equal(fixture->results[i].result, EVENT_PRINTED);
	assert_string_equal(fixture->results[i].text, text);
}

static void expect_none(const struct fixture *fixture, size_t i, enum event_print_result result)
{
	assert_true(i < fixture->nr);
	assert_int_equal(fixture->results[i].result, result);
	assert_string_equal(fixture->results[i].text, "");
}

static void prints_what_formats_say(void **state)
{
	struct fixture *fixture = *state;
	uint8_t data[64], *at = put_common(fixture, data, NUMBERS);

	at = put_number(fixture, at, (uint32_t)-5, 4);
	at = put_number(fixture, at, 4000000000, 4);
	at = put_number(fixture, at, 0x123456789abcdef0, 8);
	add(fixture, NUMBERS, data, at);
	add_string(fixture, STRING, 16, "hello there");
	add_string(fixture, STRING, 16, "sixteen bytes...");
	at = put_common(fixture, data, PLACE);
	at = put_number(fixture, at, 6 << 16 | 12, 4);
	memcpy(at, "there", 6);
	add(fixture, PLACE, data, at + 6);
	add_number(fixture, SYMBOL, 3);
	add_number(fixture, SYMBOL, 4);
	add_number(fixture, FLAGS, 3);
	add_number(fixture, FLAGS, 9);
	flush(fixture);
	assert_int_equal(fixture->nr, 8);
	expect(fixture, 0, "a=-5 b=4000000000 c=123456789abcdef0 sum=-4");
	expect(fixture, 1, "s=hello there.");
	expect(fixture, 2, "s=sixteen bytes....");
	expect(fixture, 3, "name=there");
	expect(fixture, 4, "why=work");
	expect(fixture, 5, "why=0x4");
	expect(fixture, 6, "how=read|write");
	expect(fixture, 7, "how=read|0x8");
	assert_int_equal(event_printer_nr_unprintable(fixture->printer), 0);
}

static void nothing_upsets_a_terminal(void **state)
{
	struct fixture *fixture = *state;

	add_string(fixture, STRING, 16, "\x1b[31m\nred\t\x7f\x01");
	flush(fixture);
	expect(fixture, 0, "s= [31m red   .");
}

static void long_texts_are_cut(void **state)
{
	struct fixture *fixture = *state;
	char *string = calloc(1, 8000), *text = calloc(1, MOST_TEXT_BYTES + 1);

	assert_true(string && text);
	memset(string, 'x', 7999);
	memset(text, 'x', MOST_TEXT_BYTES);
	add_string(fixture, LONG_STRING, 8000, string);
	string[MOST_TEXT_BYTES] = '\0';
	add_string(fixture, LONG_STRING, 8000, string);
	add_number(fixture, SYMBOL, 0);
	flush(fixture);
	expect(fixture, 0, text);
	expect(fixture, 1, text);
	expect(fixture, 2, "why=idle");
	free(string);
	free(text);
}

/* Each is there, in order, more than one request holds. */
static void many_events(void **state)
{
	struct fixture *fixture = *state;
	char text[32];

	for (int i = 0; i < 4000; i++)
		add_number(fixture, FLAGS, i << 4 | 1);
	flush(fixture);
	assert_int_equal(fixture->nr, 4000);
	for (int i = 1; i < 4000; i++) {
		snprintf(text, sizeof(text), "how=read|0x%x", i << 4);
		expect(fixture, (size_t)i, text);
	}
}

/* In no time in between, although nobody flushes when it is time. */
static void a_large_batch(void **state)
{
	struct fixture *fixture = *state;
	uint8_t *data = calloc(1, 60000);

	assert_non_null(data);
	put_common(fixture, data, SYMBOL);
	for (int i = 0; i < 100; i++) {
		const struct trace_record record = { .type = SYMBOL, .data = data, .size = 60000 };

		put_number(fixture, data + 8, i % 2 ? 3 : 0, 4);
		event_printer_add(fixture->printer, 5000, 1, &record);
	}
	flush(fixture);
	assert_int_equal(fixture->nr, 100);
	for (size_t i = 0; i < 100; i++)
		expect(fixture, i, i % 2 ? "why=work" : "why=idle");
	free(data);
}

static void expect_no_error(char *error)
{
	if (error)
		fail_msg("%s", error);
}

static void filters_by_fields(void **state)
{
	struct fixture *fixture = *state;

	expect_no_error(
		event_printer_add_filter(fixture->printer, "made/symbol: why > 2 && why != 9"));
	expect_no_error(event_printer_add_filter(fixture->printer, "made/string: s == \"wanted\""));
	add_number(fixture, SYMBOL, 2);
	add_number(fixture, SYMBOL, 3);
	add_number(fixture, SYMBOL, 9);
	add_string(fixture, STRING, 16, "wanted");
	add_string(fixture, STRING, 16, "unwanted");
	add_number(fixture, FLAGS, 1);
	flush(fixture);
	assert_int_equal(fixture->nr, 6);
	expect_none(fixture, 0, EVENT_FILTERED);
	expect(fixture, 1, "why=work");
	expect_none(fixture, 2, EVENT_FILTERED);
	expect(fixture, 3, "s=wanted.");
	expect_none(fixture, 4, EVENT_FILTERED);
	expect(fixture, 5, "how=read");
}

static void the_last_filter_of_a_type_counts(void **state)
{
	struct fixture *fixture = *state;

	expect_no_error(event_printer_add_filter(fixture->printer, "made/symbol: why == 3"));
	expect_no_error(event_printer_add_filter(fixture->printer, "made/symbol: why == 0"));
	add_number(fixture, SYMBOL, 3);
	add_number(fixture, SYMBOL, 0);
	flush(fixture);
	expect_none(fixture, 0, EVENT_FILTERED);
	expect(fixture, 1, "why=idle");
	expect_no_error(event_printer_add_filter(fixture->printer, "made/symbol"));
	add_number(fixture, SYMBOL, 3);
	flush(fixture);
	expect(fixture, 2, "why=work");
}

static void refuse_filter(struct fixture *fixture, const char *filter, const char *why)
{
	char *error = event_printer_add_filter(fixture->printer, filter);

	assert_non_null(error);
	if (!strstr(error, why))
		fail_msg("%s: '%s' does not say '%s'", filter, error, why);
	free(error);
}

/* None of these takes or keeps anything from then on. */
static void wrong_filters_are_told(void **state)
{
	struct fixture *fixture = *state;
	char *endless = malloc(10001);

	assert_non_null(endless);
	memset(endless, 'x', 10000);
	endless[10000] = '\0';
	refuse_filter(fixture, "made/symbol: wy == 3", "symbol has no field 'wy'");
	refuse_filter(fixture, "made/symbol: why == 3 || (common_pid == 1 && s == \"why\")",
		      "symbol has no field 's'");
	refuse_filter(fixture, "made/symbol: why == three", "no field 'three'");
	refuse_filter(fixture, "made/nothing: why == 3", "format is not understood");
	refuse_filter(fixture, "why == 3", "format is not understood");
	refuse_filter(fixture, "made/symbol: (why == 3", "");
	refuse_filter(fixture, "made/symbol: why ==", "");
	refuse_filter(fixture, endless, "longer than 4096 bytes");
	add_number(fixture, SYMBOL, 3);
	flush(fixture);
	expect(fixture, 0, "why=work");
	free(endless);
}

/* What the whole machine knows of an event may stand in a filter, too. */
static void fields_of_all_events(void **state)
{
	struct fixture *fixture = *state;

	expect_no_error(event_printer_add_filter(
		fixture->printer, "made/symbol: common_pid == 77 && CPU == 1 && why == 0x3"));
	add_number(fixture, SYMBOL, 3);
	add_number(fixture, SYMBOL, 0);
	flush(fixture);
	expect(fixture, 0, "why=work");
	expect_none(fixture, 1, EVENT_FILTERED);
}

static void a_crash_costs_one_event(void **state)
{
	struct fixture *fixture = *state;

	expect_no_error(event_printer_add_filter(fixture->printer, "made/symbol: why == 3"));
	add_number(fixture, SYMBOL, 3);
	add_number(fixture, QUOTIENT, 0);
	add_number(fixture, SYMBOL, 0);
	add_number(fixture, QUOTIENT, 3);
	add_number(fixture, QUOTIENT, 0);
	add_number(fixture, FAR, 0);
	add_number(fixture, FLAGS, 2);
	flush(fixture);
	assert_int_equal(fixture->nr, 7);
	expect(fixture, 0, "why=work");
	expect_none(fixture, 1, EVENT_UNPRINTABLE);
	expect_none(fixture, 2, EVENT_FILTERED);
	expect(fixture, 3, "quotient=4");
	expect_none(fixture, 4, EVENT_UNPRINTABLE);
	expect_none(fixture, 5, EVENT_UNPRINTABLE);
	expect(fixture, 6, "how=write");
	assert_int_equal(event_printer_nr_unprintable(fixture->printer), 3);
	add_number(fixture, SYMBOL, 0);
	add_number(fixture, SYMBOL, 3);
	flush(fixture);
	expect_none(fixture, 7, EVENT_FILTERED);
	expect(fixture, 8, "why=work");
}

static void many_crashes_end_it(void **state)
{
	struct fixture *fixture = *state;

	for (int i = 0; i < 2000; i++)
		add_number(fixture, QUOTIENT, i % 2 ? 0 : 12);
	flush(fixture);
	assert_int_equal(fixture->nr, 2000);
	for (size_t i = 0; i < 2000; i++) {
		if (i % 2 || i >= 2 * MOST_CRASHES)
			expect_none(fixture, i, EVENT_UNPRINTABLE);
		else
			expect(fixture, i, "quotient=1");
	}
	assert_int_equal(event_printer_nr_unprintable(fixture->printer), 2000 - MOST_CRASHES);
}

/* Zeros follow each: nothing of the record before it is in the text. */
static void short_records(void **state)
{
	struct fixture *fixture = *state;
	uint8_t data[64], *at;

	add_string(fixture, STRING, 16, "long enough");
	at = put_common(fixture, data, STRING);
	add(fixture, STRING, data, at);
	at = put_number(fixture, put_common(fixture, data, PLACE), 0xffffffff, 4);
	add(fixture, PLACE, data, at);
	add(fixture, 999, data, data);
	flush(fixture);
	assert_int_equal(fixture->nr, 4);
	expect(fixture, 0, "s=long enough.");
	expect(fixture, 1, "s=.");
	expect(fixture, 2, "name=");
}

static void no_child_outlives_a_damaged_file(void **state)
{
	struct fixture *fixture = *state;

	event_printer_free(fixture->printer);
	assert_int_equal(truncate(fixture->path, 100), 0);
	fixture->printer = event_printer_new(fixture->path);
	assert_non_null(fixture->printer);
	add_number(fixture, SYMBOL, 3);
	flush(fixture);
	expect_none(fixture, 0, EVENT_UNPRINTABLE);
}

/* The allocator of the address sanitizer, other than the C library's, may be locked in a child. */
#ifndef __SANITIZE_ADDRESS__
struct reader {
	struct trace *trace;
	atomic_bool is_enough;
};

static void *read_symbols(void *context)
{
	struct reader *reader = context;

	while (!reader->is_enough)
		free(trace_kallsyms(reader->trace));
	return NULL;
}

/* Threads may be reading the same file when a child is made: it does not wait for them. */
static void no_child_waits_for_threads(void **state)
{
	static const char path[] = "tests/data/plain-6.12.dat";
	struct reader reader = { 0 };
	pthread_t thread;

	(void)state;
	assert_int_equal(trace_open(path, &reader.trace), 0);
	assert_int_equal(pthread_create(&thread, NULL, read_symbols, &reader), 0);
	for (int i = 0; i < 100; i++) {
		struct event_printer *printer = event_printer_new(path);

		assert_non_null(printer);
		assert_null(event_printer_add_filter(printer, "sched/sched_switch:next_pid==1"));
		event_printer_free(printer);
	}
	reader.is_enough = true;
	pthread_join(thread, NULL);
	trace_close(reader.trace);
}
#endif

/* What libtraceevent says in this process, where its crashes would be ours. */
struct direct {
	struct trace_file file;
	struct tep_handle *tep;
	struct annot_handlers *handlers;
	struct trace_seq seq;
	struct trace *trace;
	struct event_printer *printer;
	size_t nr;
};

static void parse_format(void *context, const char *system, const char *text)
{
	struct direct *direct = context;

	tep_parse_event(direct->tep, text, strlen(text), system);
}

static void take_text_of(struct direct *direct, enum trace_file_text which,
			 int (*parse)(struct tep_handle *tep, const char *text))
{
	char *text = trace_file_text(&direct->file, which);

	assert_non_null(text);
	parse(direct->tep, text);
	free(text);
}

static const char *print_directly(struct direct *direct, const struct trace_event *event,
				  const struct trace_record *data)
{
	struct tep_record record = {
		.ts = event->time_ns,
		.cpu = event->cpu,
		.size = (int)data->size,
		.data = (void *)data->data,
	};

	trace_seq_reset(&direct->seq);
	tep_print_event(direct->tep, &direct->seq, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&direct->seq);
	return direct->seq.buffer;
}

static void take_same_text(void *context, enum event_print_result result, const char *text)
{
	char **wanted = context;
	size_t bytes = strlen(*wanted);

	assert_int_equal(result, EVENT_PRINTED);
	while (bytes && strchr(" \n", (*wanted)[bytes - 1]))
		(*wanted)[--bytes] = '\0';
	for (char *at = *wanted; *at; at++)
		*at = (unsigned char)*at < ' ' ? ' ' : *at;
	assert_string_equal(text, *wanted);
}

static void compare_events(struct direct *direct)
{
	struct trace_event event;
	struct trace_record record;

	while (trace_next_record(direct->trace, &event) > 0) {
		char *wanted;

		if (event.kind == TRACE_LOST)
			continue;
		assert_true(trace_record(direct->trace, &record));
		wanted = strdup(print_directly(direct, &event, &record));
		event_printer_add(direct->printer, event.time_ns, event.cpu, &record);
		event_printer_flush(direct->printer, take_same_text, &wanted);
		free(wanted);
		direct->nr++;
	}
}

static void compare_file(const char *path)
{
	struct direct direct = { .tep = tep_alloc() };

	assert_int_equal(trace_file_open(&direct.file, path, parse_format, &direct), 0);
	take_text_of(&direct, TRACE_FILE_KALLSYMS, tep_parse_kallsyms);
	take_text_of(&direct, TRACE_FILE_PRINTK_FORMATS, tep_parse_printk_formats);
	take_text_of(&direct, TRACE_FILE_COMMS, tep_parse_saved_cmdlines);
	direct.handlers = annot_handlers_register(direct.tep);
	trace_seq_init(&direct.seq);
	/* Sanitizers' allocators do not survive a fork beside threads, which read ahead. */
	direct.printer = event_printer_new(path);
	assert_non_null(direct.printer);
	assert_int_equal(trace_open(path, &direct.trace), 0);
	compare_events(&direct);
	print_message("# %s: %zu events\n", path, direct.nr);
	assert_true(direct.nr > 100);
	event_printer_free(direct.printer);
	trace_close(direct.trace);
	trace_seq_destroy(&direct.seq);
	annot_handlers_unregister(direct.handlers);
	trace_file_close(&direct.file);
	tep_free(direct.tep);
}

static void same_texts_as_libtraceevent(void **state)
{
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("tests/data/*-6.1*.dat", 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 5);
	for (size_t i = 0; i < found.gl_pathc; i++)
		compare_file(found.gl_pathv[i]);
	globfree(&found);
}

#define made(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
#define made_big_endian(test)                                                   \
	{                                                                       \
#test " (big-endian)", test, set_up_big_endian, tear_down, NULL \
	}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		made(prints_what_formats_say),
		made_big_endian(prints_what_formats_say),
		made(nothing_upsets_a_terminal),
		made(long_texts_are_cut),
		made(many_events),
		made(a_large_batch),
		made(filters_by_fields),
		made_big_endian(filters_by_fields),
		made(the_last_filter_of_a_type_counts),
		made(wrong_filters_are_told),
		made(fields_of_all_events),
		made(a_crash_costs_one_event),
		made(many_crashes_end_it),
		made(short_records),
		made(no_child_outlives_a_damaged_file),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test(no_child_waits_for_threads),
#endif
		cmocka_unit_test(same_texts_as_libtraceevent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

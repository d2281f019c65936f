// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/made_file.c */
/* SLOW */
/*
 * An event that takes libtraceevent ever so long is given up, and is the only one. It takes a printer up to twenty seconds
 * to see that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_file.h"
#include "trace/print/event_printer.h"

enum {
	WIDE = 10,
	PLAIN,
};

static const struct made_format formats[] = {
	{ "wide", WIDE, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\"a=%2000000000d\", REC->a" },
	{ "plain", PLAIN, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n", "\"a=%d\", REC->a" },
};

struct record {
	uint16_t type;
	uint16_t flags;
	int32_t pid;
	int32_t a;
};

static void add(struct event_printer *printer, uint16_t type, int32_t a)
{
	const struct record data = { .type = type, .pid = 77, .a = a };
	const struct trace_record record = {
		.type = type,
		.data = (const uint8_t *)&data,
		.size = sizeof(data),
	};

	event_printer_add(printer, 5000, 0, &record);
}

static void take_text(void *context, enum event_print_result result, const char *text)
{
	char *texts = context;

	strcat(texts, result == EVENT_UNPRINTABLE ? "(unprintable)" : text);
	strcat(texts, ";");
}

static void the_others_are_printed(void **state)
{
	char path[64], texts[256] = "";
	struct event_printer *printer;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/annot-stuck-%d.dat", getpid());
	made_file_write(path, false, formats, sizeof(formats) / sizeof(formats[0]));
	printer = event_printer_new(path);
	assert_non_null(printer);
	add(printer, PLAIN, 1);
	add(printer, PLAIN, 2);
	add(printer, WIDE, 3);
	add(printer, PLAIN, 4);
	event_printer_flush(printer, take_text, texts);
	assert_string_equal(texts, "a=1;a=2;(unprintable);a=4;");
	assert_int_equal(event_printer_nr_unprintable(printer), 1);
	event_printer_free(printer);
	unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_others_are_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

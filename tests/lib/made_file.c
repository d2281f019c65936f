// SPDX-License-Identifier: GPL-2.0
#include "made_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

struct made_file {
	FILE *out;
	bool is_big_endian;
};

static void put_number(const struct made_file *file, uint64_t value, int nr_bytes)
{
	for (int i = 0; i < nr_bytes; i++)
		putc((int)(value >> 8 * (file->is_big_endian ? nr_bytes - 1 - i : i)) & 0xff,
		     file->out);
}

/* With its NUL. */
static void put_string(const struct made_file *file, const char *string)
{
	fwrite(string, strlen(string) + 1, 1, file->out);
}

static void put_text(const struct made_file *file, const char *text)
{
	put_number(file, strlen(text), 8);
	fputs(text, file->out);
}

static void put_format(const struct made_file *file, const struct made_format *format)
{
	char *text;

	assert_true(asprintf(&text, "name: %s\nID: %d\n" COMMON "%s\nprint fmt: %s\n", format->name,
			     format->id, format->fields, format->print) > 0);
	put_text(file, text);
	free(text);
}

static void put_head(const struct made_file *file)
{
	put_string(file, "\x17\x08\x44tracing6");
	put_number(file, file->is_big_endian, 1);
	put_number(file, 8, 1);
	put_number(file, 4096, 4);
	put_string(file, "header_page");
	put_text(file, header_page);
	put_string(file, "header_event");
	put_text(file, "# compressed entry header\n");
}

/* Of one CPU, without any. */
static void put_events(const struct made_file *file)
{
	put_number(file, 0, 4); /* kernel symbols */
	put_number(file, 0, 4); /* printk formats */
	put_number(file, 0, 8); /* names of threads */
	put_number(file, 1, 4);
	put_string(file, "flyrecord");
	put_number(file, (uint64_t)ftell(file->out) + 16, 8);
	put_number(file, 0, 8);
}

void made_file_write(const char *path, bool is_big_endian, const struct made_format *formats,
		     size_t nr)
{
	const struct made_file file = { fopen(path, "w"), is_big_endian };

	assert_non_null(file.out);
	put_head(&file);
	put_number(&file, 0, 4); /* formats of ftrace's own */
	put_number(&file, 1, 4);
	put_string(&file, "made");
	put_number(&file, nr, 4);
	for (size_t i = 0; i < nr; i++)
		put_format(&file, &formats[i]);
	put_events(&file);
	assert_int_equal(fclose(file.out), 0);
}

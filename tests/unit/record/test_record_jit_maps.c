// SPDX-License-Identifier: GPL-2.0
/* Which files of functions are believed, and what is read of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/log/jit_maps.h"

#define NOW_NS 1234

struct taken {
	size_t nr;
	struct mapping first;
	char first_path[256];
	char last_path[256];
};

static char directory[] = "/tmp/annot-jit-XXXXXX";
static char map[64];

static void take(void *context, const struct mapping *mapping)
{
	struct taken *taken = context;

	if (!taken->nr++) {
		taken->first = *mapping;
		snprintf(taken->first_path, sizeof(taken->first_path), "%s", mapping->path);
	}
	snprintf(taken->last_path, sizeof(taken->last_path), "%s", mapping->path);
}

/* Of this process, which has mapped @path. */
static struct taken read_as(const char *path, bool *is_cut)
{
	struct jit_maps maps = { .directory = directory };
	struct taken taken = { 0 };

	jit_maps_note(&maps, &(struct mapping){ .tgid = getpid(), .path = path });
	jit_maps_note(&maps, &(struct mapping){ .tgid = getpid(), .path = path });
	jit_maps_read(&maps, NOW_NS, take, &taken);
	*is_cut = maps.is_cut;
	jit_maps_free(&maps);
	return taken;
}

static void write_map(const char *text)
{
	FILE *file = fopen(map, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void reads_functions(void **state)
{
	struct taken taken;
	bool is_cut;

	(void)state;
	write_map("7f00001000 40 LazyCompile:~add(int) a.js:1\nrubbish\n7f00002000 0 none\n"
		  "7f00002000 10\nffffffffffffffff 2 around\n0x7f00003000 0x10 last");
	taken = read_as("//anon", &is_cut);
	assert_int_equal(taken.nr, 2);
	assert_int_equal(taken.first.tgid, getpid());
	assert_int_equal(taken.first.start, 0x7f00001000);
	assert_int_equal(taken.first.length, 0x40);
	assert_int_equal(taken.first.time_ns, NOW_NS);
	assert_string_equal(taken.first_path, "[jit] LazyCompile:~add(int) a.js:1");
	assert_string_equal(taken.last_path, "[jit] last");
	assert_false(is_cut);
	assert_int_equal(read_as("/memfd:jit (deleted)", &is_cut).nr, 2);
}

static void asks_only_who_made_code(void **state)
{
	bool is_cut;

	(void)state;
	write_map("1000 10 function\n");
	assert_int_equal(read_as("/usr/lib/libc.so.6", &is_cut).nr, 0);
	assert_int_equal(read_as("[vdso]", &is_cut).nr, 0);
}

static void keeps_the_last(void **state)
{
	struct taken taken;
	bool is_cut;
	FILE *file;

	(void)state;
	file = fopen(map, "w");
	assert_non_null(file);
	for (int i = 0; i < JIT_FUNCTIONS_MAX + 3; i++)
		fprintf(file, "%x 10 f%d\n", 0x1000 + 16 * i, i);
	fclose(file);
	taken = read_as("//anon", &is_cut);
	assert_true(is_cut);
	assert_int_equal(taken.nr, JIT_FUNCTIONS_MAX);
	assert_string_equal(taken.first_path, "[jit] f3");
}

/* More than is read, in one line. */
static void reads_so_much(void **state)
{
	const size_t bytes = 20 << 20;
	char *text = calloc(bytes + 64, 1);
	struct taken taken;
	bool is_cut;

	(void)state;
	assert_non_null(text);
	memset(text, 'a', bytes);
	strcpy(text + bytes, "\n1000 10 behind\n");
	write_map(text);
	free(text);
	taken = read_as("//anon", &is_cut);
	assert_int_equal(taken.nr, 1);
	assert_string_equal(taken.first_path, "[jit] behind");
}

static void follows_no_link(void **state)
{
	char elsewhere[80];
	bool is_cut;

	(void)state;
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", directory);
	write_map("1000 10 function\n");
	assert_int_equal(rename(map, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, map), 0);
	assert_int_equal(read_as("//anon", &is_cut).nr, 0);
	unlink(map);
	unlink(elsewhere);
	assert_int_equal(mkfifo(map, 0600), 0);
	assert_int_equal(read_as("//anon", &is_cut).nr, 0);
	unlink(map);
}

static void believes_the_owner(void **state)
{
	bool is_cut;

	(void)state;
	if (geteuid())
		skip();
	write_map("1000 10 function\n");
	assert_int_equal(chown(map, 65534, 65534), 0);
	assert_int_equal(read_as("//anon", &is_cut).nr, 0);
	assert_int_equal(chown(map, 0, 0), 0);
	assert_int_equal(read_as("//anon", &is_cut).nr, 1);
}

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(map, sizeof(map), "%s/perf-%d.map", directory, getpid());
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	unlink(map);
	return rmdir(directory);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_functions), cmocka_unit_test(asks_only_who_made_code),
		cmocka_unit_test(keeps_the_last),  cmocka_unit_test(reads_so_much),
		cmocka_unit_test(follows_no_link), cmocka_unit_test(believes_the_owner),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

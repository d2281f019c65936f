// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs out of memory says so on stderr, even where errors go elsewhere, and leaves no unfinished file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/diag.h"
#include "util/output.h"
#include "util/xalloc.h"

static void run_out_of_memory(void)
{
	xcalloc(SIZE_MAX / 4, 2);
}

static void divert_errors(void)
{
	char *text;
	size_t nr_bytes;

	diag_divert_errors(xmemstream(&text, &nr_bytes));
	run_out_of_memory();
}

static void leave_output_unfinished(void)
{
	struct output output = { 0 };

	if (!output_open("page.html", &output))
		run_out_of_memory();
}

/* Runs @end, which must end the process with one line on stderr. */
static void check_end(void (*end)(void))
{
	char said[64] = "";
	int ends[2], status;
	FILE *from_child;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		end();
		_exit(EXIT_OK);
	}
	close(ends[1]);
	from_child = fdopen(ends[0], "r");
	assert_non_null(from_child);
	assert_true(fread(said, 1, sizeof(said) - 1, from_child) > 0);
	fclose(from_child);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_BAD_INPUT);
	assert_string_equal(said, "annot: out of memory\n");
}

static void test_diverted_errors(void **state)
{
	(void)state;
	check_end(divert_errors);
}

/* Its folder can be removed: it is empty. */
static void test_unfinished_output(void **state)
{
	char folder[] = "/tmp/annot-test.XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	check_end(leave_output_unfinished);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diverted_errors),
		cmocka_unit_test(test_unfinished_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* annot record: what it reads from the kernel and from trace-cmd, and what it shows of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/program.h"
#include "record/progress.h"
#include "record/recorder.h"
#include "record/tracing.h"

static void reads_stats(void **state)
{
	static const char text[] = "entries: 246\n"
				   "overrun: 1541\n"
				   "commit overrun: 20\n"
				   "bytes: 9672\n"
				   "oldest event ts:  1209.968882\n"
				   "now ts:  1211.389010\n"
				   "dropped events: 3\n"
				   "read events: 512\n";
	struct tracing_cpu_stats stats;

	(void)state;
	tracing_parse_stats(text, &stats);
	assert_int_equal(stats.lost_events, 1541 + 20 + 3);
	assert_int_equal(stats.unread_bytes, 9672);
	tracing_parse_stats("", &stats);
	assert_int_equal(stats.lost_events, 0);
	assert_int_equal(stats.unread_bytes, 0);
}

static void reads_buffer_size(void **state)
{
	(void)state;
	assert_int_equal(tracing_parse_buffer_kb("1408"), 1408);
	assert_int_equal(tracing_parse_buffer_kb("7 (expanded: 1408)"), 1408);
	assert_int_equal(tracing_parse_buffer_kb("X"), 0);
	assert_int_equal(tracing_parse_buffer_kb(""), 0);
}

static void expect_explanation(const char *printed, const char *wanted)
{
	char why[64];

	recorder_explain(printed, why, sizeof(why));
	assert_string_equal(why, wanted);
}

static void explains_failure(void **state)
{
	(void)state;
	expect_explanation("Hit Ctrl^C to stop recording\n"
			   "trace-cmd: No such file or directory\n"
			   "  No events enabled with nosuch\n"
			   "CPU0 data recorded at offset=0xf9000\n",
			   "No events enabled with nosuch (No such file or directory)");
	expect_explanation("trace-cmd: No space left on device\n"
			   "  Error creating output file\n"
			   "trace-cmd: Broken pipe\n"
			   "  can't create recorder\n",
			   "Error creating output file (No space left on device)");
	expect_explanation("trace-cmd: only one line", "only one line");
	expect_explanation("nothing of use\n", "");
	expect_explanation("", "");
	expect_explanation(
		"trace-cmd: Permission denied\n"
		"  a story that is far longer than the one line in which it shall be told\n",
		"a story that is far longer than the one line in which it shall ");
}

/* Batches and single events are never asked for together; every kind of event is in either. */
static void chooses_annot_events(void **state)
{
	static const char *const wanted[] = {
		[RECORDER_ANNOT_NONE] = "",
		[RECORDER_ANNOT_ALL] = "annot ",
		[RECORDER_ANNOT_BATCHED] = "annot:annot_name annot:annot_lost annot:annot_config "
					   "annot:annot_batch ",
		[RECORDER_ANNOT_ONE_BY_ONE] =
			"annot:annot_lost annot:annot_config annot:annot_begin annot:annot_end "
			"annot:annot_mark annot:annot_counter ",
	};

	(void)state;
	for (int annot = RECORDER_ANNOT_NONE; annot <= RECORDER_ANNOT_ONE_BY_ONE; annot++) {
		const char *const *events = recorder_annot_events(annot);
		char text[256] = "";

		for (size_t i = 0; events[i]; i++) {
			strcat(text, events[i]);
			strcat(text, " ");
		}
		assert_string_equal(text, wanted[annot]);
	}
}

/* What tells how a measurement goes comes first; nothing is there of what is not asked for. */
static void chooses_pmu_events(void **state)
{
	static const char *const wanted[2][2] = {
		{ "", "annot:annot_pmu_state annot:annot_slice_counts " },
		{ "annot:annot_pmu_state annot:annot_sample ",
		  "annot:annot_pmu_state annot:annot_sample annot:annot_slice_counts " },
	};

	(void)state;
	for (int samples = 0; samples < 2; samples++) {
		for (int counts = 0; counts < 2; counts++) {
			const char *const *events = recorder_pmu_events(samples, counts);
			char text[256] = "";

			for (size_t i = 0; events[i]; i++) {
				strcat(text, events[i]);
				strcat(text, " ");
			}
			assert_string_equal(text, wanted[samples][counts]);
		}
	}
}

static void shows_progress(void **state)
{
	const struct progress_figures figures = {
		.elapsed_s = 12.34,
		.buffer_percent = 45,
		.lost_events = 3000000000u,
		.written_bytes = 8100000,
	};
	char line[80];

	(void)state;
	progress_format(&figures, line, sizeof(line));
	assert_string_equal(line, "12.3 s  buffer 45%  lost 3000000000  8.1 MB");
}

static void formats_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0 B" },
		{ 999, "999 B" },
		{ 1000, "1.0 kB" },
		{ 999949, "999.9 kB" },
		{ 999950, "1.0 MB" },
		{ 7349025, "7.3 MB" },
		{ 12345678901, "12.3 GB" },
		{ UINT64_MAX, "18446744.1 TB" },
	};
	char text[24];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		progress_format_bytes(cases[i].bytes, text, sizeof(text));
		assert_string_equal(text, cases[i].text);
	}
}

static void nothing_before(void)
{
}

static int status_of(char *command)
{
	char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct program program = { 0 };
	sigset_t none;

	sigemptyset(&none);
	assert_int_equal(program_start(&program, argv, &none, nothing_before), 0);
	while (!program_ended(&program))
		;
	return program_exit_status(&program);
}

static void returns_what_the_program_returned(void **state)
{
	(void)state;
	assert_int_equal(status_of("exit 0"), 0);
	assert_int_equal(status_of("exit 255"), 255);
	assert_int_equal(status_of("kill -TERM $$"), 128 + SIGTERM);
}

static void says_why_a_program_cannot_run(void **state)
{
	char *not_there[] = { "/no/such/program", NULL };
	char *no_program[] = { "/etc/passwd", NULL };
	struct program program = { 0 };
	sigset_t none;

	(void)state;
	sigemptyset(&none);
	assert_int_equal(program_exec_status(
				 program_start(&program, not_there, &none, nothing_before)),
			 127);
	assert_int_equal(program.pid, 0);
	assert_int_equal(program_exec_status(
				 program_start(&program, no_program, &none, nothing_before)),
			 126);
	assert_int_equal(program.pid, 0);
}

static void finds_programs_as_exec_does(void **state)
{
	(void)state;
	assert_int_equal(setenv("PATH", "/nowhere:/bin:/usr/bin", 1), 0);
	assert_int_equal(program_find("sh"), 0);
	assert_int_equal(program_find("/bin/sh"), 0);
	assert_int_equal(program_exec_status(program_find("no-such-program")), 127);
	assert_int_equal(program_exec_status(program_find("")), 127);
	assert_int_equal(program_exec_status(program_find("/bin")), 126);
	/* What cannot be run is passed over, but remembered. */
	assert_int_equal(setenv("PATH", "/etc", 1), 0);
	assert_int_equal(program_exec_status(program_find("passwd")), 126);
	assert_int_equal(setenv("PATH", "/etc:/usr/bin", 1), 0);
	assert_int_equal(program_find("passwd"), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_stats),
		cmocka_unit_test(reads_buffer_size),
		cmocka_unit_test(explains_failure),
		cmocka_unit_test(chooses_annot_events),
		cmocka_unit_test(chooses_pmu_events),
		cmocka_unit_test(shows_progress),
		cmocka_unit_test(formats_bytes),
		cmocka_unit_test(returns_what_the_program_returned),
		cmocka_unit_test(says_why_a_program_cannot_run),
		cmocka_unit_test(finds_programs_as_exec_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

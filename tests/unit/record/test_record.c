// SPDX-License-Identifier: GPL-2.0
/* annot record: what it reads from the kernel, where it keeps that, and what it shows of it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/readers/cpu_files.h"
#include "record/readers/drain.h"
#include "record/buffer/events.h"
#include "record/program.h"
#include "util/program_path.h"
#include "util/progress.h"
#include "record/buffer/tracing.h"

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

/* Batches and single events are never asked for together; every kind of event is in either. */
static void chooses_annot_events(void **state)
{
	static const char *const wanted[] = {
		[EVENTS_ANNOT_NONE] = "",
		[EVENTS_ANNOT_ALL] = "annot ",
		[EVENTS_ANNOT_BATCHED] = "annot:annot_name annot:annot_lost annot:annot_config "
					 "annot:annot_batch ",
		[EVENTS_ANNOT_ONE_BY_ONE] =
			"annot:annot_lost annot:annot_config annot:annot_begin annot:annot_end "
			"annot:annot_mark annot:annot_counter ",
	};

	(void)state;
	for (int annot = EVENTS_ANNOT_NONE; annot <= EVENTS_ANNOT_ONE_BY_ONE; annot++) {
		const char *const *events = events_of_annot(annot);
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
			const char *const *events = events_of_pmu(samples, counts);
			char text[256] = "";

			for (size_t i = 0; events[i]; i++) {
				strcat(text, events[i]);
				strcat(text, " ");
			}
			assert_string_equal(text, wanted[samples][counts]);
		}
	}
}

#define PAGE_BYTES 4096
#define NR_PAGES 3

/* As the kernel lays a page out: time, then how much it holds. */
static void make_pages(unsigned char pages[NR_PAGES][PAGE_BYTES])
{
	for (int i = 0; i < NR_PAGES; i++) {
		unsigned long commit = PAGE_BYTES - 16;

		memset(pages[i], 'a' + i, PAGE_BYTES);
		memcpy(pages[i] + 8, &commit, sizeof(commit));
	}
}

static int make_file(const void *data, size_t size)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void drain_pages(bool has_gap, unsigned char drained[NR_PAGES][PAGE_BYTES])
{
	unsigned char pages[NR_PAGES][PAGE_BYTES];
	int from, to = make_file("", 0);

	make_pages(pages);
	from = make_file(pages, sizeof(pages));
	assert_int_equal(drain_rest(from, to, PAGE_BYTES, has_gap), 0);
	assert_int_equal(pread(to, drained, sizeof(pages), 0), sizeof(pages));
	assert_int_equal(lseek(to, 0, SEEK_END), sizeof(pages));
	close(from);
	close(to);
}

static void drains_pages(void **state)
{
	unsigned char pages[NR_PAGES][PAGE_BYTES], drained[NR_PAGES][PAGE_BYTES];

	(void)state;
	make_pages(pages);
	drain_pages(false, drained);
	assert_memory_equal(drained, pages, sizeof(pages));
}

/* The kernel's own mark of events that are missing, in the first page and nowhere else. */
static void marks_a_gap(void **state)
{
	unsigned char pages[NR_PAGES][PAGE_BYTES], drained[NR_PAGES][PAGE_BYTES];
	unsigned long commit = (PAGE_BYTES - 16) | 1ul << 31;

	(void)state;
	make_pages(pages);
	memcpy(pages[0] + 8, &commit, sizeof(commit));
	drain_pages(true, drained);
	assert_memory_equal(drained, pages, sizeof(pages));
}

static void tells_why_nothing_is_drained(void **state)
{
	unsigned char page[PAGE_BYTES] = { 0 };
	int from = make_file(page, sizeof(page)), full = open("/dev/full", O_WRONLY);

	(void)state;
	assert_int_equal(drain_rest(from, full, PAGE_BYTES, false), ENOSPC);
	assert_int_equal(drain_rest(full, from, PAGE_BYTES, false), EBADF);
	assert_int_equal(drain_open_pipe("/no/such/buffer", 0), -ENOENT);
	close(from);
	close(full);
}

/* A second recording into the same output is refused, and harms nothing. */
static void keeps_files_of_cpus(void **state)
{
	char dir[] = "/tmp/test_record.XXXXXX";
	struct cpu_files files, others;
	char output[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(output, sizeof(output), "%s/out.dat", dir);
	assert_int_equal(cpu_files_open(&files, output, 3), 0);
	assert_int_equal(files.nr, 3);
	assert_int_equal(write(files.files[1].fd, output, sizeof(output)), sizeof(output));
	assert_int_equal(cpu_files_open(&others, output, 3), -1);
	assert_int_equal(cpu_files_bytes(&files), sizeof(output));
	assert_int_equal(cpu_file_bytes(&files.files[1], 50), 50);
	cpu_files_remove_empty(&files);
	snprintf(output, sizeof(output), "%s/out.dat.cpu1", dir);
	assert_int_equal(unlink(output), 0);
	/* Those of CPUs 0 and 2 are gone already. */
	assert_int_equal(rmdir(dir), 0);
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

static void nothing_before(void *context)
{
	(void)context;
}

static int status_of(char *command)
{
	char *argv[] = { "/bin/sh", "-c", command, NULL };
	struct program program = { 0 };
	sigset_t none;

	sigemptyset(&none);
	assert_int_equal(program_start(&program, argv, &none, nothing_before, NULL), 0);
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
				 program_start(&program, not_there, &none, nothing_before, NULL)),
			 127);
	assert_int_equal(program.pid, 0);
	assert_int_equal(program_exec_status(
				 program_start(&program, no_program, &none, nothing_before, NULL)),
			 126);
	assert_int_equal(program.pid, 0);
}

static void assert_found(const char *name, const char *wanted)
{
	char path[PATH_MAX];

	assert_int_equal(program_path_find(name, path), 0);
	assert_string_equal(path, wanted);
}

static int status_without(const char *name)
{
	char path[PATH_MAX];

	return program_exec_status(program_path_find(name, path));
}

static void finds_programs_as_exec_does(void **state)
{
	(void)state;
	assert_int_equal(setenv("PATH", "/nowhere:/bin:/usr/bin", 1), 0);
	assert_found("sh", "/bin/sh");
	assert_found("/usr/bin/../bin/sh", "/usr/bin/../bin/sh");
	assert_int_equal(status_without("no-such-program"), 127);
	assert_int_equal(status_without(""), 127);
	assert_int_equal(status_without("/bin"), 126);
	/* What cannot be run is passed over, but remembered. */
	assert_int_equal(setenv("PATH", "/etc", 1), 0);
	assert_int_equal(status_without("passwd"), 126);
	assert_int_equal(setenv("PATH", "/etc:/usr/bin", 1), 0);
	assert_found("passwd", "/usr/bin/passwd");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_stats),
		cmocka_unit_test(reads_buffer_size),
		cmocka_unit_test(chooses_annot_events),
		cmocka_unit_test(chooses_pmu_events),
		cmocka_unit_test(drains_pages),
		cmocka_unit_test(marks_a_gap),
		cmocka_unit_test(tells_why_nothing_is_drained),
		cmocka_unit_test(keeps_files_of_cpus),
		cmocka_unit_test(shows_progress),
		cmocka_unit_test(formats_bytes),
		cmocka_unit_test(returns_what_the_program_returned),
		cmocka_unit_test(says_why_a_program_cannot_run),
		cmocka_unit_test(finds_programs_as_exec_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

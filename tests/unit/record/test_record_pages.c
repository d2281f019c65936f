// SPDX-License-Identifier: GPL-2.0
/* In which pages processes have their memory: what is read of /proc/PID/smaps, when, and what is told of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/log/pages_log.h"

#define KIB ((uint64_t)1024)
#define MIB (1024 * KIB)
#define MS ((uint64_t)1000000)
#define HUGE_BYTES (2 * MIB)

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

static struct smaps read_text(const char *text)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");
	struct smaps smaps = { 0 };

	assert_non_null(in);
	smaps_read(&smaps, in, HUGE_BYTES);
	fclose(in);
	return smaps;
}

static void expect(const struct smaps *smaps, size_t at, uint64_t start, uint64_t length,
		   uint64_t resident, uint64_t huge)
{
	assert_true(at < smaps->nr);
	assert_int_equal(smaps->mappings[at].start, start);
	assert_int_equal(smaps->mappings[at].length, length);
	assert_int_equal(smaps->mappings[at].resident_bytes, resident);
	assert_int_equal(smaps->mappings[at].huge_bytes, huge);
}

#define HEAD(range) range " rw-p 00000000 00:00 0 \n"
#define PAGES(kib) "KernelPageSize:        " kib " kB\nMMUPageSize:           4 kB\n"

/* The kernel's text, of each kind of huge pages. */
static void reads_the_kernels_text(void **state)
{
	struct smaps smaps = read_text(
		HEAD("7f0000000000-7f0000800000") // AnonHugePages
		"Size:               8192 kB\n" PAGES(
			"4") "Rss:                8192 kB\n"
			     "Pss:                8192 kB\n"
			     "AnonHugePages:      6144 kB\n"
			     "ShmemPmdMapped:        0 kB\n"
			     "VmFlags: rd wr mr mw me ac hg \n" HEAD("7f0001000000-7f0001800000") PAGES(
				     "4") "Rss:                4096 kB\n"
					  "ShmemPmdMapped:     2048 kB\n"
					  "FilePmdMapped:      2048 kB\n" HEAD(
						  "7f0002000000-7f0002400000")
						  PAGES("2048") "Rss:                   0 kB\n"
								"Shared_Hugetlb:     2048 kB\n"
								"Private_Hugetlb:    2048 kB\n" HEAD(
									"7f0003000000-7f0003400000")
									PAGES("4") "Rss:                   0 kB\n");

	(void)state;
	assert_int_equal(smaps.nr, 3);
	expect(&smaps, 0, 0x7f0000000000, 8 * MIB, 8 * MIB, 6 * MIB);
	assert_int_equal(smaps.mappings[0].page_bytes, 4 * KIB);
	assert_int_equal(smaps.mappings[0].huge_page_bytes, HUGE_BYTES);
	expect(&smaps, 1, 0x7f0001000000, 8 * MIB, 4 * MIB, 4 * MIB);
	expect(&smaps, 2, 0x7f0002000000, 4 * MIB, 4 * MIB, 4 * MIB);
	assert_int_equal(smaps.mappings[2].page_bytes, 2 * MIB);
	assert_int_equal(smaps.mappings[2].huge_page_bytes, 2 * MIB);
	smaps_free(&smaps);
}

/* A file may have any name, which may not pass for figures; figures that contradict each other are not told. */
static void reads_odd_text(void **state)
{
	struct smaps smaps = read_text(
		"AnonHugePages: 64 kB\n"
		"Rss: 64 kB\n"
		"1000-2000 rw-p 00000000 00:00 0       /AnonHugePages: 4 kB\n" PAGES(
			"4") "Rss: 4 kB\n"
			     "3000-4000 rw-p 00000000 00:00 0       /a\\012Rss: 4 kB\n" PAGES(
				     "4") "Rss: 4 kB\n"
					  "AnonHugePages: 8 kB\n"
					  "5000-6000 rw-p 00000000 00:00 0\n" PAGES(
						  "4") "Rss: 8 kB\n"
						       "7000-8000 rw-p 00000000 00:00 0\nRss: 4 kB\n"
						       "9000-8000 rw-p 00000000 00:00 0\n" PAGES(
							       "4") "Rss: 4 kB\n"
								    "a000-c000 rw-p 00000000 00:00 0\n" PAGES(
									    "4") "Rss: 4 kB\nAnonHugePages: 99999999999999999999 kB\n"
										 "d000-e000 rw-p 00000000 00:00 0\n" PAGES(
											 "4") "Rss: 4 kB\nAnonHuge");

	(void)state;
	assert_int_equal(smaps.nr, 2);
	expect(&smaps, 0, 0x1000, 0x1000, 4 * KIB, 0);
	expect(&smaps, 1, 0xd000, 0x1000, 4 * KIB, 0);
	smaps_free(&smaps);
	smaps = read_text("\n");
	assert_int_equal(smaps.nr, 0);
	smaps_free(&smaps);
}

static void reads_no_more_than_it_may(void **state)
{
	struct smaps smaps = { 0 };
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size), *in;

	(void)state;
	for (unsigned int i = 1; i <= SMAPS_MOST_MAPPINGS + 10; i++)
		fprintf(out, HEAD("%x0000-%x1000") PAGES("4") "Rss: 4 kB\n", i, i);
	fclose(out);
	in = fmemopen(text, size, "r");
	smaps_read(&smaps, in, HUGE_BYTES);
	fclose(in);
	free(text);
	assert_int_equal(smaps.nr, SMAPS_MOST_MAPPINGS);
	expect(&smaps, SMAPS_MOST_MAPPINGS - 1, (uint64_t)SMAPS_MOST_MAPPINGS << 16, 0x1000,
	       4 * KIB, 0);
	smaps_free(&smaps);
}

static bool is_small_enough(const char *statm)
{
	FILE *in = fmemopen((void *)statm, strlen(statm), "r");
	bool is = smaps_is_small_enough(in, 4 * KIB);

	fclose(in);
	return is;
}

/* Pages: of all memory, of what is resident, ... */
static void reads_no_large_process(void **state)
{
	(void)state;
	assert_true(is_small_enough("99999999 8388608 1 1 0 1 0\n"));
	assert_false(is_small_enough("99999999 8388609 1 1 0 1 0\n"));
	assert_false(is_small_enough("99999999 18446744073709551615 1 1 0 1 0\n"));
	assert_false(is_small_enough("1"));
}

static void keeps_the_largest(void **state)
{
	struct smaps smaps = read_text(HEAD("1000-9000") PAGES("4") "Rss: 8 kB\n" HEAD("a000-f000")
					       PAGES("4") "Rss: 4 kB\n" HEAD("10000-19000")
						       PAGES("4") "Rss: 32 kB\n");

	(void)state;
	smaps_keep_largest(&smaps, 3);
	assert_int_equal(smaps.nr, 3);
	smaps_keep_largest(&smaps, 2);
	assert_int_equal(smaps.nr, 2);
	assert_int_equal(smaps.mappings[0].start, 0x1000);
	assert_int_equal(smaps.mappings[1].start, 0x10000);
	smaps_free(&smaps);
}

/* What the log wrote. */
struct lines {
	size_t nr;
	char text[64][128];
};

static void take_line(void *context, const char *line, size_t length)
{
	struct lines *lines = context;

	assert_true(length < sizeof(lines->text[0]));
	assert_int_equal(strlen(line), length);
	if (lines->nr < sizeof(lines->text) / sizeof(lines->text[0]))
		memcpy(lines->text[lines->nr], line, length + 1);
	lines->nr++;
}

static struct smaps one_mapping(uint64_t start, uint64_t length, uint64_t resident)
{
	struct smaps smaps = { .nr = 1, .mappings = calloc(1, sizeof(*smaps.mappings)) };

	smaps.mappings[0] = (struct mapping_pages){ start, length, resident, 0, 4096, HUGE_BYTES };
	return smaps;
}

/* Only what has changed; what is no more stands first. */
static void tells_changes(void **state)
{
	static const char *const wanted[] = {
		"annot|pages|17|400000|400000|4096|0|4096|2097152|0",
		"annot|pages|17|0|0|0|0|4096|4096|0",
		"annot|pages|17|0|0|0|0|4096|4096|0",
		"annot|pages|17|400000|400000|4096|0|4096|2097152|0",
		"annot|pages|17|0|0|0|0|4096|4096|0",
		"annot|pages|17|400000|400000|8192|0|4096|2097152|0",
		"annot|pages|17|0|0|0|0|4096|4096|0",
		"annot|pages|17|400000|400000|0|0|4096|4096|0",
		"annot|pages|17|600000|200000|4096|0|4096|2097152|0",
		"annot|pages|17|0|0|0|0|4096|4096|0",
	};
	struct smaps none = { 0 }, first = one_mapping(0x400000, 0x400000, 0x1000);
	struct smaps grown = one_mapping(0x400000, 0x400000, 0x2000);
	struct smaps moved = one_mapping(0x600000, 0x200000, 0x1000);
	struct lines lines = { 0 };
	struct pages_log log;

	(void)state;
	pages_log_init(&log, take_line, &lines);
	pages_log_tell(&log, 17, &none, &first, false, UINT64_MAX);
	pages_log_tell(&log, 17, &first, &first, false, UINT64_MAX);
	pages_log_tell(&log, 17, &first, &first, true, UINT64_MAX);
	pages_log_tell(&log, 17, &first, &grown, false, UINT64_MAX);
	pages_log_tell(&log, 17, &grown, &moved, false, UINT64_MAX);
	assert_int_equal(lines.nr, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < lines.nr; i++)
		assert_string_equal(lines.text[i], wanted[i]);
	pages_log_free(&log);
	smaps_free(&first);
	smaps_free(&grown);
	smaps_free(&moved);
}

/* This process has a mapping in small pages, and may have one in huge pages; it knows what the kernel says. */
static void reads_this_process(void **state)
{
	char *small = mmap(NULL, 4 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);
	struct smaps smaps = { 0 };
	bool is_found = false;

	(void)state;
	assert_true(small != MAP_FAILED);
	madvise(small, 4 * MIB, MADV_NOHUGEPAGE);
	memset(small, 1, 4 * MIB);
	smaps_of_process(&smaps, getpid(), smaps_huge_page_bytes());
	for (size_t i = 0; i < smaps.nr; i++) {
		const struct mapping_pages *mapping = &smaps.mappings[i];

		if ((uintptr_t)small - mapping->start >= mapping->length)
			continue;
		is_found = true;
		assert_true(mapping->resident_bytes >= 4 * MIB);
		assert_int_equal(mapping->huge_bytes, 0);
		assert_int_equal(mapping->page_bytes, getpagesize());
	}
	assert_true(is_found);
	smaps_free(&smaps);
	munmap(small, 4 * MIB);
}

/* Stopped: it changes nothing. */
static pid_t fork_waiting(void)
{
	pid_t pid = fork();

	if (!pid) {
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	return pid;
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A reading that is due soon, then others ever later; none of a process that has ended, of which nothing is told. */
static void reads_now_and_then(void **state)
{
	struct lines lines = { 0 };
	struct pages_log log;
	pid_t pid = fork_waiting();
	uint64_t before_ns;
	size_t nr_mappings;

	(void)state;
	pages_log_init(&log, take_line, &lines);
	assert_true(pages_log_wait_s(&log, 1000 * MS) <= 0.1);
	pages_log_note(&log, pid, 1000 * MS);
	pages_log_note(&log, pid, 1000 * MS);
	assert_int_equal(log.nr, 1);
	pages_log_read(&log, 1001 * MS);
	assert_int_equal(lines.nr, 0);
	assert_true(pages_log_wait_s(&log, 1001 * MS) > 0.04);
	before_ns = clock_ns();
	pages_log_read(&log, 1050 * MS);
	assert_true(lines.nr > 0);
	assert_true(log.processes[0].due_ns >= before_ns + 50 * MS);
	/* The child has changed nothing; but it may have become another program. */
	nr_mappings = lines.nr;
	pages_log_read(&log, UINT64_MAX);
	assert_int_equal(lines.nr, nr_mappings + 1);
	pages_log_note(&log, pid, 1050 * MS);
	pages_log_read(&log, UINT64_MAX);
	assert_int_equal(lines.nr, 2 * nr_mappings + 1);
	for (int i = 0; i < 20; i++) {
		before_ns = log.processes[0].wait_ns;
		pages_log_read(&log, UINT64_MAX);
		assert_true(log.processes[0].wait_ns >= before_ns);
	}
	assert_int_equal(log.processes[0].wait_ns, 5000 * MS);
	end_process(pid);
	lines.nr = 0;
	pages_log_read(&log, UINT64_MAX);
	assert_int_equal(lines.nr, 0);
	assert_int_equal(log.nr, 0);
	pages_log_finish(&log);
	assert_int_equal(lines.nr, 0);
	pages_log_free(&log);
}

/* No process is read before a hundred times as long has passed as the one before took. */
static void takes_little_time(void **state)
{
	struct lines lines = { 0 };
	struct pages_log log;
	pid_t first = fork_waiting(), second = fork_waiting();
	bool is_late = false;
	uint64_t due_ns;

	(void)state;
	pages_log_init(&log, take_line, &lines);
	pages_log_note(&log, first, 0);
	pages_log_note(&log, second, 0);
	pages_log_read(&log, 1000 * MS);
	due_ns = log.due_ns;
	lines.nr = 0;
	pages_log_read(&log, due_ns - 1);
	assert_int_equal(lines.nr, 0);
	assert_true(pages_log_wait_s(&log, due_ns - MS) > 0);
	pages_log_read(&log, due_ns);
	assert_true(lines.nr > 0);
	/* This process may be kept waiting for longer itself, but not each time. */
	for (int i = 0; i < 10 && !is_late; i++) {
		pages_log_read(&log, UINT64_MAX);
		is_late = log.due_ns > clock_ns();
	}
	assert_true(is_late);
	end_process(first);
	end_process(second);
	pages_log_free(&log);
}

static void takes_few_processes(void **state)
{
	struct lines lines = { 0 };
	struct pages_log log;

	(void)state;
	pages_log_init(&log, take_line, &lines);
	for (int i = 0; i < PAGES_LOG_MOST_PROCESSES + 10; i++)
		pages_log_note(&log, INT32_MAX - i, 0);
	assert_int_equal(log.nr, PAGES_LOG_MOST_PROCESSES);
	pages_log_free(&log);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_kernels_text),
		cmocka_unit_test(reads_odd_text),
		cmocka_unit_test(reads_no_more_than_it_may),
		cmocka_unit_test(reads_no_large_process),
		cmocka_unit_test(keeps_the_largest),
		cmocka_unit_test(tells_changes),
		cmocka_unit_test(reads_this_process),
		cmocka_unit_test(reads_now_and_then),
		cmocka_unit_test(takes_little_time),
		cmocka_unit_test(takes_few_processes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

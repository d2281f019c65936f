// SPDX-License-Identifier: GPL-2.0
/*
 * Arrays that go to a file when they are many: they keep what is in them, the process has a part of them in memory only, the
 * file has no name, and where it cannot be written any more there is one line on stderr, and no half output. The file is
 * there until the process ends, so each of these tests is in a child.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/output.h"
#include "util/spill/spill.h"
#include "util/spill/spill_blocks.h"
#include "util/spill/spill_file.h"

#define MIB ((size_t)1 << 20)

static char folder[] = "/var/tmp/test_spill.XXXXXX";
static const struct spill_limits little = { .memory_bytes = 128 << 10, .resident_bytes = 8 << 20 };

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static size_t nr_names_in_folder(void)
{
	DIR *directory = opendir(folder);
	size_t nr = 0;

	while (readdir(directory))
		nr++;
	closedir(directory);
	return nr - 2;
}

/* Runs @body in a child that writes its errors to @said. Returns its exit status, or -1. */
static int run_in_child(void (*body)(void), char *said, size_t bytes)
{
	int ends[2], status;
	ssize_t nr;
	pid_t child;

	assert_return_code(pipe(ends), errno);
	child = fork();
	if (!child) {
		dup2(ends[1], STDERR_FILENO);
		alarm(60);
		body();
		_exit(0);
	}
	close(ends[1]);
	nr = read(ends[0], said, bytes - 1);
	said[nr > 0 ? nr : 0] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect_well(void (*body)(void))
{
	char said[256];

	assert_int_equal(run_in_child(body, said, sizeof(said)), 0);
	assert_string_equal(said, "");
}

static void fail_unless(bool is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(stderr, "not so: %s\n", what);
	_exit(100);
}

static void test_blocks(void **state)
{
	struct spill_blocks blocks = spill_blocks_new(600 * MIB);
	size_t small = spill_blocks_take(&blocks, 1), next = spill_blocks_take(&blocks, 16 << 10),
	       large = spill_blocks_take(&blocks, 2 * MIB), larger;

	(void)state;
	assert_int_equal(small, 0);
	assert_int_equal(next, 16 << 10);
	assert_int_equal(spill_blocks_size(&blocks, next), 16 << 10);
	assert_int_equal(large, MIB);
	assert_int_equal(spill_blocks_size(&blocks, large), 256 * MIB);
	larger = spill_blocks_take(&blocks, 256 * MIB);
	assert_int_equal(larger, 257 * MIB);
	assert_int_equal(spill_blocks_end(&blocks), 513 * MIB);
	/* The range has no more for these, but for smaller ones, and for who gives back. */
	assert_int_equal(spill_blocks_take(&blocks, 256 * MIB), SPILL_NO_BLOCK);
	assert_int_equal(spill_blocks_take(&blocks, 5000 * MIB), SPILL_NO_BLOCK);
	assert_int_equal(spill_blocks_take(&blocks, MIB), 513 * MIB);
	spill_blocks_give_back(&blocks, large);
	assert_int_equal(spill_blocks_take(&blocks, 100 * MIB), large);
	spill_blocks_give_back(&blocks, small);
	assert_int_equal(spill_blocks_take(&blocks, 100), small);
	spill_blocks_free(&blocks);
}

#define NR_ARRAYS 40
#define NR_ELEMENTS 200000

static uint64_t element(size_t array, size_t i)
{
	return (i + 1) * 0x9e3779b97f4a7c15 ^ array;
}

static void fill(uint64_t *arrays[NR_ARRAYS])
{
	for (size_t i = 0; i < NR_ELEMENTS; i++) {
		for (size_t at = 0; at < NR_ARRAYS; at++) {
			if (!(i & (i - 1)))
				arrays[at] = spill_resize(arrays[at], i, i ? 2 * i : 1,
							  sizeof(uint64_t));
			arrays[at][i] = element(at, i);
		}
	}
}

static void expect_filled(uint64_t *const arrays[NR_ARRAYS])
{
	size_t nr_wrong = 0;

	for (size_t at = 0; at < NR_ARRAYS; at++) {
		for (size_t i = 0; i < NR_ELEMENTS; i++)
			nr_wrong += arrays[at][i] != element(at, i);
	}
	fail_unless(!nr_wrong, "arrays have what was written");
}

static size_t resident_file_bytes(void)
{
	FILE *statm = fopen("/proc/self/statm", "r");
	size_t pages = 0;

	if (fscanf(statm, "%*u %*u %zu", &pages) != 1)
		pages = SIZE_MAX;
	fclose(statm);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The thread that gives pages back may have to wait for a CPU. */
static bool becomes_resident(size_t most_bytes)
{
	for (int times = 0; times < 1000; times++) {
		if (resident_file_bytes() <= most_bytes)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	}
	return false;
}

static void fill_and_look(void)
{
	uint64_t *arrays[NR_ARRAYS] = { 0 }, *zeroed;
	size_t before_bytes = resident_file_bytes();

	spill_use(folder, &little);
	fail_unless(spill_room_bytes() >= MIB, "there is a place for it");
	fail_unless(!spill_file_bytes(), "the file is not used before it is needed");
	fill(arrays);
	/* 64 MB. */
	fail_unless(spill_file_bytes() >= NR_ARRAYS * NR_ELEMENTS * sizeof(uint64_t),
		    "all are in it");
	fail_unless(!nr_names_in_folder(), "the file has no name");
	expect_filled(arrays);
	fail_unless(becomes_resident(before_bytes + little.resident_bytes), "little is in memory");
	expect_filled(arrays);
	for (size_t at = 0; at < NR_ARRAYS; at++)
		spill_free(arrays[at]);
	/* They have blocks that had others' contents. */
	for (size_t at = 0; at < NR_ARRAYS; at++) {
		zeroed = spill_zeroed((size_t)1000 << at % 8, sizeof(uint64_t));
		for (size_t i = 0; i < (size_t)1000 << at % 8; i++)
			fail_unless(!zeroed[i], "what is zeroed is 0");
	}
}

static void test_arrays(void **state)
{
	(void)state;
	expect_well(fill_and_look);
}

/* Files of that length are not allowed: all arrays stay in memory. */
static void fill_in_memory(void)
{
	const struct rlimit limit = { .rlim_cur = MIB, .rlim_max = MIB };
	uint64_t *arrays[NR_ARRAYS] = { 0 };

	setrlimit(RLIMIT_FSIZE, &limit);
	spill_use(folder, &little);
	fill(arrays);
	expect_filled(arrays);
	fail_unless(!spill_file_bytes() && !spill_room_bytes(), "no file is used");
	for (size_t at = 0; at < NR_ARRAYS; at++)
		spill_free(arrays[at]);
}

static void test_no_place(void **state)
{
	(void)state;
	expect_well(fill_in_memory);
}

static void test_folders(void **state)
{
	struct spill_file file;

	(void)state;
	assert_int_equal(spill_file_open("/nonexistent", &file), -1);
	assert_int_equal(errno, ENOENT);
	/* A file in memory would save none. */
	assert_int_equal(spill_file_open("/dev/shm", &file), -1);
	assert_int_equal(errno, EMEDIUMTYPE);
	assert_int_equal(spill_file_open(folder, &file), 0);
	assert_true(spill_file_room_bytes(&file) >= MIB);
	assert_true(spill_file_room_bytes(&file) < SIZE_MAX / 2);
	spill_file_close(&file);
}

/* The file that is mapped at @start, opened again. */
static int open_mapped(const void *start)
{
	char line[512], path[128], ends[64];
	unsigned long from, to;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%63s", ends) == 1 && sscanf(ends, "%lx-%lx", &from, &to) == 2 &&
		    (unsigned long)start >= from && (unsigned long)start < to) {
			snprintf(path, sizeof(path), "/proc/self/map_files/%s", ends);
			return open(path, O_RDWR);
		}
	}
	return -1;
}

/* What is behind the end of a mapped file cannot be touched, as what does not fit on a disk. */
static void lose_file(void)
{
	char output_path[64], *array;
	struct output output = { 0 };
	int fd;

	snprintf(output_path, sizeof(output_path), "%s/page.html", folder);
	fail_unless(!output_open(output_path, &output), "the output opens");
	spill_use(folder, &little);
	array = spill_resize(NULL, 0, 4 * MIB, 1);
	fail_unless(spill_file_bytes(), "the array is in the file");
	fd = open_mapped(array);
	fail_unless(fd >= 0 && !ftruncate(fd, 0), "the file is cut");
	memset(array, 1, 4 * MIB);
}

static void test_lost_file(void **state)
{
	char said[256];

	(void)state;
	assert_int_equal(run_in_child(lose_file, said, sizeof(said)), EXIT_BAD_INPUT);
	assert_string_equal(said, "annot: the timeline does not fit on the disk, which is full, "
				  "or cannot be written\n");
	assert_int_equal(nr_names_in_folder(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),	  cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_no_place),  cmocka_unit_test(test_folders),
		cmocka_unit_test(test_lost_file),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

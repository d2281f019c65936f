// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/record/made_tracefs.c */
/* SLOW */
/*
 * Writing a trace.dat of events that are known: all of them are in it, in each version and
 * compression, on a disk that is full, too; and of a file that did not come to its end, each event
 * is in it or where it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_tracefs.h"
#include "trace/file/trace_file.h"

#define NOBODY 65534
#define TRACE "trace.dat"
#define MIB (1024 * 1024)

/* Neither whole pieces nor whole chunks; and a CPU between with nothing. */
#define PAGES_OF_CPU0 700u
#define PAGES_OF_CPU2 333u

static const struct form {
	int version;
	const char *compression;
} forms[] = { { 7, "none" }, { 7, "zstd" }, { 7, "zlib" }, { 6, "none" } };

#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

struct work {
	char dir[64];
	bool is_mount;
};

static struct dat_file *create(const struct work *work, const struct form *form)
{
	struct dat_plan plan = made_plan(work->dir, TRACE, form->version, form->compression);

	return dat_create(&plan);
}

static int make_work(void **state)
{
	struct work *work = calloc(1, sizeof(*work));

	assert_non_null(work);
	strcpy(work->dir, "/tmp/test_record_dat.XXXXXX");
	assert_non_null(mkdtemp(work->dir));
	made_tracefs(work->dir);
	*state = work;
	return 0;
}

static int remove_work(void **state)
{
	struct work *work = *state;
	char command[128];

	if (work->is_mount)
		umount2(work->dir, MNT_DETACH);
	snprintf(command, sizeof(command), "rm -rf '%s'", work->dir);
	assert_int_equal(system(command), 0);
	free(work);
	return 0;
}

static void trace_path(const struct work *work, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/" TRACE, work->dir);
}

static off_t trace_bytes(const struct work *work)
{
	char path[PATH_MAX];
	struct stat status;

	trace_path(work, path);
	assert_int_equal(stat(path, &status), 0);
	return status.st_size;
}

/* Of a file in which nothing was recorded: it depends on the kernel's symbols. */
static off_t head_bytes(const struct work *work, const struct form *form)
{
	struct dat_file *file = create(work, form);
	off_t bytes;

	assert_non_null(file);
	bytes = trace_bytes(work);
	dat_abandon(file);
	return bytes;
}

/*
 * From here on, the directory is a file system of its own, on which there is so much room besides
 * that for a file in which nothing was recorded.
 */
static void make_small(struct work *work, const struct form *form, off_t bytes)
{
	char options[32];

	if (work->is_mount)
		umount2(work->dir, MNT_DETACH);
	work->is_mount = false;
	snprintf(options, sizeof(options), "size=%lld",
		 (long long)(head_bytes(work, form) + bytes));
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tmpfs", work->dir, "tmpfs", 0, options)) {
		print_message("# no file system can be mounted: %s\n", strerror(errno));
		skip();
	}
	work->is_mount = true;
	made_tracefs(work->dir);
}

static void make_cpus(const char *dir, struct dat_cpu cpus[MADE_NR_CPUS])
{
	cpus[0] = made_cpu(dir, 0, PAGES_OF_CPU0);
	cpus[1] = made_cpu(dir, 1, 0);
	cpus[2] = made_cpu(dir, 2, PAGES_OF_CPU2);
}

static void close_cpus(const struct dat_cpu cpus[MADE_NR_CPUS])
{
	for (int cpu = 0; cpu < MADE_NR_CPUS; cpu++)
		close(cpus[cpu].fd);
}

static uint64_t nr_blocks(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	return (uint64_t)status.st_blocks;
}

static void expect_all(const struct work *work, const struct dat_cpu cpus[MADE_NR_CPUS])
{
	struct made_read read;

	assert_int_equal(made_read(work->dir, TRACE, &read), 0);
	assert_false(read.truncated);
	for (int cpu = 0; cpu < MADE_NR_CPUS; cpu++)
		assert_int_equal(read.nr_events[cpu],
				 cpus[cpu].bytes / MADE_PAGE_BYTES * MADE_PAGE_EVENTS);
}

static void holds_all_events(void **state)
{
	struct dat_cpu cpus[MADE_NR_CPUS];

	for (size_t i = 0; i < NR_FORMS; i++) {
		struct dat_file *file = create(*state, &forms[i]);

		assert_non_null(file);
		assert_int_equal(dat_page_bytes(file), MADE_PAGE_BYTES);
		make_cpus(((struct work *)*state)->dir, cpus);
		assert_int_equal(dat_finish(file, cpus), 0);
		expect_all(*state, cpus);
		/* Moved, not copied. */
		assert_int_equal(nr_blocks(cpus[0].fd), 0);
		assert_int_equal(nr_blocks(cpus[2].fd), 0);
		close_cpus(cpus);
	}
}

static void has_the_mode_of_any_file(void **state)
{
	struct work *work = *state;
	mode_t before = umask(027);
	struct dat_file *file = create(work, &forms[0]);
	struct stat status;
	char path[PATH_MAX];

	umask(before);
	assert_non_null(file);
	trace_path(work, path);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	dat_abandon(file);
	assert_int_equal(stat(path, &status), -1);
}

/* What the file reserved for its end, and did not need, does not stay. */
static void takes_no_more_room_than_it_is_long(void **state)
{
	struct work *work = *state;
	struct dat_cpu cpus[MADE_NR_CPUS] = { 0 };
	struct dat_file *file = create(work, &forms[0]);
	char path[PATH_MAX];
	struct stat status;

	assert_non_null(file);
	trace_path(work, path);
	assert_int_equal(dat_finish(file, cpus), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_true((status.st_blocks - 16) * 512 < status.st_size);
}

static void leaves_a_part_of_a_page_out(void **state)
{
	struct work *work = *state;
	struct dat_file *file = create(work, &forms[0]);
	struct dat_cpu cpus[MADE_NR_CPUS];

	assert_non_null(file);
	make_cpus(work->dir, cpus);
	assert_int_equal(pwrite(cpus[2].fd, "torn", 4, (off_t)cpus[2].bytes), 4);
	cpus[2].bytes += 4;
	told_begin();
	assert_int_equal(dat_finish(file, cpus), 0);
	expect_one_line(cpus[2].path, "last 4 bytes");
	expect_all(work, cpus);
	close_cpus(cpus);
}

/* Each page of a CPU stands in the trace, of which so much was read, or where it was. */
static uint64_t expect_nothing_lost(int cpu, const struct dat_cpu *made, uint64_t nr_events)
{
	uint64_t nr_pages = made->bytes / MADE_PAGE_BYTES;
	uint8_t wanted[MADE_PAGE_BYTES], found[MADE_PAGE_BYTES];

	assert_true(nr_events <= nr_pages * MADE_PAGE_EVENTS);
	for (uint64_t page = nr_events / MADE_PAGE_EVENTS; page < nr_pages; page++) {
		made_page(cpu, page, wanted);
		assert_int_equal(pread(made->fd, found, sizeof(found),
				       (off_t)(page * MADE_PAGE_BYTES)),
				 sizeof(found));
		assert_memory_equal(found, wanted, sizeof(found));
	}
	return nr_pages - nr_events / MADE_PAGE_EVENTS;
}

/* Returns how many pages were left behind. */
static uint64_t expect_none_lost(const struct work *work, const struct dat_cpu cpus[MADE_NR_CPUS],
				 struct made_read *read)
{
	uint64_t nr_left = 0;

	if (made_read(work->dir, TRACE, read))
		fail_msg("what there is of it cannot be read");
	for (int cpu = 0; cpu < MADE_NR_CPUS; cpu++)
		nr_left += expect_nothing_lost(cpu, &cpus[cpu], read->nr_events[cpu]);
	return nr_left;
}

/* Not one page more fits; but what the trace reserved is there, and what is moved leaves room. */
static void finishes_on_a_full_disk(void **state)
{
	struct work *work = *state;

	for (size_t i = 0; i < NR_FORMS; i++) {
		struct dat_cpu cpus[MADE_NR_CPUS];
		struct dat_file *file;

		make_small(work, &forms[i], 6 * MIB);
		file = create(work, &forms[i]);
		assert_non_null(file);
		cpus[1] = made_cpu(work->dir, 1, 0);
		cpus[2] = made_cpu(work->dir, 2, PAGES_OF_CPU2);
		cpus[0] = made_cpu_to_the_full(work->dir, 0);
		assert_true(cpus[0].bytes > 3 * MIB);
		assert_int_equal(dat_finish(file, cpus), 0);
		expect_all(work, cpus);
		close_cpus(cpus);
	}
}

/* What was recorded is elsewhere, and all of it has no room. */
static void tells_of_a_full_disk(void **state)
{
	struct work *work = *state;

	for (size_t i = 0; i < NR_FORMS; i++) {
		struct dat_cpu cpus[MADE_NR_CPUS];
		struct made_read read;
		struct dat_file *file;
		void *elsewhere;

		make_small(work, &forms[i], MIB);
		make_work(&elsewhere);
		file = create(work, &forms[i]);
		assert_non_null(file);
		make_cpus(((struct work *)elsewhere)->dir, cpus);
		told_begin();
		assert_int_equal(dat_finish(file, cpus), -1);
		expect_one_line(work->dir, strerror(ENOSPC));
		told_begin();
		assert_true(expect_none_lost(work, cpus, &read) > 0);
		free(told_end());
		assert_true(read.truncated);
		close_cpus(cpus);
		remove_work(&elsewhere);
	}
}

static void tells_of_a_disk_that_is_full_at_once(void **state)
{
	struct work *work = *state;
	char path[PATH_MAX];

	make_small(work, &forms[0], MIB);
	close(made_cpu_to_the_full(work->dir, 0).fd);
	told_begin();
	assert_null(create(work, &forms[0]));
	expect_one_line(TRACE, strerror(ENOSPC));
	trace_path(work, path);
	assert_int_equal(access(path, F_OK), -1);
}

static void tells_of_a_cpu_that_is_too_short(void **state)
{
	struct work *work = *state;

	for (size_t i = 0; i < NR_FORMS; i++) {
		struct dat_file *file = create(work, &forms[i]);
		struct dat_cpu cpus[MADE_NR_CPUS];

		assert_non_null(file);
		make_cpus(work->dir, cpus);
		assert_int_equal(ftruncate(cpus[2].fd, 100 * MADE_PAGE_BYTES), 0);
		told_begin();
		assert_int_equal(dat_finish(file, cpus), -1);
		expect_one_line(cpus[2].path, "ends at offset 409600 of 1363968");
		close_cpus(cpus);
	}
}

/* Before its end, there is nothing to be read in it yet. */
static void tells_that_it_was_not_finished(void **state)
{
	struct work *work = *state;
	struct made_read read;

	for (size_t i = 0; i < NR_FORMS; i++) {
		pid_t child = fork();
		int status;

		assert_true(child >= 0);
		if (!child) {
			create(work, &forms[i]);
			kill(getpid(), SIGKILL);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(WTERMSIG(status), SIGKILL);
		told_begin();
		assert_int_equal(made_read(work->dir, TRACE, &read), -1);
		expect_one_line(TRACE, "truncated");
	}
}

/* A process that may not write more than so much is killed by the kernel right there. */
static void kill_at(const struct work *work, const struct form *form, struct dat_cpu *cpus,
		    rlim_t bytes)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };
		struct dat_file *file = create(work, form);

		setrlimit(RLIMIT_FSIZE, &limit);
		signal(SIGXFSZ, SIG_DFL);
		if (file)
			dat_finish(file, cpus);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
}

static off_t size_when_finished(const struct work *work, const struct form *form)
{
	struct dat_file *file = create(work, form);
	struct dat_cpu cpus[MADE_NR_CPUS];

	assert_non_null(file);
	make_cpus(work->dir, cpus);
	assert_int_equal(dat_finish(file, cpus), 0);
	close_cpus(cpus);
	return trace_bytes(work);
}

/* In the data of the first CPU, and in those of the last. */
static void holds_what_was_moved_when_killed(void **state)
{
	static const int percents[] = { 60, 95 };
	struct work *work = *state;

	for (size_t i = 0; i < 2 * NR_FORMS; i++) {
		const struct form *form = &forms[i / 2];
		off_t size = size_when_finished(work, form);
		struct dat_cpu cpus[MADE_NR_CPUS];
		struct made_read read;

		make_cpus(work->dir, cpus);
		kill_at(work, form, cpus, (rlim_t)(size * percents[i % 2] / 100));
		told_begin();
		assert_true(expect_none_lost(work, cpus, &read) > 0);
		free(told_end());
		assert_true(read.truncated);
		assert_true(read.nr_events[0]);
		assert_int_equal(read.nr_events[1], 0);
		assert_int_equal(read.nr_events[2] != 0, percents[i % 2] > 70);
		/* Plain, nothing about it is guessed. */
		assert_int_equal(read.cpus_guessed, strcmp(form->compression, "none") != 0);
		close_cpus(cpus);
	}
}

static void expect_refusal(const struct dat_plan *plan, const char *why)
{
	told_begin();
	assert_null(dat_create(plan));
	expect_one_line(plan->path, why);
}

static void refuses_what_it_cannot_write(void **state)
{
	struct work *work = *state;
	struct dat_plan plan = made_plan(work->dir, "fifo", 7, "none");

	assert_int_equal(mkfifo(plan.path, 0600), 0);
	expect_refusal(&plan, "not a regular file");
	plan = made_plan(work->dir, "none/" TRACE, 7, "none");
	expect_refusal(&plan, strerror(ENOENT));
	plan = made_plan(work->dir, TRACE, 5, "none");
	expect_refusal(&plan, "version 5");
	plan = made_plan(work->dir, TRACE, 7, "lz4");
	expect_refusal(&plan, "'lz4'");
	plan = made_plan(work->dir, TRACE, 6, "zstd");
	expect_refusal(&plan, "version 6");
}

/* A trace that is there is overwritten only when there is something to write. */
static void needs_formats(void **state)
{
	struct work *work = *state;
	struct dat_plan plan = made_plan(work->dir, TRACE, 7, "none");
	struct dat_cpu cpus[MADE_NR_CPUS];
	struct dat_file *file = dat_create(&plan);

	assert_non_null(file);
	make_cpus(work->dir, cpus);
	assert_int_equal(dat_finish(file, cpus), 0);
	plan.tracing_dir = work->dir;
	plan.buffer_dir = work->dir;
	told_begin();
	assert_null(dat_create(&plan));
	expect_one_line(work->dir, "events/header_page: No such file");
	expect_all(work, cpus);
	close_cpus(cpus);
}

static bool tells_addresses(const char *path)
{
	FILE *symbols = fopen(path, "r");
	unsigned long address = 0;

	if (!symbols)
		return false;
	while (!address && fscanf(symbols, "%lx%*[^\n]", &address) == 1)
		;
	fclose(symbols);
	return address;
}

#define NOBODY_SEES_ADDRESSES 77

static int write_as_nobody(const struct work *work)
{
	struct dat_cpu cpus[MADE_NR_CPUS] = { 0 };
	struct dat_file *file;

	if (setgid(NOBODY) || setuid(NOBODY) || tells_addresses("/proc/kallsyms"))
		return NOBODY_SEES_ADDRESSES;
	file = create(work, &forms[0]);
	return file && !dat_finish(file, cpus) ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void has_no_symbols_at_zero(void **state)
{
	struct work *work = *state;
	pid_t child;
	char *text;
	int status;

	assert_int_equal(chmod(work->dir, 0777), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(write_as_nobody(work));
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WEXITSTATUS(status) == NOBODY_SEES_ADDRESSES) {
		print_message("# not root, or anybody sees the kernel's addresses here\n");
		skip();
	}
	assert_int_equal(status, 0);
	text = made_kallsyms(work->dir, TRACE);
	assert_string_equal(text, "");
	free(text);
}

static void has_symbols(void **state)
{
	struct work *work = *state;

	if (!tells_addresses("/proc/kallsyms")) {
		print_message("# the kernel's addresses are not seen here\n");
		skip();
	}
	for (size_t i = 0; i < NR_FORMS; i++) {
		struct dat_file *file = create(work, &forms[i]);
		struct dat_cpu cpus[MADE_NR_CPUS] = { 0 };
		char *text;

		assert_non_null(file);
		assert_int_equal(dat_finish(file, cpus), 0);
		text = made_kallsyms(work->dir, TRACE);
		assert_non_null(strstr(text, " schedule\n"));
		free(text);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_work, remove_work)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(holds_all_events),
		TEST(has_the_mode_of_any_file),
		TEST(takes_no_more_room_than_it_is_long),
		TEST(leaves_a_part_of_a_page_out),
		TEST(finishes_on_a_full_disk),
		TEST(tells_of_a_full_disk),
		TEST(tells_of_a_disk_that_is_full_at_once),
		TEST(tells_of_a_cpu_that_is_too_short),
		TEST(tells_that_it_was_not_finished),
		TEST(holds_what_was_moved_when_killed),
		TEST(refuses_what_it_cannot_write),
		TEST(needs_formats),
		TEST(has_no_symbols_at_zero),
		TEST(has_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

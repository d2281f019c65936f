// SPDX-License-Identifier: GPL-2.0
/* The files that programs map: how they are written, and whether none is missing. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/log/build_id.h"
#include "record/log/careful_open.h"
#include "record/log/data_maps.h"
#include "record/log/mapped_file.h"
#include "record/log/mmap_log.h"

#define LOADED_LATER "libresolv.so.2"

static const struct mapping libc = {
	.tgid = 17,
	.start = 0x7f0000001000,
	.length = 0x2000,
	.offset_bytes = 0x28000,
	.time_ns = 1000,
	.build_id_bytes = 3,
	.build_id = { 0x00, 0xab, 0x1f },
	.path = "/lib/libc.so.6",
};

static void expect_line(const struct mapping *mapping, uint64_t now_ns, const char *wanted)
{
	char line[1200];
	size_t length = mmap_log_format(line, sizeof(line), mapping, now_ns);

	assert_string_equal(line, wanted);
	assert_int_equal(length, strlen(wanted));
}

static void writes_lines(void **state)
{
	struct mapping mapping = libc;

	(void)state;
	expect_line(&libc, 1234,
		    "annot|map|17|7f0000001000|2000|28000|00ab1f|234@1234|/lib/libc.so.6");
	/* A clock that was read earlier on another CPU. */
	expect_line(&libc, 999, "annot|map|17|7f0000001000|2000|28000|00ab1f|0@999|/lib/libc.so.6");
	mapping.is_data = true;
	expect_line(&mapping, 1000,
		    "annot|data|17|7f0000001000|2000|28000|00ab1f|0@1000|/lib/libc.so.6");
	mapping.is_data = false;
	mapping.build_id_bytes = 0;
	mapping.path = "/a b|c\nd\x7f\xc3\xa9";
	expect_line(&mapping, 1000,
		    "annot|map|17|7f0000001000|2000|28000||0@1000|/a b|c\\012d\\177\xc3\xa9");
}

static void refuses_what_trace_marker_cuts(void **state)
{
	struct mapping mapping = libc;
	char line[1200], small[20];
	char path[2000];
	size_t head = mmap_log_format(line, sizeof(line), &libc, 1000) - strlen(libc.path);

	(void)state;
	memset(path, 'x', sizeof(path));
	mapping.path = path;
	path[1000 - head] = '\0';
	assert_int_equal(mmap_log_format(line, sizeof(line), &mapping, 1000), 1000);
	path[1000 - head] = 'x';
	path[1001 - head] = '\0';
	assert_int_equal(mmap_log_format(line, sizeof(line), &mapping, 1000), 0);
	path[1001 - head] = 'x';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(mmap_log_format(line, sizeof(line), &mapping, 1000), 0);
	assert_int_equal(mmap_log_format(small, sizeof(small), &libc, 1000), 0);
}

static bool parse(const char *text, struct mapping *mapping)
{
	static char line[256];

	snprintf(line, sizeof(line), "%s", text);
	return mmap_log_parse_maps(line, mapping);
}

static void reads_proc_maps(void **state)
{
	struct mapping mapping;

	(void)state;
	assert_true(parse("7f00-8f00 r-xp 00028000 fd:01 1234    /lib/a b\\012c.so (deleted)\n",
			  &mapping));
	assert_int_equal(mapping.start, 0x7f00);
	assert_int_equal(mapping.length, 0x1000);
	assert_int_equal(mapping.offset_bytes, 0x28000);
	assert_string_equal(mapping.path, "/lib/a b\\012c.so (deleted)");
	assert_int_equal(mapping.build_id_bytes, 0);
	assert_true(parse("7f00-8f00 rwxp 00000000 00:00 0 \n", &mapping));
	assert_string_equal(mapping.path, "//anon");
	assert_true(parse("7f00-8f00 --xs 00000000 00:00 0      [vdso]", &mapping));
	assert_string_equal(mapping.path, "[vdso]");
	assert_false(parse("7f00-8f00 rw-p 00000000 fd:01 1234    /lib/a.so\n", &mapping));
	assert_false(parse("7f00 r-xp 00000000 fd:01 1234    /lib/a.so\n", &mapping));
	assert_false(parse("", &mapping));
}

struct seen {
	size_t nr;
	struct mapping mappings[256];
};

static void take_mapping(void *context, const struct mapping *mapping)
{
	struct seen *seen = context;

	assert_true(seen->nr < sizeof(seen->mappings) / sizeof(seen->mappings[0]));
	seen->mappings[seen->nr] = *mapping;
	seen->mappings[seen->nr++].path = strdup(mapping->path);
}

/* In a process of its own: loads one library more, and prints what it has mapped. */
static int print_maps(void)
{
	FILE *maps;
	char line[512];

	if (!dlopen(LOADED_LATER, RTLD_NOW))
		return 1;
	maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		fputs(line, stdout);
	return 0;
}

static FILE *start_child(pid_t *pid)
{
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	*pid = fork();
	if (!*pid) {
		dup2(fds[1], STDOUT_FILENO);
		execl("/proc/self/exe", "test_record_mmap_log", "--print-maps", NULL);
		_exit(127);
	}
	close(fds[1]);
	return fdopen(fds[0], "r");
}

static const struct mapping *find(const struct seen *seen, const struct mapping *wanted)
{
	for (size_t i = 0; i < seen->nr; i++) {
		const struct mapping *one = &seen->mappings[i];

		if (one->tgid == wanted->tgid && one->start == wanted->start &&
		    one->length == wanted->length && one->offset_bytes == wanted->offset_bytes &&
		    !strcmp(one->path, wanted->path))
			return one;
	}
	return NULL;
}

static void read_build_id(struct mapping *mapping, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	build_id_read(mapping, fd);
	close(fd);
}

/* The kernel's build id is that of the file. */
static void check_build_id(const struct mapping *mapping)
{
	struct mapping from_file = { 0 };

	read_build_id(&from_file, mapping->path);
	assert_int_equal(mapping->build_id_bytes, from_file.build_id_bytes);
	assert_memory_equal(mapping->build_id, from_file.build_id, from_file.build_id_bytes);
}

static struct perf_mmap *open_perf_mmap(enum perf_mmap_what what)
{
	struct perf_mmap *perf_mmap;
	int error = perf_mmap_open(&perf_mmap, PERF_MMAP_CHILDREN, what, false);

	if (error == EACCES || error == EPERM || error == ENOSYS) {
		print_message("# perf_event_open: %s\n", strerror(error));
		skip();
	}
	assert_int_equal(error, 0);
	return perf_mmap;
}

static void sees_all_that_is_mapped(void **state)
{
	static struct seen seen;
	struct perf_mmap *perf_mmap;
	char line[512];
	int status, nr_files = 0, nr_build_ids = 0;
	bool later = false;
	FILE *maps;
	pid_t pid;

	(void)state;
	perf_mmap = open_perf_mmap(PERF_MMAP_CODE);
	maps = start_child(&pid);
	while (fgets(line, sizeof(line), maps)) {
		struct mapping wanted;
		const struct mapping *found;

		if (!mmap_log_parse_maps(line, &wanted) || wanted.path[0] != '/')
			continue;
		wanted.tgid = pid;
		perf_mmap_read(perf_mmap, take_mapping, &seen);
		found = find(&seen, &wanted);
		if (!found)
			fail_msg("%s is not seen", wanted.path);
		check_build_id(found);
		nr_build_ids += found->build_id_bytes > 0;
		later = later || strstr(found->path, LOADED_LATER);
		nr_files++;
	}
	fclose(maps);
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_true(later);
	/* The program, the loader, the C library, and what was loaded later, at least. */
	assert_true(nr_files >= 4);
	assert_true(nr_build_ids > 0);
	assert_int_equal(perf_mmap_nr_lost(perf_mmap), 0);
	perf_mmap_close(perf_mmap);
	for (size_t i = 0; i < seen.nr; i++)
		free((char *)seen.mappings[i].path);
}

struct programs {
	int nr;
	int nr_others; /* what is no path, or none of a program's */
};

static void count_program(void *context, const struct mapping *mapping)
{
	struct programs *programs = context;

	if (strstr(mapping->path, "/true"))
		programs->nr++;
	else if (!strstr(mapping->path, ".so") && strcmp(mapping->path, "[vdso]"))
		programs->nr_others++;
}

/* More than the kernel's buffers hold: they are gone through several times. */
static void loses_nothing(void **state)
{
	struct perf_mmap *perf_mmap = open_perf_mmap(PERF_MMAP_CODE);
	struct programs programs = { 0 };
	const int nr_runs = 1500;

	(void)state;
	for (int i = 0; i < nr_runs; i++) {
		pid_t pid = fork();

		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
		if (i % 50 == 0)
			perf_mmap_read(perf_mmap, count_program, &programs);
	}
	perf_mmap_read(perf_mmap, count_program, &programs);
	assert_int_equal(programs.nr, nr_runs);
	assert_int_equal(programs.nr_others, 0);
	assert_int_equal(perf_mmap_nr_lost(perf_mmap), 0);
	perf_mmap_close(perf_mmap);
}

static void free_seen(struct seen *seen)
{
	for (size_t i = 0; i < seen->nr; i++)
		free((char *)seen->mappings[i].path);
	seen->nr = 0;
}

/* The mapping of @path in this process, of which one byte is in it. */
static struct mapping map_of_file(const char *path, void **memory)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct mapping mapping = { .tgid = getpid(), .length = 4096, .path = path };

	*memory = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	assert_true(*memory != MAP_FAILED);
	close(fd);
	mapping.start = (uintptr_t)*memory;
	return mapping;
}

static void take(struct data_maps *maps, const char *path, uint64_t length, struct seen *seen)
{
	const struct mapping mapping = {
		.tgid = getpid(), .start = 0x1000, .length = length, .path = path
	};

	data_maps_take(maps, &mapping, take_mapping, seen);
}

/* Each megabyte, and the rest at the end. */
static void tells_heaps(void **state)
{
	struct data_maps maps = { 0 };
	static struct seen seen;

	(void)state;
	take(&maps, "[heap]", 0x21000, &seen);
	assert_int_equal(seen.nr, 1);
	assert_string_equal(seen.mappings[0].path, "[heap]");
	assert_int_equal(seen.mappings[0].length, 0x21000);
	take(&maps, "[heap]", 0x42000, &seen);
	take(&maps, "//anon", 0x42000, &seen);
	take(&maps, "[vvar]", 0x42000, &seen);
	assert_int_equal(seen.nr, 1);
	take(&maps, "[heap]", 0x121000, &seen);
	assert_int_equal(seen.nr, 2);
	assert_int_equal(seen.mappings[1].length, 0x121000);
	take(&maps, "[heap]", 0x122000, &seen);
	assert_int_equal(seen.nr, 2);
	data_maps_finish(&maps, take_mapping, &seen);
	assert_int_equal(seen.nr, 3);
	assert_string_equal(seen.mappings[2].path, "[heap]");
	assert_int_equal(seen.mappings[2].length, 0x122000);
	data_maps_free(&maps);
	free_seen(&seen);
}

/* This process has one, which holds what it gets in small pieces. */
static void finds_a_heap_without_a_name(void **state)
{
	struct data_maps maps = { 0 };
	static struct seen seen;
	void *piece = malloc(64);

	(void)state;
	take(&maps, "//anon", 0x21000, &seen);
	assert_int_equal(seen.nr, 1);
	assert_string_equal(seen.mappings[0].path, "[heap]");
	assert_true((uintptr_t)piece - seen.mappings[0].start < seen.mappings[0].length);
	take(&maps, "//anon", 0x21000, &seen);
	assert_int_equal(seen.nr, 1);
	free(piece);
	data_maps_free(&maps);
	free_seen(&seen);
}

static void tells_stacks(void **state)
{
	struct mapping mapping = {
		.tgid = 7, .start = 0x7ffff0000000, .length = 0x21000, .path = "[stack]"
	};
	struct data_maps maps = { 0 };
	static struct seen seen;

	(void)state;
	data_maps_take(&maps, &mapping, take_mapping, &seen);
	assert_int_equal(seen.nr, 1);
	assert_int_equal(seen.mappings[0].start, 0x7ffff0021000 - (8 << 20));
	assert_int_equal(seen.mappings[0].length, 8 << 20);
	mapping.length = 16 << 20;
	data_maps_take(&maps, &mapping, take_mapping, &seen);
	assert_int_equal(seen.mappings[1].start, 0x7ffff0000000);
	free_seen(&seen);
}

static void tells_data_files(void **state)
{
	struct data_maps maps = { 0 };
	static struct seen seen;
	struct mapping mapping;
	void *data, *program;

	(void)state;
	mapping = map_of_file("/etc/passwd", &data);
	data_maps_take(&maps, &mapping, take_mapping, &seen);
	if (!seen.nr) {
		print_message("# /proc/self/map_files cannot be read\n");
		skip();
	}
	assert_int_equal(seen.nr, 1);
	assert_string_equal(seen.mappings[0].path, "/etc/passwd");
	mapping = map_of_file("/proc/self/exe", &program);
	data_maps_take(&maps, &mapping, take_mapping, &seen);
	assert_int_equal(seen.nr, 1);
	munmap(data, 4096);
	munmap(program, 4096);
	data_maps_free(&maps);
	free_seen(&seen);
}

/* A child maps a file without code, and gets a stack. */
static void sees_data(void **state)
{
	struct perf_mmap *perf_mmap;
	static struct seen seen;
	bool has_file = false, has_stack = false;
	void *data;
	int status;
	pid_t pid;

	(void)state;
	perf_mmap = open_perf_mmap(PERF_MMAP_DATA);
	pid = fork();
	if (!pid) {
		map_of_file("/etc/passwd", &data);
		execl("/bin/sh", "sh", "-c", "true", NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	perf_mmap_read(perf_mmap, take_mapping, &seen);
	for (size_t i = 0; i < seen.nr; i++) {
		assert_true(seen.mappings[i].is_data);
		if (seen.mappings[i].tgid != pid)
			continue;
		has_file = has_file || !strcmp(seen.mappings[i].path, "/etc/passwd");
		has_stack = has_stack || !strcmp(seen.mappings[i].path, "[stack]");
	}
	assert_true(has_file);
	assert_true(has_stack);
	perf_mmap_close(perf_mmap);
	free_seen(&seen);
}

static void files_without_a_build_id(void **state)
{
	struct mapping mapping = libc;

	(void)state;
	read_build_id(&mapping, "/etc/passwd");
	assert_int_equal(mapping.build_id_bytes, 0);
}

static void finds_the_filesystem(void **state)
{
	static const char fuse[] =
		"41 28 0:35 / /mnt/with\\040blank rw,nosuid shared:9 master:1 - fuse.sshfs a@b: rw,user_id=0\n";
	static const char plain[] = "28 1 259:1 / / rw - ext4 /dev/root rw\n";
	char type[MOUNT_TYPE_BYTES];

	(void)state;
	assert_true(careful_mount_type(fuse, 41, type));
	assert_string_equal(type, "fuse.sshfs");
	assert_false(careful_mount_type(fuse, 4, type));
	assert_false(careful_mount_type(fuse, 28, type));
	assert_true(careful_mount_type(plain, 28, type));
	assert_string_equal(type, "ext4");
	assert_false(careful_mount_type("28 1 259:1 / / rw", 28, type));
}

/* Who may not look into map_files finds out nothing. */
static void opens_what_is_mapped(void **state)
{
	struct mapping mapping = { .tgid = getpid() }, found;
	FILE *maps = fopen("/proc/self/maps", "re");
	struct stat is, wanted;
	char line[4096];
	int fd;

	(void)state;
	if (geteuid())
		skip();
	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps) &&
	       !(mmap_log_parse_maps(line, &found) && strstr(found.path, "/libc.so")))
		;
	fclose(maps);
	mapping.start = found.start;
	mapping.length = found.length;
	fd = mapped_file_open(&mapping);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &is), 0);
	assert_int_equal(stat(found.path, &wanted), 0);
	assert_int_equal(is.st_ino, wanted.st_ino);
	close(fd);
	mapping.length += 4096;
	assert_true(mapped_file_open(&mapping) < 0);
	assert_int_equal(errno, ENOENT);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_lines),
		cmocka_unit_test(refuses_what_trace_marker_cuts),
		cmocka_unit_test(reads_proc_maps),
		cmocka_unit_test(sees_all_that_is_mapped),
		cmocka_unit_test(loses_nothing),
		cmocka_unit_test(sees_data),
		cmocka_unit_test(tells_heaps),
		cmocka_unit_test(finds_a_heap_without_a_name),
		cmocka_unit_test(tells_stacks),
		cmocka_unit_test(tells_data_files),
		cmocka_unit_test(files_without_a_build_id),
		cmocka_unit_test(finds_the_filesystem),
		cmocka_unit_test(opens_what_is_mapped),
	};

	if (argc > 1 && !strcmp(argv[1], "--print-maps"))
		return print_maps();
	return cmocka_run_group_tests(tests, NULL, NULL);
}

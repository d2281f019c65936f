// SPDX-License-Identifier: GPL-2.0
/* Which files of functions are believed, and what is read of them. */
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
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* A container, whose first process has made code. */
struct container {
	const char *tmp; /* what is mounted on its /tmp: a type of filesystem */
	const char *map; /* the text of the map; NULL: a link instead, or a pipe */
	const char *link; /* where to; NULL: a pipe */
	const char *over; /* mounted upon the map */
	uid_t owner; /* of the map */
	bool ends; /* before the map is read */
};

static const char inside_map[] = "/tmp/perf-1.map";

static void write_inside(const struct container *container)
{
	FILE *file;

	if (!container->map) {
		if (container->link ? symlink(container->link, inside_map) :
				      mkfifo(inside_map, 0600))
			_exit(1);
		return;
	}
	file = fopen(inside_map, "w");
	if (!file || fputs(container->map, file) < 0 || fclose(file) ||
	    chown(inside_map, container->owner, container->owner))
		_exit(2);
}

/* As number 1 of its PID namespace. Tells by a byte when its map is there. */
static void be_inside(const struct container *container, int to)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", container->tmp, 0, NULL))
		_exit(3);
	write_inside(container);
	if (container->over && mount(container->over, inside_map, NULL, MS_BIND, NULL))
		_exit(4);
	if (write(to, "", 1) != 1)
		_exit(5);
	pause();
}

/* A process makes one PID namespace for its children; ours is the child's. Its child's number goes into @to. */
static void be_between(const struct container *container, int to)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) || unshare(CLONE_NEWPID))
		_exit(6);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		be_inside(container, ends[1]);
		_exit(7);
	}
	close(ends[1]);
	if (pid < 0 || read(ends[0], &byte, 1) != 1 || write(to, &pid, sizeof(pid)) != sizeof(pid))
		_exit(8);
	pause();
	_exit(9);
}

static void end_process(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* How many functions are read of it. */
static size_t read_of(const struct container *container)
{
	struct jit_maps maps = { .directory = directory };
	struct taken taken = { 0 };
	pid_t between, inside;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	between = fork();
	assert_true(between >= 0);
	if (!between)
		be_between(container, ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &inside, sizeof(inside)), sizeof(inside));
	close(ends[0]);
	jit_maps_note(&maps, &(struct mapping){ .tgid = inside, .path = "//anon" });
	if (container->ends)
		end_process(between);
	jit_maps_read(&maps, NOW_NS, take, &taken);
	jit_maps_free(&maps);
	if (!container->ends)
		end_process(between);
	if (taken.nr) {
		assert_int_equal(taken.first.tgid, inside);
		assert_string_equal(taken.first_path, "[jit] inside");
	}
	return taken.nr;
}

static void reads_in_containers(void **state)
{
	struct container container = { .tmp = "tmpfs", .map = "1000 10 inside\n" };

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(read_of(&container), 1);
	container.ends = true;
	assert_int_equal(read_of(&container), 1);
	container.owner = 65534;
	assert_int_equal(read_of(&container), 0);
}

/* What a container puts there may be ours, not its own. */
static void reads_only_the_containers_own(void **state)
{
	struct container container = { .tmp = "tmpfs", .map = "1000 10 inside\n" };
	/* Not in /tmp, which is another one inside. */
	char outside[] = "/var/tmp/annot-jit-XXXXXX";
	static const char secret[] = "2000 10 secret\n";
	int fd;

	(void)state;
	if (geteuid())
		skip();
	fd = mkstemp(outside);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, secret, strlen(secret)), strlen(secret));
	close(fd);
	container.over = outside;
	assert_int_equal(read_of(&container), 0);
	assert_int_equal(read_of(&(struct container){ .tmp = "tmpfs", .link = outside }), 0);
	assert_int_equal(read_of(&(struct container){ .tmp = "tmpfs" }), 0);
	unlink(outside);
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
		cmocka_unit_test(reads_functions),
		cmocka_unit_test(asks_only_who_made_code),
		cmocka_unit_test(keeps_the_last),
		cmocka_unit_test(reads_so_much),
		cmocka_unit_test(follows_no_link),
		cmocka_unit_test(believes_the_owner),
		cmocka_unit_test(reads_in_containers),
		cmocka_unit_test(reads_only_the_containers_own),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

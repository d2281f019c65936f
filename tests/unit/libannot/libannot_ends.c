/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Usage: libannot_ends WAY
 *
 * Annotates, and ends in one of the ways that there are; what it becomes, if anything, is true(1)
 * or env(1).
 */
#include <annot/annot.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRUE "/bin/true"

static char *const argv_true[] = { "true", NULL };
static char *const argv_of_env[] = { "env", "-u", "NOTHING", "true", NULL };

static void end_by_exec(const char *way)
{
	if (!strcmp(way, "execve"))
		execve(TRUE, argv_true, environ);
	if (!strcmp(way, "execv"))
		execv(TRUE, argv_true);
	if (!strcmp(way, "execvp"))
		execvp("env", argv_of_env);
	if (!strcmp(way, "execvpe"))
		execvpe("env", argv_of_env, environ);
	if (!strcmp(way, "execl"))
		execl("/usr/bin/env", "env", "-u", "NOTHING", "true", (char *)NULL);
	if (!strcmp(way, "execlp"))
		execlp("env", "env", "-u", "NOTHING", "true", (char *)NULL);
	if (!strcmp(way, "execle"))
		execle(TRUE, "true", (char *)NULL, environ);
	if (!strcmp(way, "fexecve"))
		fexecve(open(TRUE, O_RDONLY), argv_true, environ);
	if (!strcmp(way, "execveat"))
		execveat(AT_FDCWD, TRUE, argv_true, environ, 0);
}

static void wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || status)
		abort();
}

/* Children that are in this one's memory, and become something else. */
static void spawn(void)
{
	pid_t child;

	if (posix_spawn(&child, TRUE, NULL, NULL, argv_true, environ))
		abort();
	wait_for(child);
	child = vfork();
	if (!child) {
		execve(TRUE, argv_true, environ);
		_exit(1);
	}
	wait_for(child);
	child = vfork();
	if (!child)
		_exit(0);
	wait_for(child);
}

static void fork_one(void)
{
	pid_t child = fork();

	if (!child) {
		annot_mark("child");
		_exit(0);
	}
	wait_for(child);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	annot_begin_value("work", 1);
	annot_mark("mark");
	if (!strcmp(way, "spawn"))
		spawn();
	if (!strcmp(way, "execve that fails"))
		execve("/nonexistent", argv_true, environ);
	if (!strcmp(way, "fork"))
		fork_one();
	annot_end();
	if (!strcmp(way, "flush and system call")) {
		annot_flush();
		syscall(SYS_exit_group, 0);
	}
	end_by_exec(way);
	if (!strcmp(way, "_exit"))
		_exit(0);
	if (!strcmp(way, "_Exit"))
		_Exit(0);
	return 0;
}

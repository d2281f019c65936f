// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/program.h"

static int check_executable(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno == EACCES ? EACCES : ENOENT;
	if (!S_ISREG(status.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
		return EACCES;
	return 0;
}

int program_find(const char *name)
{
	const char *directories = getenv("PATH");
	int error = ENOENT;
	char path[PATH_MAX];

	if (strchr(name, '/'))
		return check_executable(name);
	if (!*name)
		return ENOENT;
	if (!directories)
		directories = "/bin:/usr/bin";
	for (;;) {
		size_t length = strcspn(directories, ":");

		/* An empty entry is the working directory. */
		snprintf(path, sizeof(path), "%.*s%s%s", (int)length, directories,
			 length ? "/" : "", name);
		switch (check_executable(path)) {
		case 0:
			return 0;
		case EACCES:
			error = EACCES;
			break;
		}
		if (!directories[length])
			return error;
		directories += length + 1;
	}
}

int program_exec_status(int error)
{
	return error == ENOENT || error == ENOTDIR ? PROGRAM_NOT_FOUND : PROGRAM_CANNOT_RUN;
}

static void become_program(char **argv, const sigset_t *mask, int error_fd)
{
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	if (write(error_fd, &error, sizeof(error)) < 0)
		_exit(PROGRAM_CANNOT_RUN);
	_exit(program_exec_status(error));
}

int program_start(struct program *program, char **argv, const sigset_t *mask,
		  void (*before_exec)(void *context), void *context)
{
	int error = 0;
	int fds[2];

	/* A successful exec closes it; a failed one says why. */
	if (pipe2(fds, O_CLOEXEC))
		return errno;
	program->pid = fork();
	if (!program->pid) {
		if (before_exec)
			before_exec(context);
		become_program(argv, mask, fds[1]);
	}
	if (program->pid < 0) {
		error = errno;
		program->pid = 0;
	}
	close(fds[1]);
	if (program->pid && read(fds[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(program->pid, &program->status, 0);
		program->pid = 0;
	}
	close(fds[0]);
	return error;
}

bool program_ended(struct program *program)
{
	if (program->pid && waitpid(program->pid, &program->status, WNOHANG) == program->pid)
		program->pid = 0;
	return !program->pid;
}

int program_exit_status(const struct program *program)
{
	if (WIFSIGNALED(program->status))
		return 128 + WTERMSIG(program->status);
	return WEXITSTATUS(program->status);
}

// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/program.h"

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

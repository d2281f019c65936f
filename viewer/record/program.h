/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The user's command, a child process. It has the terminal, stdin, working directory, process group
 * and signal dispositions that annot was started with.
 */
#ifndef ANNOT_RECORD_PROGRAM_H
#define ANNOT_RECORD_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The exit status of shells for a command that does not exist, or cannot be executed. */
#define PROGRAM_CANNOT_RUN 126
#define PROGRAM_NOT_FOUND 127

struct program {
	pid_t pid; /* 0: ended and waited for */
	int status; /* as waitpid() gives it, once ended */
};

/* The exit status of shells for @error of exec: 126 or 127. */
int program_exec_status(int error);

/*
 * Starts @argv with the signal mask @mask. If @before_exec is not NULL, the child calls it with
 * @context before exec. Returns 0, or an errno.
 */
int program_start(struct program *program, char **argv, const sigset_t *mask,
		  void (*before_exec)(void *context), void *context);

/* Whether it has ended. Does not wait. */
bool program_ended(struct program *program);

/* The exit status of annot for it: its exit status, or 128 + the signal that killed it. */
int program_exit_status(const struct program *program);

#endif /* ANNOT_RECORD_PROGRAM_H */

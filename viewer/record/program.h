/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The user's command, as a plain child of ours: terminal, stdin, working directory, process group
 * and signal dispositions are those that annot was started with.
 */
#ifndef ANNOT_RECORD_PROGRAM_H
#define ANNOT_RECORD_PROGRAM_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* What shells say of a command that is not there, or cannot be run. */
#define PROGRAM_CANNOT_RUN 126
#define PROGRAM_NOT_FOUND 127

struct program {
	pid_t pid; /* 0: ended and waited for */
	int status; /* as waitpid() gives it, once ended */
};

/* Is @name a program that execvp() would run? Returns 0, ENOENT or EACCES. */
int program_find(const char *name);

/* The status a shell gives for @error of exec: 126 or 127. */
int program_exec_status(int error);

/*
 * Starts @argv with the signal mask @mask; @before_exec, unless NULL, is called with @context
 * in the process that becomes it.
 * Returns 0, or the errno of what failed.
 */
int program_start(struct program *program, char **argv, const sigset_t *mask,
		  void (*before_exec)(void *context), void *context);

/* Has it ended? Does not wait. */
bool program_ended(struct program *program);

/* What annot returns for it: its exit status, or 128 + the signal that killed it. */
int program_exit_status(const struct program *program);

#endif /* ANNOT_RECORD_PROGRAM_H */

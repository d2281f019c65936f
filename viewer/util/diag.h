/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages on stderr: one line for each problem, which names the file, offset or option. Bytes of names that could upset a
 * terminal, or break the line, become '?'.
 */
#ifndef ANNOT_UTIL_DIAG_H
#define ANNOT_UTIL_DIAG_H

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses of every subcommand, as git and grep have them. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_BAD_INPUT = 1, /* not a trace, cut short, cannot be written, ... */
	EXIT_USAGE = 2, /* unknown option, missing argument */
	EXIT_RULE = 3, /* a rule that was given is not kept */
};

/* Prints "annot: <message>". Returns -1, so that a caller can `return diag_error(...)`. */
int diag_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Has diag_error() print to @to, without "annot: ", when this thread calls it; NULL: to stderr again. For who answers with what is
 * wrong.
 */
void diag_divert_errors(FILE *to);

/* Prints "annot: <message>", of something that is not wrong. */
void diag_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "annot: warning: <message>". */
void diag_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether diag_warn() prints nothing when this thread calls it. For what nobody asked for, and which tells itself what it lacks. */
void diag_mute_warnings(bool muted);

#endif /* ANNOT_UTIL_DIAG_H */

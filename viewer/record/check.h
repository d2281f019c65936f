/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks before a recording, besides the right to trace (tracing_find()). Each returns 0, or the
 * exit status of annot after one line on stderr.
 */
#ifndef ANNOT_RECORD_CHECK_H
#define ANNOT_RECORD_CHECK_H

/* @name: the command. @subcommand: the subcommand of annot, for messages. */
int check_command(const char *subcommand, const char *name);
int check_output(const char *path);

#endif /* ANNOT_RECORD_CHECK_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What to say about a word on the command line that is not known. Used with getopt_long() and an
 * option string that begins with ":" (or "+:"), so that getopt prints nothing by itself.
 */
#ifndef ANNOT_OPTIONS_H
#define ANNOT_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

/*
 * Tells, in one line, why getopt_long() returned @returned ('?' or ':'), and what was likely meant.
 * @command is the subcommand's name, or NULL for annot itself. Returns EXIT_USAGE.
 */
int options_error(const char *command, int returned, char **argv, const struct option *options);

/*
 * The trace that is all that stands behind the options of the subcommand @command, in @path. Returns
 * 0, or -1 after telling that there is none, or another word.
 */
int options_trace(const char *command, int argc, char **argv, const char **path);

/* The word of @words (NULL: end) that @typed is a likely misspelling of, or NULL. Not allocated. */
const char *options_nearest(const char *typed, const char *const *words);

#endif /* ANNOT_OPTIONS_H */

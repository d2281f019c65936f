/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the shell completes. viewer/completion/annot runs "annot --complete CURSOR WORD...": the words of
 * a command line behind "annot", and which of them the cursor is in, counted from 1. The answer's first
 * line says what can stand there:
 *
 *	words		one of the lines that follow
 *	file, trace	any file; or files that end in .dat
 *	program		a program
 *	arguments N	the arguments of the program that is word N
 *	anything	nothing is known
 */
#ifndef ANNOT_CLI_COMPLETE_H
#define ANNOT_CLI_COMPLETE_H

#include "cli/command.h"

/*
 * Answers @argv, which begins with the number of the word at the cursor, on @out. @commands ends with
 * NULL; @annot has the options before a command. Returns an exit status.
 */
int cli_complete(FILE *out, const struct cli_command *annot,
		 const struct cli_command *const *commands, int argc, char **argv);

#endif /* ANNOT_CLI_COMPLETE_H */

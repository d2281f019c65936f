/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines, parsed by a command's table of options. Each mistake gets one line on stderr.
 */
#ifndef ANNOT_CLI_PARSE_H
#define ANNOT_CLI_PARSE_H

#include "cli/command.h"

#define CLI_MOST_OPTIONS 64

/*
 * Sets the fields of @options that the options in @argv name; behind them, optind is the first operand.
 * Returns the exit status to leave with (the help was printed, or a word is wrong), or -1 to go on.
 */
int cli_parse(const struct cli_command *command, int argc, char **argv, void *options);

/*
 * The trace that is the only operand, into @path. Returns 0, or -1 after one line on stderr: there is
 * none, or another operand.
 */
int cli_parse_trace(const struct cli_command *command, int argc, char **argv, const char **path);

/* The option of that name or letter; NULL: the command has none. */
const struct cli_option *cli_option_by_name(const struct cli_command *command, const char *name);
const struct cli_option *cli_option_by_letter(const struct cli_command *command, char letter);

#endif /* ANNOT_CLI_PARSE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parsers of option values that several commands have: for cli_option.set.
 */
#ifndef ANNOT_CLI_VALUE_H
#define ANNOT_CLI_VALUE_H

#include "cli/command.h"

/* Prints "COMMAND: --OPTION 'TEXT': @why". Returns EXIT_USAGE. */
int cli_value_error(const struct cli_value *value, const char *why);

/* The same of a word that is none of @words: @why, or the word that was likely meant. */
int cli_value_unknown(const struct cli_value *value, const char *const *words, const char *why);

/*
 * A whole number from 1 to @most, in digits alone, into @number. Returns EXIT_OK, or EXIT_USAGE after
 * saying @why.
 */
int cli_value_number(const struct cli_value *value, unsigned long most, const char *why,
		     unsigned long *number);

#endif /* ANNOT_CLI_VALUE_H */

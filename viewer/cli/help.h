/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of --help, made from a command's description: at most 80 columns wide.
 */
#ifndef ANNOT_CLI_HELP_H
#define ANNOT_CLI_HELP_H

#include "cli/command.h"

#define CLI_HELP_COLUMNS 80

/* --help itself, which each command has. */
extern const struct cli_option cli_help_option;

void cli_help_print(FILE *out, const struct cli_command *command);

/* One paragraph, broken between words, with a newline at its end. */
void cli_help_print_paragraph(FILE *out, const char *text);

/* A line "  @name  @text" of a list; @text begins behind @width columns of names. */
void cli_help_print_item(FILE *out, int width, const char *name, const char *text);

#endif /* ANNOT_CLI_HELP_H */

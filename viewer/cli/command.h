/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a subcommand describes itself. Its table of options gives what getopt_long() needs (parse.h), the
 * text of --help (help.h) and what the shell completes (complete.h). tests/unit/cmd/test_cli.sh
 * compares the man page with it.
 */
#ifndef ANNOT_CLI_COMMAND_H
#define ANNOT_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What the shell offers for a value or an operand. */
enum cli_kind {
	CLI_ANYTHING, /* it offers nothing */
	CLI_FILE,
	CLI_TRACE, /* files that end in .dat */
	CLI_PROGRAM, /* a program; its own arguments follow */
	CLI_WORD, /* one of the words that the offer function prints */
	CLI_LIST, /* several of those, with commas between them */
};

/* Prints the words that can stand here, a line each. */
typedef void cli_offer(FILE *out);

struct cli_command;
struct cli_option;

/* The value of an option on the command line, for who parses it. */
struct cli_value {
	const struct cli_command *command;
	const struct cli_option *option;
	const char *text; /* NULL: it has none */
};

/*
 * One option. Its value goes into a field of the command's struct of options: to set() if there is one,
 * which returns EXIT_OK, or EXIT_USAGE after one line on stderr; else the field is a const char * that
 * gets the text or, if the option takes no argument, a bool that becomes true.
 *
 * An entry without a name is a heading in --help.
 */
struct cli_option {
	const char *name; /* "output", for --output */
	char letter; /* 'o', for -o; 0: there is none */
	const char *argument; /* "FILE"; NULL: it takes none */
	bool may_lack_argument; /* --name or --name=ARGUMENT; it has set(), and no letter */
	const char *help;
	size_t offset; /* of the field */
	int (*set)(void *field, const struct cli_value *value);
	enum cli_kind kind;
	cli_offer *offer; /* for CLI_WORD and CLI_LIST */
};

#define CLI_HEADING(text)      \
	{                      \
		.help = (text) \
	}
#define CLI_END   \
	{         \
		0 \
	}

struct cli_command {
	const char *name; /* NULL: annot itself */
	const char *summary; /* in the list of all commands */
	const char *const *usage; /* what follows the name, a line for each form, NULL at the end */
	const char *about; /* a paragraph */
	const struct cli_option *options; /* CLI_END at the end; --help comes by itself */
	const char *notes; /* a last paragraph, or NULL */
	void (*print_lists)(FILE *out); /* prints paragraphs behind the options; or NULL */
	bool has_program; /* options end at the first operand, which is a program */
	enum cli_kind operand;
	cli_offer *offer; /* of operands that are CLI_WORD or CLI_LIST */
	/* argv[0] is the subcommand's name. Returns the exit status of annot. */
	int (*run)(int argc, char **argv);
};

#endif /* ANNOT_CLI_COMMAND_H */

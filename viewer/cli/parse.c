// SPDX-License-Identifier: GPL-2.0
#include "cli/parse.h"

#include <getopt.h>
#include <string.h>

#include "cli/help.h"
#include "util/diag.h"
#include "util/text/nearest.h"

/* What getopt_long() returns for options without a letter: this, and their place in the table. */
#define FIRST_WITHOUT_LETTER 256

/* A name that is longer is no misspelling of an option. */
#define MOST_NAME_BYTES 32

/* A command's options as getopt_long() wants them. */
struct getopt_tables {
	struct option options[CLI_MOST_OPTIONS + 1];
	char letters[2 * CLI_MOST_OPTIONS + 3];
};

const struct cli_option *cli_option_by_name(const struct cli_command *command, const char *name)
{
	for (const struct cli_option *option = command->options; option->help; option++) {
		if (option->name && !strcmp(option->name, name))
			return option;
	}
	return strcmp(name, cli_help_option.name) ? NULL : &cli_help_option;
}

const struct cli_option *cli_option_by_letter(const struct cli_command *command, char letter)
{
	for (const struct cli_option *option = command->options; option->help; option++) {
		if (letter && option->letter == letter)
			return option;
	}
	return letter == cli_help_option.letter ? &cli_help_option : NULL;
}

static int argument_of(const struct cli_option *option)
{
	if (!option->argument)
		return no_argument;
	return option->may_lack_argument ? optional_argument : required_argument;
}

static void add_option(struct getopt_tables *tables, size_t place, const struct cli_option *option)
{
	char letter[] = { option->letter, option->argument ? ':' : '\0', '\0' };
	size_t nr = 0;

	while (tables->options[nr].name)
		nr++;
	tables->options[nr] = (struct option){
		.name = option->name,
		.has_arg = argument_of(option),
		.val = option->letter ? option->letter : FIRST_WITHOUT_LETTER + (int)place,
	};
	if (option->letter)
		strcat(tables->letters, letter);
}

static void fill_tables(struct getopt_tables *tables, const struct cli_command *command)
{
	/* ":" keeps getopt_long() from printing; "+" lets a program have options of its own. */
	*tables = (struct getopt_tables){ .letters = ":" };
	if (command->has_program)
		strcpy(tables->letters, "+:");
	for (size_t i = 0; command->options[i].help && i + 1 < CLI_MOST_OPTIONS; i++) {
		if (command->options[i].name)
			add_option(tables, i, &command->options[i]);
	}
	add_option(tables, 0, &cli_help_option);
}

static const struct cli_option *option_returned(const struct cli_command *command, int returned)
{
	if (returned >= FIRST_WITHOUT_LETTER)
		return &command->options[returned - FIRST_WITHOUT_LETTER];
	return cli_option_by_letter(command, (char)returned);
}

static const char *nearest_name(const struct cli_command *command, const char *typed)
{
	const char *names[CLI_MOST_OPTIONS + 1];
	size_t nr = 0;

	for (const struct cli_option *option = command->options; option->help; option++) {
		if (option->name && nr + 1 < CLI_MOST_OPTIONS)
			names[nr++] = option->name;
	}
	names[nr++] = cli_help_option.name;
	names[nr] = NULL;
	return nearest_word(typed, names);
}

/* Prints one line: what is wrong with the first @length bytes of @word, and the hint to --help. */
static int print_complaint(const struct cli_command *command, const char *what, const char *word,
			   size_t length, const char *nearest)
{
	const char *name = command->name ? command->name : "";
	const char *blank = command->name ? " " : "";

	diag_error("%s%s%s '%.*s'%s%s%s (annot%s%s --help lists all)", name,
		   command->name ? ": " : "", what, (int)length, word,
		   nearest ? "; did you mean '--" : "", nearest ? nearest : "", nearest ? "'?" : "",
		   blank, name);
	return EXIT_USAGE;
}

/* Says why getopt_long() returned @returned, '?' or ':', and what was likely meant. */
static int complain_of_option(const struct cli_command *command, int returned, char **argv)
{
	const char *word = argv[optind - 1];
	size_t length = strcspn(word, "=");
	char letter[] = { '-', (char)optopt, '\0' };
	char name[MOST_NAME_BYTES + 1];

	if (returned == ':')
		return print_complaint(command, "a value must follow", word, length, NULL);
	/* An unknown letter may be inside a bundle; then optind is still before that word. */
	if (optopt && !option_returned(command, optopt))
		return print_complaint(command, "unknown option", letter, sizeof(letter) - 1, NULL);
	if (optopt)
		return print_complaint(command, "no value may follow", word, length, NULL);
	snprintf(name, sizeof(name), "%.*s", (int)length - 2, word + 2);
	return print_complaint(command, "unknown option", word, length,
			       nearest_name(command, name));
}

static int set_option(const struct cli_command *command, const struct cli_option *option,
		      void *options)
{
	const struct cli_value value = { command, option, option->argument ? optarg : NULL };
	void *field = (char *)options + option->offset;

	if (option->set)
		return option->set(field, &value);
	if (option->argument)
		*(const char **)field = optarg;
	else
		*(bool *)field = true;
	return EXIT_OK;
}

int cli_parse(const struct cli_command *command, int argc, char **argv, void *options)
{
	struct getopt_tables tables;
	int status = EXIT_OK;

	fill_tables(&tables, command);
	while (status == EXIT_OK) {
		int returned = getopt_long(argc, argv, tables.letters, tables.options, NULL);

		if (returned == -1)
			return -1;
		if (returned == '?' || returned == ':')
			return complain_of_option(command, returned, argv);
		if (returned == cli_help_option.letter) {
			cli_help_print(stdout, command);
			return EXIT_OK;
		}
		status = set_option(command, option_returned(command, returned), options);
	}
	return status;
}

int cli_parse_trace(const struct cli_command *command, int argc, char **argv, const char **path)
{
	if (optind == argc)
		return diag_error("%s: the trace is missing (annot %s --help lists all)",
				  command->name, command->name);
	if (argc - optind > 1)
		return diag_error("%s: one trace at a time, not also '%s'", command->name,
				  argv[optind + 1]);
	*path = argv[optind];
	return 0;
}

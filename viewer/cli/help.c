// SPDX-License-Identifier: GPL-2.0
#include "cli/help.h"

#include <string.h>

#include "util/text/text.h"

/* An option that is longer has its text in the line below. */
#define MOST_OPTION_COLUMNS 26
#define OPTION_BYTES 128

const struct cli_option cli_help_option = {
	.name = "help",
	.letter = 'h',
	.help = "print this text",
};

void cli_help_print_paragraph(FILE *out, const char *text)
{
	text_wrap(out, CLI_HELP_COLUMNS, 0, text);
}

void cli_help_print_item(FILE *out, int width, const char *name, const char *text)
{
	if ((int)strlen(name) > width)
		fprintf(out, "  %s\n%*s", name, width + 4, "");
	else
		fprintf(out, "  %-*s  ", width, name);
	text_wrap(out, CLI_HELP_COLUMNS, width + 4, text);
}

/* "-o, --output FILE", "    --attach[=LIST]" */
static int format_option(const struct cli_option *option, char *text)
{
	char letter[] = { '-', option->letter, ',', '\0' };
	const char *before = option->argument ? " " : "";

	return snprintf(text, OPTION_BYTES, "%3s --%s%s%s%s", option->letter ? letter : "",
			option->name, option->may_lack_argument ? "[=" : before,
			option->argument ? option->argument : "",
			option->may_lack_argument ? "]" : "");
}

static int option_columns(const struct cli_option *options)
{
	char text[OPTION_BYTES];
	int most = format_option(&cli_help_option, text);

	for (; options->help; options++) {
		int columns = options->name ? format_option(options, text) : 0;

		if (columns > most && columns <= MOST_OPTION_COLUMNS)
			most = columns;
	}
	return most;
}

static void print_option(FILE *out, int width, const struct cli_option *option)
{
	char text[OPTION_BYTES];

	format_option(option, text);
	cli_help_print_item(out, width, text, option->help);
}

static void print_heading(FILE *out, const char *text)
{
	putc('\n', out);
	cli_help_print_paragraph(out, text);
	putc('\n', out);
}

static void print_options(FILE *out, const struct cli_option *options)
{
	int width = option_columns(options);

	for (; options->help; options++) {
		if (options->name)
			print_option(out, width, options);
		else
			print_heading(out, options->help);
	}
	print_option(out, width, &cli_help_option);
}

static void print_usage(FILE *out, const struct cli_command *command)
{
	for (const char *const *form = command->usage; *form; form++)
		fprintf(out, "%s annot%s%s %s\n", form == command->usage ? "usage:" : "      ",
			command->name ? " " : "", command->name ? command->name : "", *form);
}

void cli_help_print(FILE *out, const struct cli_command *command)
{
	print_usage(out, command);
	putc('\n', out);
	cli_help_print_paragraph(out, command->about);
	putc('\n', out);
	print_options(out, command->options);
	putc('\n', out);
	if (command->print_lists)
		command->print_lists(out);
	if (command->notes) {
		cli_help_print_paragraph(out, command->notes);
		putc('\n', out);
	}
	if (command->name)
		fprintf(out, "More: man annot-%s.\n", command->name);
}

// SPDX-License-Identifier: GPL-2.0
#include "cli/complete.h"

#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/parse.h"
#include "util/diag.h"

/* A command line up to the cursor. */
struct line {
	FILE *out;
	const struct cli_command *command; /* before one is named: annot itself */
	const struct cli_command *const *commands;
	char **words;
	int cursor;
	int nr_operands; /* before the cursor, after the command */
	int first_operand;
	const struct cli_option
		*waiting; /* the option that the word at the cursor is the value of */
	const struct cli_option *named; /* the option that the word before is */
};

static const struct cli_command *find_command(const struct line *line, const char *name)
{
	for (int i = 0; line->commands[i]; i++) {
		if (!strcmp(line->commands[i]->name, name))
			return line->commands[i];
	}
	return NULL;
}

/* The option that @word is and that takes a value, which is not in @word; else NULL. */
static const struct cli_option *option_named(const struct cli_command *command, const char *word)
{
	const struct cli_option *option;

	if (!strncmp(word, "--", 2))
		option = cli_option_by_name(command, word + 2);
	else
		option = cli_option_by_letter(command, word[1]);
	if (!option || !option->argument || (word[1] != '-' && word[2]))
		return NULL;
	return option;
}

/* The shell makes a word of the "=" behind a long option. */
static bool is_equals_sign(const struct line *line, const char *word)
{
	return line->named && !strcmp(word, "=");
}

static bool is_help(const struct line *line)
{
	return line->nr_operands > 0 && !line->command->name &&
	       !strcmp(line->words[line->first_operand], "help");
}

static void read_word(struct line *line, int i)
{
	const char *word = line->words[i];
	const struct cli_command *command = NULL;

	if (is_equals_sign(line, word)) {
		line->waiting = line->named;
	} else if (line->waiting) {
		line->waiting = NULL;
	} else if (*word == '-') {
		line->named = option_named(line->command, word);
		line->waiting = line->named && !line->named->may_lack_argument ? line->named : NULL;
		return;
	} else {
		if (!line->command->name && !line->nr_operands)
			command = find_command(line, word);
		if (command)
			line->command = command;
		else if (!line->nr_operands++)
			line->first_operand = i;
	}
	line->named = NULL;
}

/* Prints those of the lines that @offer prints which begin with @begin, each with @before it. */
static void print_matching(FILE *out, cli_offer *offer, const char *before, const char *begin)
{
	char *text = NULL, *rest, *word;
	size_t size;
	FILE *words = open_memstream(&text, &size);

	if (!words)
		return;
	offer(words);
	fclose(words);
	for (rest = text; (word = strtok_r(rest, "\n", &rest));) {
		if (!strncmp(word, begin, strlen(begin)))
			fprintf(out, "%s%s\n", before, word);
	}
	free(text);
}

static void answer_list(const struct line *line, cli_offer *offer)
{
	char *typed = line->words[line->cursor];
	char *comma = strrchr(typed, ',');
	char before[4096] = "";

	if (comma)
		snprintf(before, sizeof(before), "%.*s", (int)(comma + 1 - typed), typed);
	print_matching(line->out, offer, before, comma ? comma + 1 : typed);
}

static void answer_kind(const struct line *line, enum cli_kind kind, cli_offer *offer)
{
	static const char *const answers[] = {
		[CLI_ANYTHING] = "anything", [CLI_FILE] = "file",  [CLI_TRACE] = "trace",
		[CLI_PROGRAM] = "program",   [CLI_WORD] = "words", [CLI_LIST] = "words",
	};

	fprintf(line->out, "%s\n", answers[kind]);
	if (kind == CLI_WORD)
		print_matching(line->out, offer, "", line->words[line->cursor]);
	else if (kind == CLI_LIST)
		answer_list(line, offer);
}

static void answer_name(const struct line *line, const char *before, const char *name)
{
	const char *typed = line->words[line->cursor];
	size_t length = strlen(before);

	if (!strncmp(typed, before, strlen(typed) < length ? strlen(typed) : length) &&
	    (strlen(typed) <= length || !strncmp(typed + length, name, strlen(typed + length))))
		fprintf(line->out, "%s%s\n", before, name);
}

static void answer_options(const struct line *line)
{
	fputs("words\n", line->out);
	for (const struct cli_option *option = line->command->options; option->help; option++) {
		if (option->name)
			answer_name(line, "--", option->name);
	}
	answer_name(line, "--", cli_help_option.name);
}

static void answer_commands(const struct line *line)
{
	fputs("words\n", line->out);
	for (int i = 0; line->commands[i]; i++)
		answer_name(line, "", line->commands[i]->name);
	answer_name(line, "", "help");
}

static void print_answer(const struct line *line)
{
	const struct cli_command *command = line->command;
	bool is_option = *line->words[line->cursor] == '-';

	if (command->has_program && command->name && line->nr_operands)
		fprintf(line->out, "arguments %d\n", line->first_operand + 1);
	else if (line->waiting)
		answer_kind(line, line->waiting->kind, line->waiting->offer);
	else if (is_option)
		answer_options(line);
	else if (!command->name && (!line->nr_operands || is_help(line)))
		answer_commands(line);
	else
		answer_kind(line, command->operand, command->offer);
}

int cli_complete(FILE *out, const struct cli_command *annot,
		 const struct cli_command *const *commands, int argc, char **argv)
{
	struct line line = { .out = out, .command = annot, .commands = commands };

	line.words = argv + 1;
	line.cursor = argc ? atoi(argv[0]) - 1 : -1;
	if (line.cursor < 0 || line.cursor >= argc - 1)
		return EXIT_USAGE;
	for (int i = 0; i < line.cursor; i++)
		read_word(&line, i);
	/* With the cursor behind "=", the value is still empty. */
	if (is_equals_sign(&line, line.words[line.cursor])) {
		line.waiting = line.named;
		line.words[line.cursor] = "";
	}
	print_answer(&line);
	return EXIT_OK;
}

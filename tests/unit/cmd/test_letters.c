// SPDX-License-Identifier: GPL-2.0
/* A letter of an option means the same in every subcommand, and what it means in perf or trace-cmd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmd/cmd.h"

/*
 * All letters that may be used. Before one is added: what does it mean in perf-record(1), perf-stat(1),
 * perf-report(1) and trace-cmd-record(1)?
 */
static const struct {
	char letter;
	const char *name;
	const char *source;
} letters[] = {
	{ 'a', "all-cpus", "perf" },
	{ 'b', "buffer-size-kb", "trace-cmd" },
	{ 'c', "period", "perf (--count)" },
	{ 'C', "cpu", "perf" },
	{ 'e', "event", "perf" },
	{ 'F', "freq", "perf" },
	{ 'I', "interval", "perf" },
	{ 'o', "output", "perf, trace-cmd" },
	{ 'p', "pid", "perf" },
	{ 'q', "quiet", "perf, trace-cmd" },
};

static const char *meaning(char letter)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (letters[i].letter == letter)
			return letters[i].name;
	}
	return "none";
}

static char letter_of(const char *name)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (!strcmp(letters[i].name, name))
			return letters[i].letter;
	}
	return 0;
}

/* Calls @check for each option of each subcommand; returns how many there are. */
static size_t each_option(void (*check)(const struct cli_command *, const struct cli_option *))
{
	size_t nr = 0;

	for (int i = 0; cmd_all[i]; i++) {
		for (const struct cli_option *option = cmd_all[i]->options; option->help;
		     option++) {
			if (!option->name)
				continue;
			check(cmd_all[i], option);
			nr++;
		}
	}
	return nr;
}

static void check_meaning(const struct cli_command *command, const struct cli_option *option)
{
	if (option->letter && strcmp(meaning(option->letter), option->name))
		fail_msg("annot %s: -%c is --%s; elsewhere it is --%s", command->name,
			 option->letter, option->name, meaning(option->letter));
}

static void letters_have_one_meaning(void **state)
{
	(void)state;
	assert_true(each_option(check_meaning) > 40);
}

static void check_letter(const struct cli_command *command, const struct cli_option *option)
{
	if (letter_of(option->name) != option->letter)
		fail_msg("annot %s: --%s has not the letter that it has elsewhere", command->name,
			 option->name);
}

static void options_have_one_letter(void **state)
{
	(void)state;
	each_option(check_letter);
}

/* The option of the first command that has it. */
static const struct cli_option *first_option(const char *name)
{
	for (int i = 0; cmd_all[i]; i++) {
		for (const struct cli_option *option = cmd_all[i]->options; option->help;
		     option++) {
			if (option->name && !strcmp(option->name, name))
				return option;
		}
	}
	return NULL;
}

static void check_argument(const struct cli_command *command, const struct cli_option *option)
{
	if (!option->argument != !first_option(option->name)->argument)
		fail_msg("annot %s: --%s takes an argument in one command, and none in another",
			 command->name, option->name);
}

static void options_of_one_name_are_alike(void **state)
{
	(void)state;
	each_option(check_argument);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(letters_have_one_meaning),
		cmocka_unit_test(options_have_one_letter),
		cmocka_unit_test(options_of_one_name_are_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

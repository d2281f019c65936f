// SPDX-License-Identifier: GPL-2.0
/*
 * The command annot: finds the subcommand and runs it.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/complete.h"
#include "cli/help.h"
#include "cli/parse.h"
#include "cmd/cmd.h"
#include "util/diag.h"
#include "util/spill/spill.h"
#include "util/text/nearest.h"

#define NAME_COLUMNS 8
#define MOST_COMMANDS 64

struct annot_options {
	bool version;
};

static void print_lists(FILE *out)
{
	fputs("Commands, in the order of their use:\n", out);
	for (int i = 0; cmd_all[i]; i++)
		cli_help_print_item(out, NAME_COLUMNS, cmd_all[i]->name, cmd_all[i]->summary);
	fputs("\n"
	      "A first look:\n"
	      "  annot record -o trace.dat -- ./program\n"
	      "  annot report trace.dat\n"
	      "  annot html trace.dat -o page.html\n"
	      "\n",
	      out);
}

static const char *const usage[] = { "COMMAND [options]", "help [COMMAND]", "--version", NULL };

static const struct cli_option options[] = {
	{
		.name = "version",
		.letter = 'V',
		.offset = offsetof(struct annot_options, version),
		.help = "print the version",
	},
	CLI_END,
};

static const struct cli_command annot = {
	.usage = usage,
	.about =
		"Shows what a parallel program really did: its own annotations and the scheduler's "
		"decisions, on one clock.",
	.options = options,
	.print_lists = print_lists,
	.notes = "More: annot help COMMAND, man annot, man annot-COMMAND.",
	.has_program = true,
};

static const struct cli_command *find_command(const char *name)
{
	for (int i = 0; cmd_all[i]; i++) {
		if (!strcmp(cmd_all[i]->name, name))
			return cmd_all[i];
	}
	return NULL;
}

static int complain_of_command(const char *name)
{
	const char *names[MOST_COMMANDS + 2];
	const char *nearest;
	size_t nr = 0;

	for (; cmd_all[nr] && nr < MOST_COMMANDS; nr++)
		names[nr] = cmd_all[nr]->name;
	names[nr++] = "help";
	names[nr] = NULL;
	nearest = nearest_word(name, names);
	diag_error("unknown command '%s'%s%s%s (annot --help lists all)", name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return EXIT_USAGE;
}

static int print_help(int argc, char **argv)
{
	const struct cli_command *command = &annot;

	if (argc > 2) {
		diag_error("help: one command at a time, not also '%s'", argv[2]);
		return EXIT_USAGE;
	}
	if (argc == 2 && strcmp(argv[1], "help"))
		command = find_command(argv[1]);
	if (!command)
		return complain_of_command(argv[1]);
	cli_help_print(stdout, command);
	return EXIT_OK;
}

static int run_command(int argc, char **argv)
{
	const struct cli_command *command = find_command(argv[0]);

	if (!strcmp(argv[0], "help"))
		return print_help(argc, argv);
	if (!command)
		return complain_of_command(argv[0]);
	/* 0, not 1: glibc then forgets its state of the first command line. */
	optind = 0;
	return command->run(argc, argv);
}

static int run(int argc, char **argv)
{
	struct annot_options given = { 0 };
	int status;

	if (argc > 2 && !strcmp(argv[1], "--complete"))
		return cli_complete(stdout, &annot, cmd_all, argc - 2, argv + 2);
	status = cli_parse(&annot, argc, argv, &given);
	if (status >= 0)
		return status;
	if (given.version) {
		puts("annot " ANNOT_VERSION);
		return EXIT_OK;
	}
	if (optind == argc) {
		cli_help_print(stderr, &annot);
		return EXIT_USAGE;
	}
	return run_command(argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	int status;

	spill_use(getenv("TMPDIR"), NULL);
	status = run(argc, argv);

	/* A full disk or a closed pipe must not pass for success. */
	if (fflush(stdout) && status == EXIT_OK) {
		diag_error("standard output: cannot be written: %s", strerror(errno));
		return EXIT_BAD_INPUT;
	}
	return status;
}

// SPDX-License-Identifier: GPL-2.0
/*
 * The command annot: finds the subcommand and hands over to it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "util/diag.h"
#include "util/options.h"

struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

static const struct subcommand subcommands[] = {
	{ "doctor", cmd_doctor, "tell what is lacking for a recording, and what cures it" },
	{ "record", cmd_record, "run a command and record what it and the kernel did" },
	{ "html", cmd_html, "turn a trace.dat into one page for the browser" },
	{ "report", cmd_report, "tell what became of tasks and threads, in figures" },
	{ "diff", cmd_diff, "tell what became better or worse from one trace to another" },
	{ "explain", cmd_explain, "tell what a finding means, and what cures it" },
	{ "samples", cmd_samples, "print samples of cache misses and the like, one a line" },
	{ "convert", cmd_convert, "turn a trace.dat into a file for Perfetto, or a table" },
	{ "stat", cmd_stat, "count events on each CPU, interval by interval" },
	{ "list", cmd_list, "list the events that can be measured: cache misses, ..." },
};

#define NR_SUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

static void usage(FILE *out)
{
	fputs("usage: annot COMMAND [options]\n"
	      "       annot help [COMMAND]\n"
	      "       annot --version\n"
	      "\n"
	      "Shows what a parallel program really did: its own annotations and the\n"
	      "scheduler's decisions, on one clock.\n"
	      "\n"
	      "Commands, in the order of their use:\n",
	      out);
	for (size_t i = 0; i < NR_SUBCOMMANDS; i++)
		fprintf(out, "  %-8s %s\n", subcommands[i].name, subcommands[i].summary);
	fputs("\n"
	      "Options:\n"
	      "  -h, --help     this text\n"
	      "  -V, --version  the version\n"
	      "\n"
	      "A first look:\n"
	      "  annot record -o trace.dat -- ./program\n"
	      "  annot html trace.dat -o page.html\n"
	      "  annot report trace.dat\n"
	      "\n"
	      "More: annot help COMMAND, man annot, man annot-COMMAND.\n",
	      out);
}

static const struct subcommand *find_subcommand(const char *name)
{
	for (size_t i = 0; i < NR_SUBCOMMANDS; i++)
		if (!strcmp(subcommands[i].name, name))
			return &subcommands[i];
	return NULL;
}

static int unknown_subcommand(const char *name)
{
	const char *names[NR_SUBCOMMANDS + 2];
	const char *nearest;

	for (size_t i = 0; i < NR_SUBCOMMANDS; i++)
		names[i] = subcommands[i].name;
	names[NR_SUBCOMMANDS] = "help";
	names[NR_SUBCOMMANDS + 1] = NULL;
	nearest = options_nearest(name, names);
	if (nearest)
		diag_error("unknown command '%s'; did you mean '%s'? (annot --help lists all)",
			   name, nearest);
	else
		diag_error("unknown command '%s' (annot --help lists all)", name);
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct subcommand *subcommand;
	char option[] = "--help";
	char *help_argv[] = { argv[1], option, NULL };

	if (argc > 2) {
		diag_error("help: one command at a time, not also '%s'", argv[2]);
		return EXIT_USAGE;
	}
	if (argc < 2 || !strcmp(argv[1], "help")) {
		usage(stdout);
		return EXIT_OK;
	}
	subcommand = find_subcommand(argv[1]);
	if (!subcommand)
		return unknown_subcommand(argv[1]);
	optind = 0;
	return subcommand->run(2, help_argv);
}

static int run_subcommand(int argc, char **argv)
{
	const struct subcommand *subcommand;

	if (!strcmp(argv[0], "help"))
		return help(argc, argv);
	subcommand = find_subcommand(argv[0]);
	if (!subcommand)
		return unknown_subcommand(argv[0]);
	/* 0, not 1: glibc then forgets what it knew of the first command line. */
	optind = 0;
	return subcommand->run(argc, argv);
}

static int run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	int option;

	option = getopt_long(argc, argv, "+:hV", options, NULL);
	switch (option) {
	case -1:
		break;
	case 'h':
		usage(stdout);
		return EXIT_OK;
	case 'V':
		puts("annot " ANNOT_VERSION);
		return EXIT_OK;
	default:
		return options_error(NULL, option, argv, options);
	}
	if (optind == argc) {
		usage(stderr);
		return EXIT_USAGE;
	}
	return run_subcommand(argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	/* A full disk or a closed pipe must not pass for success. */
	if (fflush(stdout) && status == EXIT_OK) {
		diag_error("standard output: cannot be written: %s", strerror(errno));
		return EXIT_BAD_INPUT;
	}
	return status;
}

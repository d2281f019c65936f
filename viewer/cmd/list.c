// SPDX-License-Identifier: GPL-2.0
/*
 * annot list: the events that can be measured here, and what they count.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "pmu/listing.h"
#include "pmu/names.h"
#include "pmu/refusal.h"
#include "util/diag.h"
#include "util/options.h"
#include "util/text.h"

static void usage(void)
{
	puts("usage: annot list [--cpu NAME] [FILTER]\n"
	     "       annot list [--cpu NAME] EVENT\n"
	     "\n"
	     "Lists the events that 'annot record -t', 'annot record --count' and 'annot\n"
	     "stat' can measure here: annot's own names first, each with what it counts and\n"
	     "the event it stands for on this CPU; then those that libpfm4 knows. With\n"
	     "FILTER, those whose line has it in it. Of a single EVENT: its masks and\n"
	     "modifiers.\n"
	     "\n"
	     "      --cpu NAME  of another CPU, in libpfm4's words: skl, icx, spr, ...\n"
	     "  -h, --help      this text\n"
	     "\n"
	     "A 'p' marks events that are precise: each sample has the very instruction\n"
	     "that caused it, where the machine has the CPU's means for that to offer.\n"
	     "More: man annot-list.");
}

struct list_options {
	const char *cpu;
	const char *word;
};

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct list_options *list)
{
	static const struct option options[] = {
		{ "cpu", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			list->cpu = optarg;
			break;
		case 'h':
			usage();
			return EXIT_OK;
		default:
			return options_error("list", option, argv, options);
		}
	}
	if (argc - optind > 1) {
		diag_error("list: one filter or event at a time, not also '%s'", argv[optind + 1]);
		return EXIT_USAGE;
	}
	list->word = optind < argc ? argv[optind] : NULL;
	return -1;
}

static void announce(const struct listing *listing)
{
	const struct names_pmu *cpu = names_cpu();

	if (listing->software_only)
		diag_note("no hardware events: " REFUSAL_NO_PMU);
	else if (!cpu)
		diag_note("libpfm4 does not know this CPU: besides these, raw codes work (rNNNN)");
	else
		diag_note("%s (%s)%s", cpu->description, cpu->name,
			  names_are_forced() ? ": as asked for, whatever this machine is" : "");
}

static int print(const struct listing *listing)
{
	if (listing->filter && listing_print_event(listing, listing->filter))
		return EXIT_OK;
	if (listing_print(listing))
		return EXIT_OK;
	diag_error("list: no event has '%s' in its line", listing->filter);
	return EXIT_BAD_INPUT;
}

int cmd_list(int argc, char **argv)
{
	struct list_options options = { 0 };
	struct listing listing = { .out = stdout, .width = text_width(stdout) };
	struct refusal_facts facts;
	int status = parse(argc, argv, &options);

	if (status >= 0)
		return status;
	if (names_open(options.cpu))
		return EXIT_USAGE;
	refusal_read_facts(&facts);
	listing.software_only = !facts.has_pmu && !names_are_forced();
	listing.filter = options.word;
	announce(&listing);
	return print(&listing);
}

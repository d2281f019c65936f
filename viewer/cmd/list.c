// SPDX-License-Identifier: GPL-2.0
/*
 * annot list: the events that can be measured here, and what they count.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "cmd/words/event_names.h"
#include "pmu/listing.h"
#include "pmu/names.h"
#include "pmu/refusal.h"
#include "util/diag.h"
#include "util/text/text.h"

struct list_options {
	const char *pmu;
	const char *word;
};

static const char *const usage[] = { "[options] [FILTER]", "[options] EVENT", NULL };

static const struct cli_option options[] = {
	{
		.name = "pmu",
		.argument = "NAME",
		.offset = offsetof(struct list_options, pmu),
		.help = "list the events of another CPU, by libpfm4's name of its PMU: skl, icx, spr, ...",
	},
	CLI_END,
};

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct list_options *list)
{
	int status = cli_parse(&cmd_list, argc, argv, list);

	if (status >= 0)
		return status;
	if (argc - optind > 1) {
		diag_error("list: one filter or event at a time, not also '%s'", argv[optind + 1]);
		return EXIT_USAGE;
	}
	list->word = optind < argc ? argv[optind] : NULL;
	return -1;
}

static void announce_pmu(const struct pmu_listing *listing)
{
	const struct pmu_names_pmu *cpu = pmu_names_cpu();

	if (listing->software_only)
		diag_note("no hardware events: " REFUSAL_NO_PMU);
	else if (!cpu)
		diag_note("libpfm4 does not know this CPU: besides these, raw codes work (rNNNN)");
	else
		diag_note("%s (%s)%s", cpu->description, cpu->name,
			  pmu_names_are_forced() ? " (chosen by --pmu, not this machine's CPU)" :
						   "");
}

static int print_list(const struct pmu_listing *listing)
{
	if (listing->filter && pmu_listing_print_event(listing, listing->filter))
		return EXIT_OK;
	if (pmu_listing_print(listing))
		return EXIT_OK;
	diag_error("list: no line contains '%s'", listing->filter);
	return EXIT_BAD_INPUT;
}

static int run(int argc, char **argv)
{
	struct list_options given = { 0 };
	struct pmu_listing listing = { .out = stdout, .width = text_width(stdout) };
	struct pmu_refusal_facts facts;
	int status = parse_options(argc, argv, &given);

	if (status >= 0)
		return status;
	if (pmu_names_open(given.pmu))
		return EXIT_USAGE;
	pmu_refusal_read_facts(&facts);
	listing.software_only = !facts.has_pmu && !pmu_names_are_forced();
	listing.filter = given.word;
	announce_pmu(&listing);
	return print_list(&listing);
}

const struct cli_command cmd_list = {
	.name = "list",
	.summary = "list the events that can be measured: cache misses, ...",
	.usage = usage,
	.about =
		"Lists the events that annot record and annot stat can measure here: first annot's own names, "
		"each with what it counts and the CPU's event that it stands for; then the events that "
		"libpfm4 knows. With FILTER, lists only lines that contain it. With the name of an EVENT, "
		"prints its masks and modifiers.",
	.options = options,
	.notes =
		"'p' marks precise events: where the machine lets the CPU do so, each sample has the very "
		"instruction that caused it.",
	.operand = CLI_WORD,
	.offer = event_names_offer,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0
/* annot explain: the meaning of a finding, and known cures. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "report/catalogue.h"
#include "util/diag.h"
#include "util/text/nearest.h"

#define COLUMNS 78
#define NAME_COLUMNS 20

/* Breaks @text between words. @first comes before the first line; it is as wide as @indent. */
static void print_wrapped(const char *first, int indent, const char *text)
{
	int column = indent;

	fputs(first, stdout);
	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column > indent && column + 1 + length > COLUMNS) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void list_findings(void)
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++)
		printf("%-*s %s\n", NAME_COLUMNS, finding_kind_name((enum finding_kind)kind),
		       catalogue_entry((enum finding_kind)kind)->title);
	puts("\n'annot explain FINDING' explains one of them.");
}

static void explain_kind(enum finding_kind kind)
{
	const struct catalogue_entry *entry = catalogue_entry(kind);

	printf("%s: ", finding_kind_name(kind));
	print_wrapped("", 0, entry->title);
	putchar('\n');
	print_wrapped("  ", 2, entry->what);
	puts("\nHow annot finds it");
	print_wrapped("  ", 2, entry->definition);
	puts("\nHow to see it");
	print_wrapped("  ", 2, entry->how_to_see);
	puts("\nKnown cures");
	for (size_t i = 0; entry->cures[i]; i++)
		print_wrapped("  - ", 4, entry->cures[i]);
}

static int explain_name(const char *name)
{
	const char *names[NR_FINDING_KINDS + 1] = { NULL };
	const char *nearest;

	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		names[kind] = finding_kind_name((enum finding_kind)kind);
		if (!strcmp(names[kind], name)) {
			explain_kind((enum finding_kind)kind);
			return EXIT_OK;
		}
	}
	nearest = nearest_word(name, names);
	diag_error("explain: no such finding: '%s'%s%s%s (annot explain lists all)", name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return EXIT_USAGE;
}

static void offer_findings(FILE *out)
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++)
		fprintf(out, "%s\n", finding_kind_name((enum finding_kind)kind));
}

static const char *const usage[] = { "[FINDING]", NULL };

static const struct cli_option options[] = { CLI_END };

static int run(int argc, char **argv)
{
	int status = cli_parse(&cmd_explain, argc, argv, NULL);

	if (status >= 0)
		return status;
	if (argc - optind > 1) {
		diag_error("explain: one finding at a time, not also '%s'", argv[optind + 1]);
		return EXIT_USAGE;
	}
	if (optind < argc)
		return explain_name(argv[optind]);
	list_findings();
	return EXIT_OK;
}

const struct cli_command cmd_explain = {
	.name = "explain",
	.summary = "explain a finding, and list the known cures",
	.usage = usage,
	.about =
		"Explains a finding of annot report or of the page: what it means, how annot finds it, how to "
		"see it, and what is known to cure it. Without FINDING, lists all findings.",
	.options = options,
	.operand = CLI_WORD,
	.offer = offer_findings,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0
/*
 * annot explain: what a finding means, and what is known to cure it.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "report/catalogue.h"
#include "util/diag.h"
#include "util/options.h"

#define COLUMNS 78
#define NAME_COLUMNS 16

static void usage(void)
{
	puts("usage: annot explain [FINDING]\n"
	     "\n"
	     "Tells what a finding of 'annot report' or of the page means: what it is, how\n"
	     "annot finds it, how to see it, and what is known to cure it. Without\n"
	     "FINDING, lists them.\n"
	     "\n"
	     "  -h, --help  this text\n"
	     "\n"
	     "More: man annot-explain.");
}

/* Breaks @text between words; @first stands before the first line, as wide as @indent. */
static void print_text(const char *first, int indent, const char *text)
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

static void list(void)
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++)
		printf("%-*s %s\n", NAME_COLUMNS, finding_kind_name((enum finding_kind)kind),
		       catalogue_entry((enum finding_kind)kind)->title);
	puts("\n'annot explain FINDING' tells more of one.");
}

static void explain(enum finding_kind kind)
{
	const struct catalogue_entry *entry = catalogue_entry(kind);

	printf("%s: ", finding_kind_name(kind));
	print_text("", 0, entry->title);
	putchar('\n');
	print_text("  ", 2, entry->what);
	puts("\nHow annot finds it");
	print_text("  ", 2, entry->found);
	puts("\nHow to see it");
	print_text("  ", 2, entry->seen);
	puts("\nKnown cures");
	for (size_t i = 0; entry->cures[i]; i++)
		print_text("  - ", 4, entry->cures[i]);
}

static int explain_name(const char *name)
{
	const char *names[NR_FINDING_KINDS + 1] = { NULL };
	const char *nearest;

	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		names[kind] = finding_kind_name((enum finding_kind)kind);
		if (!strcmp(names[kind], name)) {
			explain((enum finding_kind)kind);
			return EXIT_OK;
		}
	}
	nearest = options_nearest(name, names);
	diag_error("explain: no such finding: '%s'%s%s%s (annot explain lists all)", name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return EXIT_USAGE;
}

int cmd_explain(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		if (option != 'h')
			return options_error("explain", option, argv, options);
		usage();
		return EXIT_OK;
	}
	if (argc - optind > 1) {
		diag_error("explain: one finding at a time, not also '%s'", argv[optind + 1]);
		return EXIT_USAGE;
	}
	if (optind < argc)
		return explain_name(argv[optind]);
	list();
	return EXIT_OK;
}

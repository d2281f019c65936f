// SPDX-License-Identifier: GPL-2.0
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/diag.h"
#include "util/options.h"

#define LONGEST_WORD 32
#define MOST_WORDS 64

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many letters must be put in, left out, changed, or swapped with their neighbour to make one
 * word of the other. Words longer than LONGEST_WORD are compared by their beginning.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t distance[LONGEST_WORD + 1][LONGEST_WORD + 1];
	size_t a_length = strnlen(a, LONGEST_WORD);
	size_t b_length = strnlen(b, LONGEST_WORD);

	for (size_t i = 0; i <= a_length; i++)
		distance[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		distance[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			bool same = a[i - 1] == b[j - 1];
			bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				       a[i - 2] == b[j - 1];
			size_t best = distance[i - 1][j - 1] + !same;

			best = lesser(best, distance[i - 1][j] + 1);
			best = lesser(best, distance[i][j - 1] + 1);
			if (swapped)
				best = lesser(best, distance[i - 2][j - 2] + 1);
			distance[i][j] = best;
		}
	}
	return distance[a_length][b_length];
}

const char *options_nearest(const char *typed, const char *const *words)
{
	const char *nearest = NULL;
	size_t nearest_distance = 3;

	for (; *words; words++) {
		size_t distance = edit_distance(typed, *words);

		/* Half of the letters may not be wrong: "x" is no misspelling of "-o". */
		if (distance < nearest_distance && 2 * distance < strlen(*words)) {
			nearest = *words;
			nearest_distance = distance;
		}
	}
	return nearest;
}

static const char *nearest_option(const char *typed, const struct option *options)
{
	const char *names[MOST_WORDS + 1];
	size_t nr = 0;

	for (; options->name && nr < MOST_WORDS; options++)
		names[nr++] = options->name;
	names[nr] = NULL;
	return options_nearest(typed, names);
}

static const struct option *option_by_value(int value, const struct option *options)
{
	for (; options->name; options++)
		if (options->val == value)
			return options;
	return NULL;
}

/* One line: what is wrong with the first @length bytes of @word, and where to read on. */
static int complain(const char *command, const char *what, const char *word, size_t length,
		    const char *nearest)
{
	char prefix[LONGEST_WORD + 3] = "";
	char program[LONGEST_WORD + 8] = "annot";
	char guess[LONGEST_WORD + 24] = "";

	if (command) {
		snprintf(prefix, sizeof(prefix), "%s: ", command);
		snprintf(program, sizeof(program), "annot %s", command);
	}
	if (nearest)
		snprintf(guess, sizeof(guess), "; did you mean '--%s'?", nearest);
	diag_error("%s%s '%.*s'%s (%s --help lists all)", prefix, what, (int)length, word, guess,
		   program);
	return EXIT_USAGE;
}

int options_error(const char *command, int returned, char **argv, const struct option *options)
{
	const char *word = argv[optind - 1];
	size_t length = strcspn(word, "=");
	char letter[] = { '-', (char)optopt, '\0' };
	char name[LONGEST_WORD + 1];

	if (returned == ':')
		return complain(command, "a value must follow", word, length, NULL);
	/* An unknown letter may stand in the middle of a bundle, where optind still is before it. */
	if (optopt && !option_by_value(optopt, options))
		return complain(command, "unknown option", letter, sizeof(letter) - 1, NULL);
	if (optopt)
		return complain(command, "no value may follow", word, length, NULL);
	snprintf(name, sizeof(name), "%.*s", (int)length - 2, word + 2);
	return complain(command, "unknown option", word, length, nearest_option(name, options));
}

int options_trace(const char *command, int argc, char **argv, const char **path)
{
	if (optind == argc)
		return diag_error("%s: which trace? (annot %s --help lists all)", command, command);
	if (argc - optind > 1)
		return diag_error("%s: one trace at a time, not also '%s'", command,
				  argv[optind + 1]);
	*path = argv[optind];
	return 0;
}

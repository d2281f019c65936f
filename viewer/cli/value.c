// SPDX-License-Identifier: GPL-2.0
#include "cli/value.h"

#include <errno.h>
#include <stdlib.h>

#include "util/diag.h"
#include "util/text/nearest.h"

int cli_value_error(const struct cli_value *value, const char *why)
{
	diag_error("%s: --%s '%s': %s", value->command->name, value->option->name, value->text,
		   why);
	return EXIT_USAGE;
}

int cli_value_unknown(const struct cli_value *value, const char *const *words, const char *why)
{
	const char *nearest = nearest_word(value->text, words);

	diag_error("%s: --%s '%s': %s%s%s (annot %s --help lists all)", value->command->name,
		   value->option->name, value->text, nearest ? "did you mean '" : why,
		   nearest ? nearest : "", nearest ? "'?" : "", value->command->name);
	return EXIT_USAGE;
}

int cli_value_number(const struct cli_value *value, unsigned long most, const char *why,
		     unsigned long *number)
{
	const char *text = value->text;
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (errno || *text < '0' || *text > '9' || *end || *number < 1 || *number > most)
		return cli_value_error(value, why);
	return EXIT_OK;
}

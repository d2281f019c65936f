// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/filter_options.h"

#include "cli/value.h"
#include "util/diag.h"

static int set_time(struct filter_time *time, const struct cli_value *value)
{
	if (filter_time_parse(time, value->text))
		return EXIT_OK;
	return cli_value_error(value, "not a time, such as 5000.25 or (from the start) +200ms");
}

int filter_options_set_from(void *field, const struct cli_value *value)
{
	struct filter_options *options = field;

	options->given = true;
	return set_time(&options->filter.from, value);
}

int filter_options_set_to(void *field, const struct cli_value *value)
{
	struct filter_options *options = field;

	options->given = true;
	return set_time(&options->filter.to, value);
}

static int set_list(const char **list, const struct cli_value *value)
{
	if (!*value->text)
		return cli_value_error(value, "the list is empty");
	*list = value->text;
	return EXIT_OK;
}

int filter_options_set_threads(void *field, const struct cli_value *value)
{
	struct filter_options *options = field;

	options->given = true;
	return set_list(&options->filter.threads, value);
}

int filter_options_set_tasks(void *field, const struct cli_value *value)
{
	struct filter_options *options = field;

	options->given = true;
	return set_list(&options->filter.tasks, value);
}

int filter_options_set_cpus(void *field, const struct cli_value *value)
{
	struct filter_options *options = field;

	if (!cpu_list_parse(&options->cpus, value->text))
		return cli_value_error(value, "not a list of CPUs, such as 0,2-5");
	options->given = true;
	options->filter.cpus = options->cpus.has;
	return EXIT_OK;
}

int filter_options_check(const struct filter_options *options, const char *command)
{
	const struct filter_time *from = &options->filter.from, *to = &options->filter.to;

	if (from->text && to->text && from->since_start == to->since_start && from->ns >= to->ns)
		return diag_error("%s: --from '%s' is not before --to '%s'", command, from->text,
				  to->text);
	return 0;
}

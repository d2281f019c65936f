// SPDX-License-Identifier: GPL-2.0
#include "cmd/filter_options.h"

#include "util/diag.h"

static int take_time(struct filter_time *time, const char *command, const char *name,
		     const char *value)
{
	if (filter_time_parse(time, value))
		return 0;
	return diag_error("%s: --%s '%s': not a time, as 5000.25 or (since the start) +200ms",
			  command, name, value);
}

static int take_list(const char **list, const char *command, const char *name, const char *value)
{
	if (!*value)
		return diag_error("%s: --%s '': nothing is named", command, name);
	*list = value;
	return 0;
}

static int take_cpus(struct filter_options *options, const char *command, const char *value)
{
	if (!cpus_parse(&options->cpus, value))
		return diag_error("%s: --cpu '%s': not a list of CPUs, as 0,2-5", command, value);
	options->filter.cpus = options->cpus.has;
	return 0;
}

int filter_option_take(struct filter_options *options, const char *command, int option,
		       const char *value)
{
	struct model_filter *filter = &options->filter;

	if (option < FILTER_OPTION_FROM || option > FILTER_OPTION_CPU)
		return 1;
	options->given = true;
	switch (option) {
	case FILTER_OPTION_FROM:
		return take_time(&filter->from, command, "from", value);
	case FILTER_OPTION_TO:
		return take_time(&filter->to, command, "to", value);
	case FILTER_OPTION_THREAD:
		return take_list(&filter->threads, command, "thread", value);
	case FILTER_OPTION_TASK:
		return take_list(&filter->tasks, command, "task", value);
	default:
		return take_cpus(options, command, value);
	}
}

int filter_options_check(const struct filter_options *options, const char *command)
{
	const struct filter_time *from = &options->filter.from, *to = &options->filter.to;

	if (from->text && to->text && from->since_start == to->since_start && from->ns >= to->ns)
		return diag_error("%s: --from '%s' is not before --to '%s'", command, from->text,
				  to->text);
	return 0;
}

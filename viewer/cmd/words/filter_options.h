/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options that select a part of a trace: --from, --to, --thread, --task, --cpu.
 */
#ifndef ANNOT_CMD_FILTER_OPTIONS_H
#define ANNOT_CMD_FILTER_OPTIONS_H

#include <stdbool.h>

#include "cli/command.h"
#include "model/window/filter.h"
#include "util/text/cpu_list.h"

/* Zero-initialise. */
struct filter_options {
	bool given;
	struct model_filter filter;
	struct cpu_list cpus;
};

/* For cli_option.set; the field is a struct filter_options. */
int filter_options_set_from(void *field, const struct cli_value *value);
int filter_options_set_to(void *field, const struct cli_value *value);
int filter_options_set_threads(void *field, const struct cli_value *value);
int filter_options_set_tasks(void *field, const struct cli_value *value);
int filter_options_set_cpus(void *field, const struct cli_value *value);

/* Entries of a table of options, which set the struct filter_options at @at. */
#define FILTER_TIME_OPTIONS(at)                                                                  \
	{                                                                                        \
		.name = "from",                                                                  \
		.argument = "TIME",                                                              \
		.offset = (at),                                                                  \
		.set = filter_options_set_from,                                                  \
		.help = "leave out what is before TIME: in seconds, as trace-cmd report prints " \
			"them, or from the start: +1.5s, +200ms",                                \
	},                                                                                       \
	{                                                                                        \
		.name = "to", .argument = "TIME", .offset = (at), .set = filter_options_set_to,  \
		.help = "leave out what is after TIME",                                          \
	}

#define FILTER_ROW_OPTIONS(at)                                                              \
	{                                                                                   \
		.name = "thread",                                                           \
		.argument = "LIST",                                                         \
		.offset = (at),                                                             \
		.set = filter_options_set_threads,                                          \
		.help = "show these threads only: tids or names, with commas between them", \
	},                                                                                  \
		{                                                                           \
			.name = "task",                                                     \
			.argument = "LIST",                                                 \
			.offset = (at),                                                     \
			.set = filter_options_set_tasks,                                    \
			.help = "show only threads that have spans of these names",         \
		},                                                                          \
	{                                                                                   \
		.name = "cpu", .letter = 'C', .argument = "LIST", .offset = (at),           \
		.set = filter_options_set_cpus,                                             \
		.help = "show only these CPUs, and the threads that ran on them: 0,2-5",    \
	}

/*
 * Checks the options together, once all are set. Returns 0, or -1 after one line on stderr: the times
 * are in the wrong order.
 */
int filter_options_check(const struct filter_options *options, const char *command);

#endif /* ANNOT_CMD_FILTER_OPTIONS_H */

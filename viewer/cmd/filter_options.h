/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options with which a command takes a part of a trace: --from, --to, --thread, --task, --cpu.
 */
#ifndef ANNOT_FILTER_OPTIONS_H
#define ANNOT_FILTER_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

#include "model/filter.h"
#include "util/cpu_list.h"

/* What getopt_long() returns for them. */
enum filter_option {
	FILTER_OPTION_FROM = 256,
	FILTER_OPTION_TO,
	FILTER_OPTION_THREAD,
	FILTER_OPTION_TASK,
	FILTER_OPTION_CPU,
};

#define FILTER_TIME_OPTIONS                                      \
	{ "from", required_argument, NULL, FILTER_OPTION_FROM }, \
	{                                                        \
		"to", required_argument, NULL, FILTER_OPTION_TO  \
	}
#define FILTER_ROW_OPTIONS                                               \
	{ "thread", required_argument, NULL, FILTER_OPTION_THREAD },     \
		{ "task", required_argument, NULL, FILTER_OPTION_TASK }, \
	{                                                                \
		"cpu", required_argument, NULL, FILTER_OPTION_CPU        \
	}

/* Zero-initialise. */
struct filter_options {
	bool given;
	struct model_filter filter;
	struct cpus cpus;
};

/*
 * Takes the option that getopt_long() returned, with its @value. Returns 0; 1 if it is none of
 * these; or -1 after one line on stderr that names it.
 */
int filter_option_take(struct filter_options *options, const char *command, int option,
		       const char *value);

/*
 * To be called when all options are taken. Returns 0, or -1 after one line on stderr: the times are
 * in the wrong order.
 */
int filter_options_check(const struct filter_options *options, const char *command);

#endif /* ANNOT_FILTER_OPTIONS_H */

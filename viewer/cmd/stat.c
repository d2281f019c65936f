// SPDX-License-Identifier: GPL-2.0
/*
 * annot stat: how often events happen on each CPU, in user code and in the kernel, interval by
 * interval. It needs no module, and leaves no trace.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/words/event_names.h"
#include "pmu/names.h"
#include "record/check.h"
#include "record/program.h"
#include "stat/counters.h"
#include "stat/stat_table.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define DEFAULT_INTERVAL_MS 1000
#define MOST_INTERVAL_MS 86400000
#define MOST_INTERVALS 1000000000

struct stat_options {
	long interval_ms;
	long nr_intervals; /* 0: no end */
	struct cpu_list cpus;
	bool csv;
	struct pmu_requests requests;
	char **command; /* NULL: none */
};

struct stat_run {
	const struct stat_options *options;
	struct counters *counters;
	struct stat_table table;
	struct program program;
	sigset_t signals;
	sigset_t mask_before;
	struct timespec start;
	bool interrupted;
};

static int set_number(long *number, const struct cli_value *value, long most)
{
	char why[64];
	unsigned long parsed;
	int status;

	snprintf(why, sizeof(why), "not a number from 1 to %ld", most);
	status = cli_value_number(value, (unsigned long)most, why, &parsed);
	*number = (long)parsed;
	return status;
}

static int set_interval(void *field, const struct cli_value *value)
{
	return set_number(field, value, MOST_INTERVAL_MS);
}

static int set_nr_intervals(void *field, const struct cli_value *value)
{
	return set_number(field, value, MOST_INTERVALS);
}

static int set_cpus(void *field, const struct cli_value *value)
{
	if (cpu_list_parse(field, value->text))
		return EXIT_OK;
	return cli_value_error(value, "not a list of CPUs, such as 0-3,8");
}

/* Also those that are off line now: they may come. */
static int set_all_cpus(void *field, const struct cli_value *value)
{
	struct cpu_list *cpus = field;

	(void)value;
	if (cpu_list_read(cpus, "present"))
		return EXIT_OK;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		cpus->has[cpu] = cpu < sysconf(_SC_NPROCESSORS_ONLN);
	return EXIT_OK;
}

static int add_events(void *field, const struct cli_value *value)
{
	static const struct pmu_request_rules rules = {
		.command = "stat",
		.counted = true,
		.user = true,
		.kernel = true,
	};

	if (pmu_names_open(NULL))
		return EXIT_USAGE;
	return pmu_requests_add(field, value->text, &rules);
}

static const char *const usage[] = { "[options] -e EVENT,... [[--] COMMAND [ARGUMENT...]]", NULL };

static const struct cli_option options[] = {
	{
		.name = "event",
		.letter = 'e',
		.argument = "EVENT,...",
		.offset = offsetof(struct stat_options, requests),
		.set = add_events,
		.kind = CLI_LIST,
		.offer = event_names_offer,
		.help = "count these events (annot list lists them); may be repeated",
	},
	{
		.name = "interval",
		.letter = 'I',
		.argument = "MS",
		.offset = offsetof(struct stat_options, interval_ms),
		.set = set_interval,
		.help = "print every MS milliseconds (default: 1000)",
	},
	{
		.name = "interval-count",
		.argument = "N",
		.offset = offsetof(struct stat_options, nr_intervals),
		.set = set_nr_intervals,
		.help = "stop after N intervals; COMMAND runs on",
	},
	{
		.name = "all-cpus",
		.letter = 'a',
		.offset = offsetof(struct stat_options, cpus),
		.set = set_all_cpus,
		.help = "count on all CPUs (default)",
	},
	{
		.name = "cpu",
		.letter = 'C',
		.argument = "LIST",
		.offset = offsetof(struct stat_options, cpus),
		.set = set_cpus,
		.help = "count on these CPUs only: 0-3,8",
	},
	{
		.name = "csv",
		.offset = offsetof(struct stat_options, csv),
		.help = "print comma-separated values, a line for each CPU, event and interval, and "
			"no totals",
	},
	CLI_END,
};

static int parse_options(int argc, char **argv, struct stat_options *stat)
{
	int status;

	set_all_cpus(&stat->cpus, NULL);
	status = cli_parse(&cmd_stat, argc, argv, stat);
	if (status >= 0)
		return status;
	stat->command = optind < argc ? argv + optind : NULL;
	if (!stat->requests.nr) {
		diag_error("stat: -e is missing (annot list lists events)");
		return EXIT_USAGE;
	}
	status = stat->command ? check_command("stat", stat->command[0]) : EXIT_OK;
	return status ? status : -1;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

static void block_signals(struct stat_run *run)
{
	static const int waited_for[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };

	sigemptyset(&run->signals);
	for (size_t i = 0; i < sizeof(waited_for) / sizeof(waited_for[0]); i++)
		sigaddset(&run->signals, waited_for[i]);
	sigprocmask(SIG_BLOCK, &run->signals, &run->mask_before);
	signal(SIGCHLD, SIG_DFL);
	if (!run->options->command)
		signal(SIGINT, SIG_DFL);
}

static void take_signal(struct stat_run *run, int signal_number, const siginfo_t *info)
{
	/* A ^C of the terminal reaches the command, too, which is in the same process group. */
	bool from_terminal = info->si_code == SI_KERNEL;

	if (signal_number == SIGCHLD)
		return;
	if (!run->options->command)
		run->interrupted = true;
	else if (run->program.pid && !from_terminal)
		kill(run->program.pid, signal_number);
}

static bool is_over(struct stat_run *run)
{
	return run->interrupted || (run->options->command && program_ended(&run->program));
}

/* Waits until @until_s after the start, or (below 0) without end. True: it is over before. */
static bool wait_until(struct stat_run *run, double until_s)
{
	siginfo_t info;

	while (!is_over(run)) {
		double left_s = until_s < 0 ? 1 : until_s - seconds_since(&run->start);
		struct timespec timeout;
		int signal_number;

		if (left_s <= 0)
			return false;
		timeout.tv_sec = (time_t)left_s;
		timeout.tv_nsec = (long)((left_s - (double)timeout.tv_sec) * 1e9);
		signal_number = sigtimedwait(&run->signals, &info, &timeout);
		if (signal_number > 0)
			take_signal(run, signal_number, &info);
	}
	return true;
}

static void print_intervals(struct stat_run *run)
{
	double interval_s = (double)run->options->interval_ms / 1000;
	double until_s = 0, now_s;
	bool over = false;

	for (long nr = 0; !over && (!run->options->nr_intervals || nr < run->options->nr_intervals);
	     nr++) {
		now_s = seconds_since(&run->start);
		/* On a busy machine, one that comes too late is left out, and the next is longer. */
		do {
			until_s += interval_s;
		} while (until_s <= now_s);
		over = wait_until(run, until_s);
		counters_read(run->counters);
		stat_table_print_interval(&run->table, run->counters, seconds_since(&run->start));
	}
	stat_table_print_totals(&run->table, run->counters, seconds_since(&run->start));
	if (run->options->command)
		wait_until(run, -1);
}

static int start_command(struct stat_run *run)
{
	char **command = run->options->command;
	int error = program_start(&run->program, command, &run->mask_before, NULL, NULL);

	if (!error)
		return EXIT_OK;
	diag_error("stat: %s: %s", command[0], strerror(error));
	return program_exec_status(error);
}

static int count_events(struct stat_run *run)
{
	int status = EXIT_OK;

	run->counters = counters_open(&run->options->requests, &run->options->cpus);
	if (!run->counters)
		return EXIT_BAD_INPUT;
	block_signals(run);
	stat_table_print_head(&run->table);
	clock_gettime(CLOCK_MONOTONIC, &run->start);
	if (run->options->command)
		status = start_command(run);
	if (!status) {
		print_intervals(run);
		if (run->options->command)
			status = program_exit_status(&run->program);
	}
	counters_close(run->counters);
	return status;
}

static int run(int argc, char **argv)
{
	struct stat_options *stat = xcalloc(1, sizeof(*stat));
	struct stat_run run = { .options = stat, .table.out = stdout };
	int status;

	stat->interval_ms = DEFAULT_INTERVAL_MS;
	status = parse_options(argc, argv, stat);
	run.table.csv = stat->csv;
	if (status < 0)
		status = count_events(&run);
	pmu_requests_free(&stat->requests);
	free(stat);
	return status;
}

const struct cli_command cmd_stat = {
	.name = "stat",
	.summary = "count events on each CPU, interval by interval",
	.usage = usage,
	.about =
		"Counts EVENTs on each CPU. Prints in each interval how many of them user code caused, how many "
		"the kernel, and both together. Ends with ^C, or with COMMAND; then prints the totals.",
	.options = options,
	.notes =
		"A CPU has few counters. If there are more events, they take turns: RAN is the share of the "
		"time in which an event was counted, and its count is scaled to the whole time.",
	.has_program = true,
	.operand = CLI_PROGRAM,
	.run = run,
};

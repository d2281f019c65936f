// SPDX-License-Identifier: GPL-2.0
/*
 * annot stat: how often events happen on each CPU, in user code and in the kernel, interval by
 * interval. It needs no module, and leaves no trace.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "pmu/names.h"
#include "record/check.h"
#include "record/program.h"
#include "stat/counters.h"
#include "stat/stat_table.h"
#include "util/diag.h"
#include "util/options.h"
#include "util/xalloc.h"

#define DEFAULT_INTERVAL_MS 1000
#define MOST_INTERVAL_MS 86400000
#define MOST_INTERVALS 1000000000

static void usage(void)
{
	puts("usage: annot stat [options] EVENT... [-- COMMAND [ARGUMENT...]]\n"
	     "\n"
	     "Counts EVENTs (annot list has their names) on each CPU, and prints every so\n"
	     "often how many there were: caused by user code, by the kernel, by both. Ends\n"
	     "with ^C, or with COMMAND, and then prints how many there were in all.\n"
	     "\n"
	     "  -I, --interval MS   print every MS milliseconds (default: 1000)\n"
	     "  -n, --number COUNT  end after COUNT intervals; COMMAND runs on\n"
	     "  -a, --all-cpus      count on all CPUs (this is the default)\n"
	     "  -C, --cpus LIST     count on these only: 0-3,8\n"
	     "      --csv           a line for each CPU, event and interval, to be plotted;\n"
	     "                      no totals\n"
	     "  -h, --help          this text\n"
	     "\n"
	     "Where more events are asked for than the CPU has counters, they take turns;\n"
	     "RAN says for which part of the time each was counted, and counts are scaled\n"
	     "to the whole. More: man annot-stat.");
}

struct stat_options {
	long interval_ms;
	long nr_intervals; /* 0: no end */
	struct cpus cpus;
	bool csv;
	struct pmu_requests requests;
	char **command; /* NULL: none */
};

struct stat_run {
	const struct stat_options *options;
	struct counters *counters;
	struct table table;
	struct program program;
	sigset_t signals;
	sigset_t mask_before;
	struct timespec start;
	bool interrupted;
};

static int parse_number(const char *option, const char *text, long most, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	if (!errno && end != text && !*end && *number >= 1 && *number <= most)
		return EXIT_OK;
	diag_error("stat: %s '%s': not a number from 1 to %ld", option, text, most);
	return EXIT_USAGE;
}

static int parse_cpus(const char *text, struct cpus *cpus)
{
	if (cpus_parse(cpus, text))
		return EXIT_OK;
	diag_error("stat: --cpus '%s': not a list of CPUs, as 0-3,8 is", text);
	return EXIT_USAGE;
}

/* Those too that are off line now: they may come. */
static void take_all_cpus(struct cpus *cpus)
{
	if (cpus_read(cpus, "present"))
		return;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		cpus->has[cpu] = cpu < sysconf(_SC_NPROCESSORS_ONLN);
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct stat_options *stat)
{
	static const struct option options[] = {
		{ "interval", required_argument, NULL, 'I' },
		{ "number", required_argument, NULL, 'n' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "cpus", required_argument, NULL, 'C' },
		{ "csv", no_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, status = EXIT_OK;

	while (!status && (option = getopt_long(argc, argv, ":I:n:aC:h", options, NULL)) != -1) {
		switch (option) {
		case 'I':
			status = parse_number("--interval", optarg, MOST_INTERVAL_MS,
					      &stat->interval_ms);
			break;
		case 'n':
			status = parse_number("--number", optarg, MOST_INTERVALS,
					      &stat->nr_intervals);
			break;
		case 'a':
			take_all_cpus(&stat->cpus);
			break;
		case 'C':
			status = parse_cpus(optarg, &stat->cpus);
			break;
		case 'c':
			stat->csv = true;
			break;
		case 'h':
			usage();
			return EXIT_OK;
		default:
			return options_error("stat", option, argv, options);
		}
	}
	return status ? status : -1;
}

static int add_events(struct stat_options *stat, int nr, char **lists)
{
	static const struct request_rules rules = {
		.command = "stat",
		.counted = true,
		.user = true,
		.kernel = true,
	};
	int status = EXIT_OK;

	if (!nr) {
		diag_error("stat: which events? (annot list)");
		return EXIT_USAGE;
	}
	if (names_open(NULL))
		return EXIT_USAGE;
	for (int i = 0; i < nr && !status; i++)
		status = requests_add(&stat->requests, lists[i], &rules);
	return status;
}

/* What stands behind "--" is none of ours; getopt would put it among the events. */
static int length_before_command(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return i;
	}
	return argc;
}

static int parse(int argc, char **argv, struct stat_options *stat)
{
	int nr = length_before_command(argc, argv);
	int status;

	if (nr < argc) {
		argv[nr] = NULL;
		stat->command = nr + 1 < argc ? argv + nr + 1 : NULL;
	}
	take_all_cpus(&stat->cpus);
	status = parse_options(nr, argv, stat);
	if (status >= 0)
		return status;
	status = add_events(stat, nr - optind, argv + optind);
	if (!status && stat->command)
		status = check_command("stat", stat->command[0]);
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
		table_interval(&run->table, run->counters, seconds_since(&run->start));
	}
	table_totals(&run->table, run->counters, seconds_since(&run->start));
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

static int count(struct stat_run *run)
{
	int status = EXIT_OK;

	run->counters = counters_open(&run->options->requests, &run->options->cpus);
	if (!run->counters)
		return EXIT_BAD_INPUT;
	block_signals(run);
	table_head(&run->table);
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

int cmd_stat(int argc, char **argv)
{
	struct stat_options *options = xcalloc(1, sizeof(*options));
	struct stat_run run = { .options = options, .table.out = stdout };
	int status;

	options->interval_ms = DEFAULT_INTERVAL_MS;
	status = parse(argc, argv, options);
	run.table.csv = options->csv;
	if (status < 0)
		status = count(&run);
	requests_free(&options->requests);
	free(options);
	return status;
}

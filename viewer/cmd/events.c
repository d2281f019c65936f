// SPDX-License-Identifier: GPL-2.0
/*
 * annot events: trace.dat -> a line for each event, of whatever kind.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "cmd/words/filter_options.h"
#include "events/event_filter.h"
#include "events/event_lines.h"
#include "events/event_list.h"
#include "events/event_summary.h"
#include "trace/limits.h"
#include "util/diag.h"
#include "util/text/word_list.h"
#include "util/xalloc.h"

#define NS_PER_S 1000000000u

struct events_options {
	const char *trace_path;
	char **filters;
	int nr_filters;
	bool summary;
	bool json;
	struct filter_options part;
};

/* What is open while events are printed. */
struct events {
	const struct events_options *options;
	struct trace *trace;
	struct event_printer *printer; /* NULL: not needed */
	struct event_filter *filter;
	struct event_query query;
	uint64_t start_ns; /* of the trace */
	bool *found; /* of each word of --thread */
};

static const char *const usage[] = { "[options] TRACE [FILTER...]", NULL };

static const struct cli_option options[] = {
	{
		.name = "cpu",
		.letter = 'C',
		.argument = "LIST",
		.offset = offsetof(struct events_options, part),
		.set = filter_options_set_cpus,
		.help = "print events of these CPUs only: 0,2-5",
	},
	{
		.name = "thread",
		.argument = "LIST",
		.offset = offsetof(struct events_options, part),
		.set = filter_options_set_threads,
		.help = "print events during which one of these threads ran: tids or names, with commas "
			"between them",
	},
	FILTER_TIME_OPTIONS(offsetof(struct events_options, part)),
	{
		.name = "summary",
		.offset = offsetof(struct events_options, summary),
		.help = "instead, print how many events of each type there are, and when the first and "
			"the last was",
	},
	{
		.name = "json",
		.offset = offsetof(struct events_options, json),
		.help = "print each line as an object of JSON",
	},
	CLI_END,
};

static int parse_operands(int argc, char **argv, struct events_options *events)
{
	if (optind == argc)
		return diag_error("events: the trace is missing (annot events --help lists all)");
	events->trace_path = argv[optind];
	events->filters = argv + optind + 1;
	events->nr_filters = argc - optind - 1;
	for (int i = 0; i < events->nr_filters; i++) {
		if (!*events->filters[i])
			return diag_error("events: filter '': it is empty");
	}
	return 0;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct events_options *events)
{
	int status = cli_parse(&cmd_events, argc, argv, events);

	if (status >= 0)
		return status;
	if (filter_options_check(&events->part, "events") || parse_operands(argc, argv, events))
		return EXIT_USAGE;
	return -1;
}

static bool needs_printer(const struct events_options *options)
{
	bool needs = !options->summary;

	for (int i = 0; i < options->nr_filters; i++)
		needs |= event_filter_has_expression(options->filters[i]);
	return needs;
}

static int add_filters(const struct events *events)
{
	for (int i = 0; i < events->options->nr_filters; i++) {
		if (event_filter_add(events->filter, events->trace, events->printer,
				     events->options->filters[i]))
			return -1;
	}
	return 0;
}

/* For event_query.takes_thread. */
static bool takes_thread(void *context, int32_t tid, const char *comm)
{
	struct events *events = context;
	const char *threads = events->options->part.filter.threads;
	char number[16];
	int word;

	snprintf(number, sizeof(number), "%" PRId32, tid);
	word = word_list_find(threads, number);
	if (word < 0)
		word = word_list_find(threads, comm);
	if (word < 0)
		return false;
	events->found[word] = true;
	return true;
}

/* A time on the trace's clock. */
static uint64_t resolve_time(const struct filter_time *time, uint64_t start_ns)
{
	return time->since_start ? start_ns + time->ns : time->ns;
}

static int set_times(struct events *events)
{
	const struct model_filter *part = &events->options->part.filter;
	uint64_t last_ns = UINT64_MAX;

	events->query.to_ns = UINT64_MAX;
	if (!part->from.text && !part->to.text)
		return 0;
	/* Of a trace without events, each time is as good. */
	trace_time_range(events->trace, &events->start_ns, &last_ns);
	if (part->from.text)
		events->query.from_ns = resolve_time(&part->from, events->start_ns);
	if (part->to.text)
		events->query.to_ns = resolve_time(&part->to, events->start_ns);
	if (events->query.from_ns > last_ns)
		return diag_error("%s: --from '%s': the trace ends at %" PRIu64 ".%09" PRIu64,
				  events->options->trace_path, part->from.text, last_ns / NS_PER_S,
				  last_ns % NS_PER_S);
	if (events->query.from_ns >= events->query.to_ns)
		return diag_error("%s: --from '%s' is not before --to '%s'",
				  events->options->trace_path, part->from.text, part->to.text);
	if (events->query.to_ns < events->start_ns)
		return diag_error("%s: --to '%s': the trace begins at %" PRIu64 ".%09" PRIu64,
				  events->options->trace_path, part->to.text,
				  events->start_ns / NS_PER_S, events->start_ns % NS_PER_S);
	return 0;
}

static int set_query(struct events *events)
{
	const struct model_filter *part = &events->options->part.filter;
	int nr_cpus = trace_info(events->trace)->nr_cpus;

	events->query.filter = events->filter;
	events->query.printer = events->printer;
	events->query.cpus = part->cpus;
	for (int cpu = nr_cpus; part->cpus && cpu < CPUS_MAX; cpu++) {
		if (part->cpus[cpu])
			return diag_error("%s: --cpu: has no CPU %d", events->options->trace_path,
					  cpu);
	}
	if (part->threads) {
		events->found = xcalloc((size_t)word_list_count(part->threads), sizeof(bool));
		events->query.takes_thread = takes_thread;
		events->query.context = events;
	}
	return set_times(events);
}

/* What a thread is called, only the events tell. */
static int check_threads(const struct events *events)
{
	const char *threads = events->options->part.filter.threads;
	char *word;

	for (int i = 0; threads && i < word_list_count(threads); i++) {
		if (events->found[i])
			continue;
		word = word_list_get(threads, i);
		diag_error("%s: --thread: no event of a thread '%s' is there",
			   events->options->trace_path, word);
		free(word);
		return -1;
	}
	return 0;
}

static int print_summary(struct events *events)
{
	struct event_summary *summary = event_summary_new(events->trace);
	int status = event_list_read(events->trace, &events->query, event_summary_add, summary);

	if (!status && events->options->json)
		event_summary_print_json(summary, stdout);
	else if (!status)
		event_summary_print(summary, stdout);
	event_summary_free(summary);
	return status;
}

static int print_lines(struct events *events)
{
	struct event_lines lines = { .trace = events->trace, .out = stdout };

	return event_list_read(events->trace, &events->query,
			       events->options->json ? event_lines_print_json :
						       event_lines_print_text,
			       &lines);
}

static void warn(const struct events *events)
{
	const char *path = events->options->trace_path;
	uint64_t nr = events->printer ? event_printer_nr_unprintable(events->printer) : 0;

	trace_limits_warn(trace_info(events->trace));
	if (nr)
		diag_warn("%s: %" PRIu64 " event%s cannot be printed: libtraceevent crashes on %s",
			  path, nr, nr == 1 ? "" : "s", nr == 1 ? "it" : "them");
}

static int print(struct events *events)
{
	if (add_filters(events) || set_query(events))
		return -1;
	if (events->options->summary ? print_summary(events) : print_lines(events))
		return -1;
	warn(events);
	return check_threads(events);
}

static int open_and_print(struct events *events)
{
	int status = -1;

	if (trace_open(events->options->trace_path, &events->trace))
		return -1;
	events->filter = event_filter_new();
	if (needs_printer(events->options))
		events->printer = event_printer_new(events->options->trace_path);
	if (events->printer || !needs_printer(events->options))
		status = print(events);
	event_printer_free(events->printer);
	event_filter_free(events->filter);
	trace_close(events->trace);
	free(events->found);
	return status;
}

static int run(int argc, char **argv)
{
	struct events_options options = { 0 };
	struct events events = { .options = &options };
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	return open_and_print(&events) ? EXIT_BAD_INPUT : EXIT_OK;
}

const struct cli_command cmd_events = {
	.name = "events",
	.summary = "print all events of a trace, of any kind, one a line",
	.usage = usage,
	.about =
		"Prints each event in a trace.dat as plain text, in the order of their times: time, CPU, "
		"running thread, event, and what the event's format says.",
	.options = options,
	.notes =
		"FILTER is SYSTEM:EVENT, SYSTEM or EVENT, with wildcards as in names of files, and may say "
		"what fields have to be: 'sched:sched_switch: prev_prio < 100 && next_comm == \"sh\"'.",
	.operand = CLI_TRACE,
	.run = run,
};

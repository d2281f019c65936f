// SPDX-License-Identifier: GPL-2.0
/*
 * annot samples: trace.dat -> a line for each sample.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/trace_content.h"
#include "report/samples.h"
#include "util/diag.h"
#include "util/options.h"
#include "util/xalloc.h"

struct samples_options {
	const char *trace_path;
	const char *columns; /* as given; NULL: what is worth seeing */
	struct sample_filter filter;
};

static void usage(FILE *out)
{
	const char *const *names = sample_column_names();

	fputs("usage: annot samples [--columns LIST] [--event NAME] [--thread THREAD]\n"
	      "                     [--task NAME] [--from SECONDS] [--to SECONDS] [--all]\n"
	      "                     TRACE\n"
	      "\n"
	      "Prints the samples in a trace.dat as plain text: a header line, then a line\n"
	      "for each, in the order of their times.\n"
	      "\n"
	      "      --columns LIST   what to print of each, commas in between\n"
	      "      --event NAME     only samples of this event\n"
	      "      --thread THREAD  only of this thread: its tid or its name\n"
	      "      --task NAME      only inside spans of this name\n"
	      "      --from SECONDS   only from there on, as the column time has it\n"
	      "      --to SECONDS     only up to there\n"
	      "      --all            of threads that are not of the recorded session, too\n"
	      "  -h, --help           this text\n"
	      "\n"
	      "Columns:",
	      out);
	for (size_t i = 0; names[i]; i++)
		fprintf(out, "%s%s", i % 9 ? ", " : i ? ",\n  " : "\n  ", names[i]);
	fputs(",\n"
	      "  regs (all registers), or one of them (%ax, %si, ...)\n"
	      "\n"
	      "What is in each: man annot-samples.\n",
	      out);
}

static int parse_seconds(const char *option, const char *text, uint64_t *time_ns)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e9)
		return diag_error("samples: --%s '%s': not a number of seconds", option, text);
	*time_ns = (uint64_t)llround(seconds * 1e9);
	return 0;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct samples_options *samples)
{
	static const struct option options[] = {
		{ "columns", required_argument, NULL, 'c' },
		{ "event", required_argument, NULL, 'e' },
		{ "thread", required_argument, NULL, 'r' },
		{ "task", required_argument, NULL, 't' },
		{ "from", required_argument, NULL, 'f' },
		{ "to", required_argument, NULL, 'u' },
		{ "all", no_argument, NULL, 'a' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, failed = 0;

	while (!failed && (option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			samples->columns = optarg;
			break;
		case 'e':
			samples->filter.event = optarg;
			break;
		case 'r':
			samples->filter.thread = optarg;
			break;
		case 't':
			samples->filter.task = optarg;
			break;
		case 'f':
			failed = parse_seconds("from", optarg, &samples->filter.from_ns);
			break;
		case 'u':
			failed = parse_seconds("to", optarg, &samples->filter.to_ns);
			break;
		case 'a':
			samples->filter.all_threads = true;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			return options_error("samples", option, argv, options);
		}
	}
	if (failed || options_trace("samples", argc, argv, &samples->trace_path))
		return EXIT_USAGE;
	return -1;
}

/* Returns the exit status. */
static int no_such_column(const struct model *model, const char *name)
{
	const char *nearest = options_nearest(name, sample_column_names());

	if (*name == '%') {
		diag_error("%s: no sample has a register '%s'", trace_info(model->trace)->path,
			   name);
		return EXIT_BAD_INPUT;
	}
	diag_error("samples: no such column: '%s'%s%s%s (annot samples --help lists all)", name,
		   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return EXIT_USAGE;
}

static int add_column(struct sample_columns *columns, const struct model *model, const char *name)
{
	if (columns->nr == SAMPLES_MAX_COLUMNS) {
		diag_error("samples: more than %d columns", SAMPLES_MAX_COLUMNS);
		return EXIT_USAGE;
	}
	return sample_columns_add(columns, model, name) ? no_such_column(model, name) : EXIT_OK;
}

/* Returns the exit status. */
static int add_columns(struct sample_columns *columns, const struct model *model, const char *list)
{
	for (;;) {
		size_t bytes = strcspn(list, ",");
		char *name = xstrndup(list, bytes);
		int status = add_column(columns, model, name);

		free(name);
		if (status != EXIT_OK || !list[bytes])
			return status;
		list += bytes + 1;
	}
}

static bool has_thread(const struct model *model, const char *wanted)
{
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (thread_is(model, i, wanted))
			return true;
	}
	return thread_is(model, MODEL_NO_THREAD, wanted);
}

static bool has_task(const struct model *model, const char *wanted)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_column *spans = &model->threads[i].spans;

		for (size_t span = 0; span < spans->nr; span++) {
			if (!strcmp(trace_string(model->trace, spans->name[span]), wanted))
				return true;
		}
	}
	return false;
}

/* A filter that lets nothing pass, as what it names is not there, is a slip of the pen. */
static int check_filter(const struct model *model, const struct sample_filter *filter)
{
	const char *path = trace_info(model->trace)->path;

	if (check_sampled(model, filter->event))
		return -1;
	if (filter->thread && !has_thread(model, filter->thread))
		return diag_error("%s: has no thread '%s'", path, filter->thread);
	if (filter->task && !has_task(model, filter->task))
		return diag_error("%s: has no task '%s'", path, filter->task);
	return 0;
}

static int print(const struct model *model, struct samples_options *options)
{
	struct sample_columns columns = { 0 };
	int status = EXIT_OK;
	int64_t nr_left_out;

	options->filter.all_threads = options->filter.all_threads || !has_session(model);
	if (check_filter(model, &options->filter))
		return EXIT_BAD_INPUT;
	if (options->columns)
		status = add_columns(&columns, model, options->columns);
	else
		sample_columns_add_default(&columns, model);
	if (status != EXIT_OK)
		return status;
	nr_left_out = print_samples(model, &columns, &options->filter, stdout);
	if (nr_left_out > 0)
		diag_warn("%" PRId64 " samples of threads that are not of the session are left "
			  "out: --all shows them",
			  nr_left_out);
	return nr_left_out < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

int cmd_samples(int argc, char **argv)
{
	struct samples_options options = { .filter = { .to_ns = UINT64_MAX } };
	struct trace *trace;
	struct model *model;
	int status = parse(argc, argv, &options);

	if (status >= 0)
		return status;
	if (trace_open(options.trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	if (model_build(trace, &model) < 0) {
		trace_close(trace);
		return EXIT_BAD_INPUT;
	}
	status = print(model, &options);
	model_free(model);
	trace_close(trace);
	return status;
}

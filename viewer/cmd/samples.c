// SPDX-License-Identifier: GPL-2.0
/*
 * annot samples: trace.dat -> a line for each sample.
 */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/files/input_trace.h"
#include "cmd/files/trace_content.h"
#include "model/reading.h"
#include "report/samples/sample_fields.h"
#include "report/samples/samples.h"
#include "util/diag.h"
#include "util/text/nearest.h"
#include "util/xalloc.h"

struct samples_options {
	const char *trace_path;
	const char *columns; /* as given; NULL: the default */
	struct sample_filter filter;
};

static void print_lists(FILE *out)
{
	const char *const *names = sample_column_names();

	fputs("Columns:", out);
	for (size_t i = 0; names[i]; i++)
		fprintf(out, "%s%s", i % 9 ? ", " : i ? ",\n  " : "\n  ", names[i]);
	fputs(",\n"
	      "  regs (all registers), or one of them (%ax, %si, ...)\n"
	      "\n",
	      out);
}

static void offer_columns(FILE *out)
{
	const char *const *names = sample_column_names();

	for (size_t i = 0; names[i]; i++)
		fprintf(out, "%s\n", names[i]);
	fputs("regs\n", out);
}

static int set_seconds(void *field, const struct cli_value *value)
{
	uint64_t *time_ns = field;
	char *end;
	double seconds = strtod(value->text, &end);

	if (end == value->text || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e9)
		return cli_value_error(value, "not a number of seconds");
	*time_ns = (uint64_t)llround(seconds * 1e9);
	return EXIT_OK;
}

static const char *const usage[] = { "[options] TRACE", NULL };

static const struct cli_option options[] = {
	{
		.name = "columns",
		.argument = "LIST",
		.offset = offsetof(struct samples_options, columns),
		.kind = CLI_LIST,
		.offer = offer_columns,
		.help = "print these columns, with commas between them",
	},
	{
		.name = "event",
		.letter = 'e',
		.argument = "NAME",
		.offset = offsetof(struct samples_options, filter.event),
		.help = "print samples of this event only",
	},
	{
		.name = "thread",
		.argument = "THREAD",
		.offset = offsetof(struct samples_options, filter.thread),
		.help = "print samples of this thread only: its tid or its name",
	},
	{
		.name = "task",
		.argument = "NAME",
		.offset = offsetof(struct samples_options, filter.task),
		.help = "print only samples inside spans of this name",
	},
	{
		.name = "from",
		.argument = "SECONDS",
		.offset = offsetof(struct samples_options, filter.from_ns),
		.set = set_seconds,
		.help = "leave out samples before this time, as the column time has it",
	},
	{
		.name = "to",
		.argument = "SECONDS",
		.offset = offsetof(struct samples_options, filter.to_ns),
		.set = set_seconds,
		.help = "leave out samples after this time",
	},
	{
		.name = "all",
		.offset = offsetof(struct samples_options, filter.all_threads),
		.help = "print samples of threads outside the recorded session, too",
	},
	CLI_END,
};

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct samples_options *samples)
{
	int status = cli_parse(&cmd_samples, argc, argv, samples);

	if (status >= 0)
		return status;
	return cli_parse_trace(&cmd_samples, argc, argv, &samples->trace_path) ? EXIT_USAGE : -1;
}

/* Returns the exit status. */
static int no_such_column(const struct model *model, const char *name)
{
	const char *nearest = nearest_word(name, sample_column_names());

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
		if (samples_thread_is(model, i, wanted))
			return true;
	}
	return samples_thread_is(model, MODEL_NO_THREAD, wanted);
}

static bool has_task(const struct model *model, const char *wanted)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

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

	if (trace_content_check_samples(model, filter->event))
		return -1;
	if (filter->thread && !has_thread(model, filter->thread))
		return diag_error("%s: has no thread '%s'", path, filter->thread);
	if (filter->task && !has_task(model, filter->task))
		return diag_error("%s: has no task '%s'", path, filter->task);
	return 0;
}

static int print_samples(const struct model *model, struct samples_options *options)
{
	struct sample_columns columns = { 0 };
	int status = EXIT_OK;
	int64_t nr_left_out;

	options->filter.all_threads = options->filter.all_threads ||
				      !trace_content_has_session(model);
	if (check_filter(model, &options->filter))
		return EXIT_BAD_INPUT;
	if (options->columns)
		status = add_columns(&columns, model, options->columns);
	else
		sample_columns_add_default(&columns, model);
	if (status != EXIT_OK)
		return status;
	nr_left_out = samples_print(model, &columns, &options->filter, stdout);
	if (nr_left_out > 0)
		diag_warn("%" PRId64 " samples of threads outside the session are left "
			  "out: --all shows them",
			  nr_left_out);
	return nr_left_out < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct samples_options options = { .filter = { .to_ns = UINT64_MAX } };
	struct trace *trace;
	struct model *model;
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	if (input_trace_open(options.trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	if (model_build(trace, &model) < 0) {
		input_trace_close(trace);
		return EXIT_BAD_INPUT;
	}
	status = print_samples(model, &options);
	model_free(model);
	input_trace_close(trace);
	return status;
}

const struct cli_command cmd_samples = {
	.name = "samples",
	.summary = "print samples of misses and other events, one a line",
	.usage = usage,
	.about =
		"Prints the samples in a trace.dat as plain text: a header line, then a line for each sample, "
		"in the order of their times.",
	.options = options,
	.print_lists = print_lists,
	.operand = CLI_TRACE,
	.run = run,
};

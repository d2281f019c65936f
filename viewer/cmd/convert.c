// SPDX-License-Identifier: GPL-2.0
/*
 * annot convert: trace.dat -> what other tools read.
 */
#include <getopt.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/filter_options.h"
#include "cmd/output_file.h"
#include "convert/convert.h"
#include "util/diag.h"
#include "util/options.h"

/* What it can be converted to. */
struct target {
	const char *ending;
	void (*convert)(const struct model *model, FILE *out);
};

static const struct target perfetto = { ".json", convert_perfetto };
static const struct target csv = { ".csv", convert_csv };

struct convert_options {
	const char *trace_path;
	const char *output;
	const struct target *target;
	struct filter_options filter;
};

static void usage(FILE *out)
{
	fputs("usage: annot convert (--perfetto | --csv) [-o FILE] [--from TIME] [--to TIME]\n"
	      "                     TRACE\n"
	      "\n"
	      "Turns a trace.dat into a file for other tools.\n"
	      "\n"
	      "      --perfetto      JSON in Chrome's trace event format, for Perfetto's UI:\n"
	      "                      CPUs, states, spans, wakeups, counters\n"
	      "      --csv           a table, a row for each slice, state, span, sample, ...\n"
	      "  -o, --output FILE   where to write it; - is standard output\n"
	      "                      (default: the trace's name, ending in .json or .csv)\n"
	      "      --from TIME     only from there on: in seconds, as trace-cmd report\n"
	      "                      prints times; or since the start: +1.5s, +200ms\n"
	      "      --to TIME       only up to there\n"
	      "  -h, --help          this text\n"
	      "\n"
	      "What is in each: man annot-convert.\n",
	      out);
}

static int set_target(struct convert_options *convert, const struct target *target)
{
	if (convert->target && convert->target != target)
		return diag_error("convert: either --perfetto or --csv, not both");
	convert->target = target;
	return 0;
}

static int parse_operands(int argc, char **argv, struct convert_options *convert)
{
	if (!convert->target)
		return diag_error("convert: to what? --perfetto or --csv is missing");
	return options_trace("convert", argc, argv, &convert->trace_path);
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct convert_options *convert)
{
	static const struct option options[] = {
		{ "perfetto", no_argument, NULL, 'p' },	    { "csv", no_argument, NULL, 'c' },
		{ "output", required_argument, NULL, 'o' }, FILTER_TIME_OPTIONS,
		{ "help", no_argument, NULL, 'h' },	    { 0 },
	};
	int option, taken, failed = 0;

	while (!failed && (option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		switch (option) {
		case 'p':
			failed = set_target(convert, &perfetto);
			break;
		case 'c':
			failed = set_target(convert, &csv);
			break;
		case 'o':
			convert->output = optarg;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			taken = filter_option_take(&convert->filter, "convert", option, optarg);
			if (taken > 0)
				return options_error("convert", option, argv, options);
			failed = taken;
		}
	}
	if (failed || filter_options_check(&convert->filter, "convert") ||
	    parse_operands(argc, argv, convert))
		return EXIT_USAGE;
	return -1;
}

static int build(struct trace *trace, const struct convert_options *convert, struct model **model)
{
	struct selection *selection;
	int status;

	if (!convert->filter.given)
		return model_build(trace, model);
	if (selection_new(convert->trace_path, &convert->filter.filter, NULL, &selection) < 0)
		return -1;
	status = selection_build(selection, trace, model);
	selection_free(selection);
	return status;
}

static int write_target(struct trace *trace, void *context, FILE *out)
{
	const struct convert_options *convert = context;
	struct model *model;

	if (build(trace, convert, &model) < 0)
		return -1;
	convert->target->convert(model, out);
	model_free(model);
	return 0;
}

int cmd_convert(int argc, char **argv)
{
	struct convert_options convert = { 0 };
	int status = parse(argc, argv, &convert);

	if (status >= 0)
		return status;
	return write_trace_file(convert.trace_path, convert.output, convert.target->ending,
				write_target, &convert);
}

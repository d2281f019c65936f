// SPDX-License-Identifier: GPL-2.0
/*
 * annot convert: trace.dat -> what other tools read.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits/messages.h"
#include "analysis/stacks/stack_weights.h"
#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/words/filter_options.h"
#include "cmd/files/output_file.h"
#include "cmd/files/trace_content.h"
#include "convert/csv.h"
#include "convert/folded.h"
#include "convert/perfetto.h"
#include "convert/pprof.h"
#include "convert/speedscope.h"
#include "model/reading.h"
#include "symbols/frame_names.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* What it can be converted to. */
struct target {
	const char *ending;
	void (*convert)(const struct model *model, FILE *out); /* NULL: of call stacks */
	void (*convert_stacks)(const struct model *model, const struct stack_weights *weights,
			       FILE *out);
};

/* The ends of both calls: there the spans of the calls are still open. */
static void convert_with_messages(const struct model *model, FILE *out)
{
	struct messages messages = messages_compute(model);
	struct convert_arrow *arrows = xcalloc(messages.nr, sizeof(*arrows));

	for (size_t i = 0; i < messages.nr; i++)
		arrows[i] = (struct convert_arrow){
			.from = messages.rows[i].sender,
			.to = messages.rows[i].receiver,
			.from_ns = messages.rows[i].sent_ns,
			.to_ns = messages.rows[i].received_ns,
			.bytes = messages.rows[i].bytes,
		};
	convert_perfetto(model, arrows, messages.nr, out);
	free(arrows);
	messages_free(&messages);
}

static const struct target perfetto = { ".json", convert_with_messages, NULL };
static const struct target csv = { ".csv", convert_csv, NULL };
static const struct target folded = { ".folded", NULL, convert_folded };
static const struct target pprof = { ".pb.gz", NULL, convert_pprof };
static const struct target speedscope = { ".speedscope.json", NULL, convert_speedscope };

struct convert_options {
	const char *trace_path;
	const char *output;
	const struct target *target;
	enum stacks_of stacks_of;
	const char *event;
	bool all_threads;
	struct filter_options filter;
};

static int set_target(struct convert_options *convert, const struct target *target)
{
	if (convert->target && convert->target != target) {
		diag_error(
			"convert: only one of --perfetto, --csv, --folded, --pprof and --speedscope");
		return EXIT_USAGE;
	}
	convert->target = target;
	return EXIT_OK;
}

static int set_perfetto(void *field, const struct cli_value *value)
{
	(void)value;
	return set_target(field, &perfetto);
}

static int set_csv(void *field, const struct cli_value *value)
{
	(void)value;
	return set_target(field, &csv);
}

static int set_stacks(struct convert_options *convert, const struct target *target,
		      const struct cli_value *value)
{
	for (int i = 0; stacks_of_names[i]; i++) {
		if (!strcmp(stacks_of_names[i], value->text)) {
			convert->stacks_of = (enum stacks_of)i;
			return set_target(convert, target);
		}
	}
	return cli_value_unknown(value, stacks_of_names, "call stacks do not have this");
}

static int set_folded(void *field, const struct cli_value *value)
{
	return set_stacks(field, &folded, value);
}

static int set_pprof(void *field, const struct cli_value *value)
{
	return set_stacks(field, &pprof, value);
}

static int set_speedscope(void *field, const struct cli_value *value)
{
	return set_stacks(field, &speedscope, value);
}

static void offer_stacks(FILE *out)
{
	for (int i = 0; stacks_of_names[i]; i++)
		fprintf(out, "%s\n", stacks_of_names[i]);
}

static const char *const usage[] = {
	"(--perfetto | --csv) [options] TRACE",
	"(--folded | --pprof | --speedscope) WHAT [options] TRACE",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "perfetto",
		.set = set_perfetto,
		.help = "write JSON in Chrome's trace event format, for Perfetto's UI: CPUs, states, "
			"spans, wakeups, messages, counters",
	},
	{
		.name = "csv",
		.set = set_csv,
		.help = "write a table: a row for each slice, state, span, sample, ...",
	},
	{
		.name = "folded",
		.argument = "WHAT",
		.set = set_folded,
		.kind = CLI_WORD,
		.offer = offer_stacks,
		.help = "write call stacks as text for flamegraph.pl and the like, with the time "
			"off-cpu or on-cpu, the sampled misses, or the time off-cpu that wakers ended, of each",
	},
	{
		.name = "pprof",
		.argument = "WHAT",
		.set = set_pprof,
		.kind = CLI_WORD,
		.offer = offer_stacks,
		.help = "write the same for pprof",
	},
	{
		.name = "speedscope",
		.argument = "WHAT",
		.set = set_speedscope,
		.kind = CLI_WORD,
		.offer = offer_stacks,
		.help = "write the same for speedscope, thread by thread",
	},
	{
		.name = "event",
		.letter = 'e',
		.argument = "NAME",
		.offset = offsetof(struct convert_options, event),
		.help = "of the sampled misses, take those of this event",
	},
	{
		.name = "all",
		.offset = offsetof(struct convert_options, all_threads),
		.help = "take call stacks of threads outside the recorded session, too",
	},
	{
		.name = "output",
		.letter = 'o',
		.argument = "FILE",
		.offset = offsetof(struct convert_options, output),
		.kind = CLI_FILE,
		.help = "write to FILE; - is standard output (default: the trace's name, ending in "
			".json, .csv, .folded, .pb.gz or .speedscope.json)",
	},
	FILTER_TIME_OPTIONS(offsetof(struct convert_options, filter)),
	CLI_END,
};

static int parse_operands(int argc, char **argv, struct convert_options *convert)
{
	if (!convert->target)
		return diag_error(
			"convert: --perfetto, --csv, --folded, --pprof or --speedscope is missing");
	if ((convert->event || convert->all_threads) && convert->target->convert)
		return diag_error(
			"convert: --event and --all need --folded, --pprof or --speedscope");
	if (convert->event && convert->stacks_of != STACKS_MISSES)
		return diag_error("convert: --event needs misses");
	return cli_parse_trace(&cmd_convert, argc, argv, &convert->trace_path);
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct convert_options *convert)
{
	int status = cli_parse(&cmd_convert, argc, argv, convert);

	if (status >= 0)
		return status;
	if (filter_options_check(&convert->filter, "convert") ||
	    parse_operands(argc, argv, convert))
		return EXIT_USAGE;
	return -1;
}

static int build_model(struct trace *trace, const struct convert_options *convert,
		       struct model **model)
{
	struct selection *selection;
	int status;

	if (!convert->filter.given)
		return model_build(trace, model);
	if (selection_new(trace, &convert->filter.filter, NULL, &selection) < 0)
		return -1;
	status = selection_build(selection, trace, model);
	selection_free(selection);
	return status;
}

static int write_stacks(struct model *model, const struct convert_options *convert, FILE *out)
{
	struct stack_weights_options wanted = {
		.of = convert->stacks_of,
		.all_threads = convert->all_threads || !trace_content_has_session(model),
	};
	struct stack_weights weights;

	if (trace_content_choose_stacks(model, convert->event, &wanted) || frame_names_fill(model))
		return -1;
	weights = stack_weights_compute(model, &wanted);
	convert->target->convert_stacks(model, &weights, out);
	stack_weights_free(&weights);
	return 0;
}

static int write_target(struct trace *trace, void *context, FILE *out)
{
	const struct convert_options *convert = context;
	struct model *model;
	int status = 0;

	if (build_model(trace, convert, &model) < 0)
		return -1;
	if (convert->target->convert)
		convert->target->convert(model, out);
	else
		status = write_stacks(model, convert, out);
	model_free(model);
	return status;
}

static int run(int argc, char **argv)
{
	struct convert_options convert = { 0 };
	int status = parse_options(argc, argv, &convert);

	if (status >= 0)
		return status;
	return output_file_write(convert.trace_path, convert.output, convert.target->ending,
				 write_target, &convert);
}

const struct cli_command cmd_convert = {
	.name = "convert",
	.summary = "convert a trace for Perfetto, pprof, or to a table",
	.usage = usage,
	.about = "Converts a trace.dat to a file for other tools.",
	.options = options,
	.operand = CLI_TRACE,
	.run = run,
};

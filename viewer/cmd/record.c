// SPDX-License-Identifier: GPL-2.0
/*
 * annot record: plans a recording from the command line. session_run() carries it out.
 */
#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uapi/annot.h>

#include "attach/complain.h"
#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/words/attach_words.h"
#include "cmd/cmd.h"
#include "cmd/words/event_names.h"
#include "cmd/words/record_values.h"
#include "cmd/words/record_words.h"
#include "doctor/paths.h"
#include "pmu/names.h"
#include "pmu/places.h"
#include "pmu/topdown.h"
#include "record/groups/group_log.h"
#include "record/session.h"
#include "util/diag.h"
#include "util/program_path.h"

#define DEFAULT_OUTPUT "trace.dat"
#define DEFAULT_CLOCK "mono"
#define DEFAULT_COMPRESSION "zstd"
/* A prime number, so that samples do not keep step with a program's loops. */
#define PROFILE_EVENT "cpu_clock"
#define NS_PER_S 1000000000u

/* The values of an option that may be repeated; there is room for all of the command line. */
struct value_list {
	const char **values;
	size_t nr;
};

struct topdown_option {
	bool is_given;
	enum topdown_first first;
};

/* The options of events of the PMU. */
struct pmu_options {
	struct value_list samples;
	struct value_list counts;
	const char *period;
	const char *max_samples;
	unsigned int freq_hz; /* 0: no profile */
	bool registers;
	bool stacks;
	struct topdown_option topdown;
	bool user;
	bool kernel;
};

struct record_options {
	struct session_plan plan;
	struct value_list tracepoints;
	bool v6;
	struct pmu_options pmu;
	struct attach_request attach;
};

static int add_value(void *field, const struct cli_value *value)
{
	struct value_list *list = field;

	list->values[list->nr++] = value->text;
	return EXIT_OK;
}

static int set_topdown(void *field, const struct cli_value *value)
{
	static const char *const words[] = { "memory", "level2", NULL };
	struct topdown_option *topdown = field;

	topdown->is_given = true;
	topdown->first = TOPDOWN_FIRST_SLOTS;
	if (!value->text)
		return EXIT_OK;
	if (!strcmp(value->text, "memory"))
		topdown->first = TOPDOWN_FIRST_MEMORY;
	else if (!strcmp(value->text, "level2"))
		topdown->first = TOPDOWN_FIRST_LEVEL2;
	else
		return cli_value_unknown(value, words, "neither 'memory' nor 'level2'");
	return EXIT_OK;
}

static void offer_topdown(FILE *out)
{
	fputs("memory\nlevel2\n", out);
}

static const char *const usage[] = {
	"[options] [--] COMMAND [ARGUMENT...]",
	"[options] [-p PID]",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "output",
		.letter = 'o',
		.argument = "FILE",
		.offset = offsetof(struct record_options, plan.output),
		.kind = CLI_FILE,
		.help = "write the trace to FILE (default: trace.dat)",
	},
	{
		.name = "pid",
		.letter = 'p',
		.argument = "PID",
		.offset = offsetof(struct record_options, plan.pid),
		.set = record_value_set_pid,
		.kind = CLI_WORD,
		.offer = record_words_offer_pids,
		.help = "instead of COMMAND, follow this process until it ends",
	},
	{
		.name = "duration",
		.argument = "SECONDS",
		.offset = offsetof(struct record_options, plan.duration_s),
		.set = record_value_set_duration_s,
		.help = "stop recording after so long; COMMAND runs on",
	},
	{
		.name = "tracepoint",
		.argument = "NAME",
		.offset = offsetof(struct record_options, tracepoints),
		.set = add_value,
		.kind = CLI_WORD,
		.offer = record_words_offer_tracepoints,
		.help = "record these events of the kernel, too: SYSTEM, SYSTEM:EVENT or EVENT, as "
			"trace-cmd list -e lists them; may be repeated",
	},
	{
		.name = "buffer-size-kb",
		.letter = 'b',
		.argument = "SIZE",
		.offset = offsetof(struct record_options, plan.buffer_kb),
		.set = record_value_set_buffer_kb,
		.help = "size of the kernel's buffer on each CPU (default: 16384, or what a 16th of "
			"the free memory allows)",
	},
	{
		.name = "clock",
		.argument = "CLOCK",
		.offset = offsetof(struct record_options, plan.clock),
		.set = record_value_set_clock,
		.kind = CLI_WORD,
		.offer = record_words_offer_clocks,
		.help = "trace clock (default: mono, which is CLOCK_MONOTONIC)",
	},
	{
		.name = "compression",
		.argument = "HOW",
		.offset = offsetof(struct record_options, plan.compression),
		.set = record_value_set_compression,
		.kind = CLI_WORD,
		.offer = record_words_offer_compressions,
		.help = "compress FILE by zstd (default) or zlib, or not at all: none",
	},
	{
		.name = "v6",
		.offset = offsetof(struct record_options, v6),
		.help = "write version 6 of trace.dat, for old versions of trace-cmd: not compressed",
	},
	{
		.name = "attach",
		.argument = "LIST",
		.may_lack_argument = true,
		.offset = offsetof(struct record_options, attach),
		.set = attach_words_set_request,
		.kind = CLI_LIST,
		.offer = attach_words_offer,
		.help = "annotate COMMAND, which need not do so itself, by what its OpenMP, MPI, ... tell: "
			"what it uses, or what LIST names: openmp, itt, nvtx, kokkos, mpi, pthread, likwid, "
			"scorep, heap",
	},
	{
		.name = "why",
		.offset = offsetof(struct record_options, plan.why),
		.help = "record what threads wait for when they sleep: at each such switch their system "
			"call, by the module, 0.6 us; or else the kernel's stack, 2 us",
	},
	{
		.name = "readable",
		.offset = offsetof(struct record_options, plan.readable),
		.help = "record annotations one by one, not in batches, so that programs without "
			"annot's plugin can print them",
	},
	{
		.name = "quiet",
		.letter = 'q',
		.offset = offsetof(struct record_options, plan.quiet),
		.help = "print nothing but warnings and errors",
	},
	CLI_HEADING("With the module annot.ko, and as root (annot list lists the EVENTs):"),
	{
		.name = "event",
		.letter = 'e',
		.argument = "EVENT,...",
		.offset = offsetof(struct record_options, pmu.samples),
		.set = add_value,
		.kind = CLI_LIST,
		.offer = event_names_offer,
		.help = "sample these events: record where each happened, once in a period",
	},
	{
		.name = "period",
		.letter = 'c',
		.argument = "N",
		.offset = offsetof(struct record_options, pmu.period),
		.help = "take a sample every N events (default: 10007; of l1_cache_miss, 20011)",
	},
	{
		.name = "freq",
		.letter = 'F',
		.argument = "HZ",
		.offset = offsetof(struct record_options, pmu.freq_hz),
		.set = record_value_set_freq,
		.help = "a profile: record HZ times a second what runs on each CPU, with its stack of "
			"calls (999 is a good choice); needs no counter of the CPU",
	},
	{
		.name = "max-samples",
		.argument = "N",
		.offset = offsetof(struct record_options, pmu.max_samples),
		.help = "stop sampling an event after N samples",
	},
	{
		.name = "registers",
		.offset = offsetof(struct record_options, pmu.registers),
		.help = "record the general registers with each sample",
	},
	{
		.name = "call-stacks",
		.offset = offsetof(struct record_options, pmu.stacks),
		.help = "record the stack of calls with each sample, and with --why of each "
			"thread that falls asleep; programs need no frame pointers",
	},
	{
		.name = "count",
		.argument = "EVENT,...",
		.offset = offsetof(struct record_options, pmu.counts),
		.set = add_value,
		.kind = CLI_LIST,
		.offer = event_names_offer,
		.help = "count these events exactly, in each slice of time on a CPU and in each "
			"task, user code and kernel apart; those in braces, '{EVENT,EVENT}', at "
			"the same time",
	},
	{
		.name = "topdown",
		.argument = "memory|level2",
		.may_lack_argument = true,
		.offset = offsetof(struct record_options, pmu.topdown),
		.set = set_topdown,
		.kind = CLI_WORD,
		.offer = offer_topdown,
		.help = "count the events of this CPU by which annot report tells where its issue "
			"slots went, as many as there are counters for; with =memory, the levels of memory "
			"first; with =level2, all of level 2, in turns",
	},
	{
		.name = "user",
		.offset = offsetof(struct record_options, pmu.user),
		.help = "sample and count only what user code causes",
	},
	{
		.name = "kernel",
		.offset = offsetof(struct record_options, pmu.kernel),
		.help = "sample and count only what the kernel causes",
	},
	CLI_END,
};

static int refuse_combination(const char *what)
{
	diag_error("record: %s (annot record --help)", what);
	return EXIT_USAGE;
}

static bool measures_events(const struct pmu_options *pmu)
{
	return pmu->samples.nr || pmu->freq_hz || pmu->counts.nr || pmu->topdown.is_given;
}

static int check_combination(const struct record_options *record)
{
	const struct pmu_options *pmu = &record->pmu;

	if (record->v6 && record->plan.compression && strcmp(record->plan.compression, "none"))
		return refuse_combination("version 6 of a trace.dat cannot be compressed");
	if (record->plan.pid && record->plan.command)
		return refuse_combination("either -p or a command, not both");
	if (record->attach.is_made && !record->plan.command)
		return refuse_combination("--attach needs a command");
	if (pmu->user && pmu->kernel)
		return refuse_combination(
			"either --user or --kernel; without either, both are measured");
	if (!pmu->samples.nr &&
	    (pmu->period || (!pmu->freq_hz && (pmu->max_samples || pmu->registers))))
		return refuse_combination(
			"-c, --max-samples and --registers need samples: -e is missing");
	if (!pmu->samples.nr && !pmu->freq_hz && !record->plan.why && pmu->stacks)
		return refuse_combination("--call-stacks needs -e, -F or --why");
	if (!measures_events(pmu) && (pmu->user || pmu->kernel))
		return refuse_combination(
			"--user and --kernel need events: -e or --count is missing");
	return EXIT_OK;
}

static int parse_number(const char *option, const char *text, const char *why, uint64_t *number)
{
	const struct cli_value value = { &cmd_record, cli_option_by_name(&cmd_record, option),
					 text };
	unsigned long parsed;
	int status = cli_value_number(&value, INT64_MAX, why, &parsed);

	*number = parsed;
	return status;
}

static int parse_figures(const struct pmu_options *pmu, struct measure_plan *measure)
{
	int status = EXIT_OK;

	if (pmu->period)
		status = parse_number("period", pmu->period, "not a number of events from 1 on",
				      &measure->period);
	if (!status && pmu->max_samples)
		status = parse_number("max-samples", pmu->max_samples,
				      "not a number of samples from 1 on", &measure->max_samples);
	return status;
}

/* Where the module is not loaded, annot counts events itself; and groups, as the kernel gives a module none. */
static int take_groups(struct record_options *record)
{
	struct pmu_requests *requests = &record->plan.measure.requests;

	if (requests->needs_groups)
		pmu_requests_take_counted(requests, &record->plan.groups);
	if (!record->plan.groups.nr || !strcmp(record->plan.clock, GROUP_LOG_CLOCK))
		return EXIT_OK;
	diag_error(
		"record: --count of groups, or without the module, needs the clock " GROUP_LOG_CLOCK
		", not %s",
		record->plan.clock);
	return EXIT_USAGE;
}

static int add_requests(struct measure_plan *measure, const struct pmu_options *pmu, bool counted)
{
	const struct value_list *lists = counted ? &pmu->counts : &pmu->samples;
	const struct pmu_request_rules rules = {
		.command = "record",
		.counted = counted,
		.takes_uncore = counted,
		.takes_groups = counted,
		.user = !pmu->kernel,
		.kernel = !pmu->user,
		.apart = counted,
	};
	int status = EXIT_OK;

	for (size_t i = 0; i < lists->nr && !status; i++)
		status = pmu_requests_add(&measure->requests, lists->values[i], &rules);
	return status;
}

/* A clock of the kernel's, whose ticks have stacks: what it finds is where a program spends its time. */
static int add_profile(struct measure_plan *measure, const struct pmu_options *pmu)
{
	const struct pmu_request_rules rules = {
		.command = "record",
		.user = !pmu->kernel,
		.kernel = !pmu->user,
	};
	struct pmu_request *request;
	int status = pmu_requests_add(&measure->requests, PROFILE_EVENT, &rules);

	if (status)
		return status;
	request = &measure->requests.requests[measure->requests.nr - 1];
	request->skips_idle = true;
	request->code.period = (NS_PER_S + pmu->freq_hz / 2) / pmu->freq_hz;
	measure->stacks = true;
	return EXIT_OK;
}

/* Not apart: there would be twice as many. */
static int add_topdown(struct measure_plan *measure, const struct pmu_options *pmu)
{
	const struct pmu_request_rules rules = {
		.command = "record",
		.counted = true,
		.user = !pmu->kernel,
		.kernel = !pmu->user,
	};

	return pmu_topdown_add(&measure->requests, pmu->topdown.first, &rules);
}

/* Names of more bytes do not fit into what the module takes. */
static int check_names(const struct pmu_requests *requests)
{
	for (size_t i = 0; i < requests->nr; i++) {
		if (strlen(requests->requests[i].name) >= ANNOT_EVENT_NAME_MAX_BYTES) {
			diag_error("record: event '%s': a name has %d characters at most",
				   requests->requests[i].name, ANNOT_EVENT_NAME_MAX_BYTES - 1);
			return EXIT_USAGE;
		}
	}
	return EXIT_OK;
}

/* On x86 the driver of the PMU silently makes a period of 1 one of 2. */
static int check_periods(const struct measure_plan *measure)
{
#if defined(__x86_64__) || defined(__i386__)
	for (size_t i = 0; i < measure->requests.nr; i++) {
		const struct pmu_request *request = &measure->requests.requests[i];
		const struct pmu_code *code = &request->code;

		if (request->counted || request->not_here || code->is_software ||
		    measure_period(measure, code) != 1)
			continue;
		diag_error(
			"record: event '%s': on x86, the smallest period of a PMU event is 2 (-c 2); to count "
			"every event: --count",
			request->name);
		return EXIT_USAGE;
	}
#else
	(void)measure;
#endif
	return EXIT_OK;
}

static int plan_measurement(struct record_options *record)
{
	struct measure_plan *measure = &record->plan.measure;
	const struct pmu_options *pmu = &record->pmu;
	int status;

	measure->stacks = pmu->stacks;
	if (!measures_events(pmu))
		return EXIT_OK;
	measure->quiet = record->plan.quiet;
	measure->registers = pmu->registers;
	measure->requests.needs_groups = access(PATH_CTL_DEVICE, F_OK);
	status = parse_figures(pmu, measure);
	if (!status && pmu_names_open(NULL))
		status = EXIT_USAGE;
	if (!status)
		status = add_requests(measure, pmu, false);
	if (!status && pmu->freq_hz)
		status = add_profile(measure, pmu);
	if (!status)
		status = add_requests(measure, pmu, true);
	pmu_requests_take_uncore(&measure->requests, &record->plan.uncore);
	if (!status && pmu->topdown.is_given)
		status = add_topdown(measure, pmu);
	if (!status)
		status = take_groups(record);
	if (!status)
		status = pmu_places_add(&measure->requests, ANNOT_EVENTS_MAX, "record");
	if (!status)
		status = check_names(&measure->requests);
	if (!status)
		status = check_names(&record->plan.groups);
	return status ? status : check_periods(measure);
}

static int plan_recording(int argc, char **argv, struct record_options *record)
{
	int status = cli_parse(&cmd_record, argc, argv, record);

	if (status >= 0)
		return status;
	record->plan.command = optind < argc ? argv + optind : NULL;
	record->plan.version = record->v6 ? 6 : 7;
	status = check_combination(record);
	if (!record->plan.compression)
		record->plan.compression = record->v6 ? "none" : DEFAULT_COMPRESSION;
	if (!status)
		status = plan_measurement(record);
	return status ? status : -1;
}

/* Of a command that is not there, the recording tells itself. */
static int record_attached(struct record_options *record)
{
	char path[PATH_MAX];
	struct attach_plan attach;
	int status;

	if (!record->attach.is_made || program_path_find(*record->plan.command, path))
		return session_run(&record->plan);
	attach_plan_make(&attach, record->plan.command, &record->attach.choice);
	attach_complain(&attach, &record->attach.choice, "record: --attach");
	record->plan.attach = &attach.environment;
	status = session_run(&record->plan);
	record->plan.attach = NULL;
	attach_plan_free(&attach);
	return status;
}

static int run(int argc, char **argv)
{
	size_t room = (size_t)argc + 1;
	/* Each option of the command line is in one of the three lists. */
	const char **lists = calloc(3 * room, sizeof(*lists));
	struct record_options record = {
		.plan = {
			.output = DEFAULT_OUTPUT,
			.clock = DEFAULT_CLOCK,
			.extra_events = lists,
		},
		.tracepoints.values = lists,
	};
	int status;

	if (!lists) {
		diag_error("record: %s", strerror(ENOMEM));
		return EXIT_BAD_INPUT;
	}
	record.pmu.samples.values = lists + room;
	record.pmu.counts.values = lists + 2 * room;
	status = plan_recording(argc, argv, &record);
	if (status < 0)
		status = record_attached(&record);
	pmu_requests_free(&record.plan.measure.requests);
	pmu_requests_free(&record.plan.uncore);
	pmu_requests_free(&record.plan.groups);
	free(lists);
	return status;
}

const struct cli_command cmd_record = {
	.name = "record",
	.summary = "run a command and record what it and the kernel did",
	.usage = usage,
	.about =
		"Runs COMMAND and records its annotations and the scheduler's decisions; with -e or --count, "
		"also its cache misses and other events of the CPU; with -F, where it spends its time. Without COMMAND, records until ^C. The "
		"exit status is that of COMMAND.",
	.options = options,
	.notes = "Then: annot report FILE, annot html FILE.",
	.has_program = true,
	.operand = CLI_PROGRAM,
	.run = run,
};

// SPDX-License-Identifier: GPL-2.0
/*
 * annot record: what is to be recorded, and how; session_run() does it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "cmd/cmd.h"
#include "cmd/record_values.h"
#include "pmu/names.h"
#include "record/session.h"
#include "util/diag.h"
#include "util/options.h"

#define DEFAULT_OUTPUT "trace.dat"
#define DEFAULT_CLOCK "mono"
#define DEFAULT_COMPRESSION "zstd"
/* A prime number: a program's rounds are hardly ever in step with that. */
#define DEFAULT_PERIOD 10007

static void usage(void)
{
	puts("usage: annot record [options] [--] COMMAND [ARGUMENT...]\n"
	     "       annot record [options] [-p PID]\n"
	     "\n"
	     "Runs COMMAND and records what it annotated and what the scheduler did with it;\n"
	     "with -t or --count, also where it missed caches, or what else the CPU can\n"
	     "count. Without COMMAND, records until ^C. The exit status is that of COMMAND.\n"
	     "\n"
	     "  -o, --output FILE          write FILE (default: trace.dat)\n"
	     "  -b, --buffer-size-kb SIZE  the kernel's buffer on each CPU (default: 16384, or\n"
	     "                             what a 16th of the free memory allows)\n"
	     "  -C, --clock CLOCK          trace clock (default: mono, CLOCK_MONOTONIC)\n"
	     "  -e, --event EVENT          record EVENT, too: SYSTEM, SYSTEM:NAME or NAME, as\n"
	     "                             'trace-cmd list -e' has them; may be repeated\n"
	     "      --compression HOW      of FILE: zstd (default), zlib or none\n"
	     "      --v6                   write version 6 of trace.dat, as old trace-cmd\n"
	     "                             reads it: it is not compressed\n"
	     "      --readable             record annotations one by one, not in batches, as\n"
	     "                             programs without annot's plugin can print them\n"
	     "  -d, --duration SECONDS     record for so long at most; COMMAND runs on\n"
	     "  -p, --pid PID              no COMMAND, but a process that runs, until it ends\n"
	     "  -q, --quiet                say nothing but warnings and errors\n"
	     "  -h, --help                 this text\n"
	     "\n"
	     "With the module annot.ko, and as root (annot list has the names of EVENTs):\n"
	     "\n"
	     "  -t, --sample EVENT,...     a sample of each EVENT every so often: where it was\n"
	     "  -i, --period PERIOD        one sample in so many of the event (default: 10007)\n"
	     "  -c, --max-samples NUMBER   stop sampling an event after so many\n"
	     "      --registers            each sample with the general registers\n"
	     "      --count EVENT,...      how many of each EVENT in each slice of time on a\n"
	     "                             CPU, user and kernel apart\n"
	     "  -u, --user                 only what user code causes (of both)\n"
	     "  -k, --kernel               only what the kernel causes (of both)\n"
	     "\n"
	     "Then: annot html FILE, annot report FILE. More: man annot-record.");
}

/* What the command line says of the PMU, until all of it is read. */
struct pmu_options {
	const char **samples; /* the values of -t */
	const char **counts; /* and of --count */
	size_t nr_samples;
	size_t nr_counts;
	const char *period;
	const char *max_samples;
	bool registers;
	bool user;
	bool kernel;
};

struct record_options {
	struct session_plan plan; /* its lists have room for all of the command line */
	struct pmu_options pmu;
	size_t nr_extra_events;
	bool help;
};

static int parse_pmu_option(struct pmu_options *pmu, int option)
{
	switch (option) {
	case 't':
		pmu->samples[pmu->nr_samples++] = optarg;
		break;
	case 'n':
		pmu->counts[pmu->nr_counts++] = optarg;
		break;
	case 'i':
		pmu->period = optarg;
		break;
	case 'c':
		pmu->max_samples = optarg;
		break;
	case 'R':
		pmu->registers = true;
		break;
	case 'u':
		pmu->user = true;
		break;
	case 'k':
		pmu->kernel = true;
		break;
	default:
		return -1;
	}
	return EXIT_OK;
}

static int parse_option(struct record_options *record, int option)
{
	struct session_plan *plan = &record->plan;

	switch (option) {
	case 'o':
		plan->output = optarg;
		break;
	case 'b':
		return record_value_buffer_kb(optarg, &plan->buffer_kb);
	case 'C':
		return record_value_clock(optarg, &plan->clock);
	case 'e':
		plan->extra_events[record->nr_extra_events++] = optarg;
		break;
	case 'z':
		return record_value_compression(optarg, &plan->compression);
	case '6':
		plan->version = 6;
		break;
	case 'r':
		plan->readable = true;
		break;
	case 'd':
		return record_value_duration_s(optarg, &plan->duration_s);
	case 'p':
		return record_value_pid(optarg, &plan->pid);
	case 'q':
		plan->quiet = true;
		break;
	case 'h':
		record->help = true;
		break;
	default:
		return parse_pmu_option(&record->pmu, option);
	}
	return EXIT_OK;
}

/* Returns an exit status. */
static int parse_options(int argc, char **argv, struct record_options *record)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "buffer-size-kb", required_argument, NULL, 'b' },
		{ "clock", required_argument, NULL, 'C' },
		{ "event", required_argument, NULL, 'e' },
		{ "compression", required_argument, NULL, 'z' },
		{ "v6", no_argument, NULL, '6' },
		{ "readable", no_argument, NULL, 'r' },
		{ "duration", required_argument, NULL, 'd' },
		{ "pid", required_argument, NULL, 'p' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ "sample", required_argument, NULL, 't' },
		{ "period", required_argument, NULL, 'i' },
		{ "max-samples", required_argument, NULL, 'c' },
		{ "registers", no_argument, NULL, 'R' },
		{ "count", required_argument, NULL, 'n' },
		{ "user", no_argument, NULL, 'u' },
		{ "kernel", no_argument, NULL, 'k' },
		{ 0 },
	};
	int status = EXIT_OK;
	int option;

	/* "+": the command's own options are none of ours. */
	while (!status && !record->help) {
		option = getopt_long(argc, argv, "+:o:b:C:e:d:p:qht:i:c:uk", options, NULL);
		if (option == -1)
			break;
		status = parse_option(record, option);
		if (status < 0)
			status = options_error("record", option, argv, options);
	}
	record->plan.command = optind < argc ? argv + optind : NULL;
	return status;
}

static int refuse_combination(const char *what)
{
	diag_error("record: %s (annot record --help)", what);
	return EXIT_USAGE;
}

static int check_combination(const struct record_options *record)
{
	const struct pmu_options *pmu = &record->pmu;

	if (record->plan.version == 6 && record->plan.compression &&
	    strcmp(record->plan.compression, "none"))
		return refuse_combination("version 6 of a trace.dat cannot be compressed");
	if (record->plan.pid && record->plan.command)
		return refuse_combination("either -p or a command, not both");
	if (pmu->user && pmu->kernel)
		return refuse_combination("either -u or -k; without, both are measured");
	if (!pmu->nr_samples && (pmu->period || pmu->max_samples || pmu->registers))
		return refuse_combination("-i, -c and --registers are of samples: -t is missing");
	if (!pmu->nr_samples && !pmu->nr_counts && (pmu->user || pmu->kernel))
		return refuse_combination("-u and -k are of events: -t or --count is missing");
	return EXIT_OK;
}

static int parse_figures(const struct pmu_options *pmu, struct measure_plan *measure)
{
	unsigned long number;
	int status = EXIT_OK;

	measure->period = DEFAULT_PERIOD;
	if (pmu->period) {
		status = record_value_number("--period", pmu->period, INT64_MAX,
					     "not a number of events from 1 on", &number);
		measure->period = number;
	}
	if (!status && pmu->max_samples) {
		status = record_value_number("--max-samples", pmu->max_samples, INT64_MAX,
					     "not a number of samples from 1 on", &number);
		measure->max_samples = number;
	}
	return status;
}

static int add_requests(struct measure_plan *measure, const struct pmu_options *pmu, bool counted)
{
	const char **lists = counted ? pmu->counts : pmu->samples;
	size_t nr = counted ? pmu->nr_counts : pmu->nr_samples;
	const struct request_rules rules = {
		.command = "record",
		.counted = counted,
		.user = !pmu->kernel,
		.kernel = !pmu->user,
		.apart = counted,
	};
	int status = EXIT_OK;

	for (size_t i = 0; i < nr && !status; i++)
		status = requests_add(&measure->requests, lists[i], &rules);
	return status;
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

/* Without a word, x86's driver of the PMU makes a period of 1 one of 2. */
static int check_periods(const struct measure_plan *measure)
{
#if defined(__x86_64__) || defined(__i386__)
	for (size_t i = 0; i < measure->requests.nr; i++) {
		const struct pmu_request *request = &measure->requests.requests[i];
		const struct pmu_code *code = &request->code;

		if (request->counted || request->not_here || code->is_software ||
		    (code->period ? code->period : measure->period) != 1)
			continue;
		diag_error("record: event '%s': a period of 1 is not to be had from a PMU on x86; "
			   "2 is (-i 2), or count it: --count",
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

	if (!pmu->nr_samples && !pmu->nr_counts)
		return EXIT_OK;
	measure->quiet = record->plan.quiet;
	measure->registers = pmu->registers;
	status = parse_figures(pmu, measure);
	if (!status && names_open(NULL))
		status = EXIT_USAGE;
	if (!status)
		status = add_requests(measure, pmu, false);
	if (!status)
		status = add_requests(measure, pmu, true);
	if (!status)
		status = check_names(&measure->requests);
	return status ? status : check_periods(measure);
}

static int run(int argc, char **argv, struct record_options *record)
{
	int status = parse_options(argc, argv, record);

	if (record->help) {
		usage();
		return EXIT_OK;
	}
	if (!status)
		status = check_combination(record);
	if (!record->plan.compression)
		record->plan.compression = record->plan.version == 6 ? "none" : DEFAULT_COMPRESSION;
	if (!status)
		status = plan_measurement(record);
	return status ? status : session_run(&record->plan);
}

int cmd_record(int argc, char **argv)
{
	size_t room = (size_t)argc + 1;
	/* One list after the other: each option is in one of them. */
	const char **lists = calloc(3 * room, sizeof(*lists));
	struct record_options record = {
		.plan = {
			.output = DEFAULT_OUTPUT,
			.clock = DEFAULT_CLOCK,
			.version = 7,
			.extra_events = lists,
		},
	};
	int status;

	if (!lists) {
		diag_error("record: %s", strerror(ENOMEM));
		return EXIT_BAD_INPUT;
	}
	record.pmu.samples = lists + room;
	record.pmu.counts = lists + 2 * room;
	status = run(argc, argv, &record);
	requests_free(&record.plan.measure.requests);
	free(lists);
	return status;
}

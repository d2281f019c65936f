// SPDX-License-Identifier: GPL-2.0
/*
 * annot doctor: what is lacking for a recording, and the line that cures it.
 */
#include <limits.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "doctor/print.h"
#include "doctor/switch_probe.h"
#include "record/buffer/tracing.h"
#include "util/diag.h"
#include "util/options.h"

/* By the worst verdict; EXIT_USAGE is the number of the last. */
enum doctor_status {
	DOCTOR_WELL = 0,
	DOCTOR_LIMITED = 1,
	DOCTOR_PREVENTED = 2,
};

static void usage(void)
{
	puts("usage: annot doctor [--json]\n"
	     "\n"
	     "Looks at what a recording needs and at what limits it: tracefs, privileges,\n"
	     "the module, the PMU, clocks, memory, containers. Prints for each what is so\n"
	     "and, where something is lacking, the line that cures it.\n"
	     "\n"
	     "      --json  the same, as JSON\n"
	     "  -h, --help  this text\n"
	     "\n"
	     "Exit status: 0, nothing is lacking; 1, something limits what is recorded; 2,\n"
	     "something prevents a recording. More: man annot-doctor.");
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, bool *json)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'j':
			*json = true;
			break;
		case 'h':
			usage();
			return EXIT_OK;
		default:
			return options_error("doctor", option, argv, options);
		}
	}
	if (optind < argc) {
		diag_error("doctor: it takes no arguments: '%s'", argv[optind]);
		return EXIT_USAGE;
	}
	return -1;
}

static void look(struct verdict *verdicts)
{
	struct machine machine;
	char tracing[PATH_MAX];

	machine_read(&machine);
	machine.buffer_kb = tracing_default_buffer_kb();
	if (machine_tracing_dir(&machine, tracing, NULL))
		switch_probe(tracing, &machine.switches);
	for (int check = 0; check < NR_CHECKS; check++)
		doctor_look((enum check)check, &machine, &verdicts[check]);
}

static enum doctor_status worst(const struct verdict *verdicts)
{
	enum doctor_status status = DOCTOR_WELL;

	for (int check = 0; check < NR_CHECKS; check++) {
		if (verdicts[check].severity == SEVERITY_PREVENTS)
			return DOCTOR_PREVENTED;
		if (verdicts[check].severity == SEVERITY_LIMITS)
			status = DOCTOR_LIMITED;
	}
	return status;
}

int cmd_doctor(int argc, char **argv)
{
	struct verdict verdicts[NR_CHECKS];
	bool json = false;
	int status = parse(argc, argv, &json);

	if (status >= 0)
		return status;
	look(verdicts);
	if (json)
		print_json(stdout, verdicts);
	else
		print_text(stdout, verdicts);
	return (int)worst(verdicts);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * annot doctor: what prevents or limits a recording, and the command that cures it.
 */
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "doctor/print.h"
#include "doctor/switch_probe.h"
#include "record/buffer/tracing.h"
#include "util/diag.h"

/* By the worst verdict; EXIT_USAGE is the number of the last. */
enum doctor_status {
	DOCTOR_WELL = 0,
	DOCTOR_LIMITED = 1,
	DOCTOR_PREVENTED = 2,
};

struct doctor_options {
	bool json;
};

static const char *const usage[] = { "[options]", NULL };

static const struct cli_option options[] = {
	{
		.name = "json",
		.offset = offsetof(struct doctor_options, json),
		.help = "print the same as JSON",
	},
	CLI_END,
};

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct doctor_options *doctor)
{
	int status = cli_parse(&cmd_doctor, argc, argv, doctor);

	if (status >= 0)
		return status;
	if (optind < argc) {
		diag_error("doctor: takes no arguments, but got '%s'", argv[optind]);
		return EXIT_USAGE;
	}
	return -1;
}

static void run_checks(struct verdict *verdicts)
{
	struct machine machine;
	char tracing[PATH_MAX];

	machine_read(&machine);
	machine.buffer_kb = tracing_default_buffer_kb();
	if (machine_tracing_dir(&machine, tracing, NULL))
		switch_probe(tracing, &machine.switches);
	for (int check = 0; check < NR_CHECKS; check++)
		doctor_check_run((enum doctor_check)check, &machine, &verdicts[check]);
}

static enum doctor_status worst_status(const struct verdict *verdicts)
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

static int run(int argc, char **argv)
{
	struct verdict verdicts[NR_CHECKS];
	struct doctor_options options_given = { 0 };
	int status = parse_options(argc, argv, &options_given);

	if (status >= 0)
		return status;
	run_checks(verdicts);
	if (options_given.json)
		doctor_print_json(stdout, verdicts);
	else
		doctor_print_text(stdout, verdicts);
	return (int)worst_status(verdicts);
}

const struct cli_command cmd_doctor = {
	.name = "doctor",
	.summary = "check what prevents or limits a recording",
	.usage = usage,
	.about =
		"Checks what a recording needs and what limits it: tracefs, privileges, the module, the PMU, "
		"clocks, memory, containers. Prints the result of each check and, where something is "
		"missing, the command that cures it.",
	.options = options,
	.notes =
		"Exit status: 0, nothing is missing; 1, something limits what is recorded; 2, something "
		"prevents a recording.",
	.run = run,
};

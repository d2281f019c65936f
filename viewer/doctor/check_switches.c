// SPDX-License-Identifier: GPL-2.0
/* Switches that the kernel does not record. */
#include "doctor/check_switches.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void say_counts(const struct switch_counts *counts, struct verdict *verdict)
{
	uint64_t missing_on;
	uint64_t missing = switch_counts_missing(counts, &missing_on);

	if (!missing) {
		verdict_say(verdict, counts->with_idle ? SEVERITY_OK : SEVERITY_UNKNOWN,
			    "none of %" PRIu64 " switches is missing; %" PRIu64 " from or to idle",
			    2 * counts->made, counts->with_idle);
		return;
	}
	verdict_say(verdict, SEVERITY_LIMITS,
		    "%" PRIu64 " of %" PRIu64 " switches are missing, %" PRIu64 " onto a CPU",
		    missing, 2 * counts->made, missing_on);
	verdict_cure(verdict, "boot another kernel: Debian's 6.1 and 6.12 miss none");
}

void doctor_check_switches(const struct machine *machine, struct verdict *verdict)
{
	const struct switch_counts *counts = &machine->switches;

	if (!counts->tried || counts->error == EACCES || counts->error == EPERM)
		verdict_say(verdict, SEVERITY_UNKNOWN, "only a user who may trace can check it");
	else if (counts->error)
		verdict_say(verdict, SEVERITY_UNKNOWN, "the check failed: %s",
			    strerror(counts->error));
	else
		say_counts(counts, verdict);
}

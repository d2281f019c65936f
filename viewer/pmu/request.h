/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that a command line asks for: "EVENT,EVENT", each with its code.
 */
#ifndef ANNOT_PMU_REQUEST_H
#define ANNOT_PMU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/encode.h"

#define REQUEST_WHY_BYTES 256

struct pmu_request {
	char *name; /* as typed, with :u or :k where it was taken apart */
	bool counted; /* else sampled */
	bool not_here; /* an alias this CPU has no event for: there is no code */
	struct pmu_code code;
};

struct pmu_requests {
	size_t nr;
	struct pmu_request *requests;
};

/* What to make of the names of a list. */
struct pmu_request_rules {
	const char *command; /* whose command line it is, for what is said of it */
	bool counted;
	bool user; /* what to count where the name does not say */
	bool kernel;
	bool apart; /* what counts both becomes two: NAME:u and NAME:k */
};

/*
 * Appends the events of @list to @requests. Returns an exit status: EXIT_USAGE after one line on
 * stderr for a name that is none, or is there twice.
 */
int pmu_requests_add(struct pmu_requests *requests, const char *list,
		     const struct pmu_request_rules *rules);

/*
 * Warns, in the name of @command, that @request is refused with @error (an errno), and says why in
 * words. Of an alias this CPU has no event for, @error does not count.
 */
void pmu_request_report_refusal(const struct pmu_request *request, const char *command, int error);

void pmu_requests_free(struct pmu_requests *requests);

#endif /* ANNOT_PMU_REQUEST_H */

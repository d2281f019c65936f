/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a command line: "EVENT,{EVENT,EVENT}", each with its code.
 */
#ifndef ANNOT_PMU_REQUEST_H
#define ANNOT_PMU_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/encode.h"

#define REQUEST_WHY_BYTES 256

struct pmu_request {
	char *name; /* as typed; with :u or :k added if it was split */
	bool counted; /* false: sampled */
	bool not_here; /* an alias without an event on this CPU: there is no code */
	bool is_of_topdown; /* one of those that annot chose for this CPU */
	bool goes_beside; /* of top-down: of use only at the same time as those of the group before */
	bool is_extra; /* of top-down: taken where there is room; nobody misses it else */
	bool goes_whole; /* of top-down: of use only at the same time as all others of its group */
	bool skips_idle; /* no samples of CPUs that have nothing to do */
	unsigned int
		group; /* to be counted at the same time as others of that number; 0: as may be */
	struct pmu_code code;
};

struct pmu_requests {
	size_t nr;
	struct pmu_request *requests;
	unsigned int nr_groups;
	bool needs_groups; /* not only as many as fit: the events of a group are to be counted at the same time */
};

/* How to interpret the names of a list. */
struct pmu_request_rules {
	const char *command; /* name of the command, for messages */
	bool counted;
	bool user; /* what to count if the name does not say it */
	bool kernel;
	bool takes_uncore; /* the command counts events that CPUs share, too */
	bool takes_groups; /* "{EVENT,EVENT}" is a group */
	bool apart; /* split events that count both: NAME:u and NAME:k */
};

/*
 * Appends the events of @list to @requests. Returns an exit status: EXIT_USAGE after one line on
 * stderr if a name is unknown or repeated.
 */
int pmu_requests_add(struct pmu_requests *requests, const char *list,
		     const struct pmu_request_rules *rules);

/* Whether an event of that name, as typed, is there: counted or sampled. */
bool pmu_requests_have(const struct pmu_requests *requests, const char *name, bool counted);

/* Takes over what @request owns. */
void pmu_requests_append(struct pmu_requests *requests, const struct pmu_request *request);

/* Moves the events that CPUs share from @requests to the end of @uncore. */
void pmu_requests_take_uncore(struct pmu_requests *requests, struct pmu_requests *uncore);

/* Moves the counted events from @requests to the end of @counted. */
void pmu_requests_take_counted(struct pmu_requests *requests, struct pmu_requests *counted);

/*
 * Warns, as @command, that @request is refused with @error (an errno), and explains it. For an
 * alias without an event on this CPU, @error is ignored.
 */
void pmu_request_report_refusal(const struct pmu_request *request, const char *command, int error);

void pmu_requests_free(struct pmu_requests *requests);

#endif /* ANNOT_PMU_REQUEST_H */

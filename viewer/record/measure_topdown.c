// SPDX-License-Identifier: GPL-2.0
#include "record/measure_topdown.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/topdown.h"
#include "util/diag.h"

#define LIST_BYTES 1024

/* What became of one. */
enum outcome {
	COUNTED,
	NO_COUNTER,
	REFUSED,
	NR_OUTCOMES,
};

struct names {
	size_t nr;
	char list[LIST_BYTES]; /* "A, B" */
};

static enum outcome outcome_of(const struct annot_event *event)
{
	if (!event->error)
		return COUNTED;
	return event->error == EBUSY ? NO_COUNTER : REFUSED;
}

static void add_name(struct names *names, const char *name)
{
	size_t length = strlen(names->list);

	snprintf(names->list + length, sizeof(names->list) - length, "%s%s", names->nr ? ", " : "",
		 name);
	names->nr++;
}

static void print(const struct names *names, bool quiet)
{
	if (names[COUNTED].nr && !quiet)
		diag_note("counts for top-down, each by itself, not as one group: %s",
			  names[COUNTED].list);
	if (names[NO_COUNTER].nr)
		diag_warn(TOPDOWN_NO_COUNTER, names[NO_COUNTER].list);
}

void measure_topdown_report(const struct measure_plan *plan, const struct annot_event *events)
{
	struct names names[NR_OUTCOMES] = { 0 };

	for (size_t i = 0; i < plan->requests.nr; i++) {
		const struct pmu_request *request = &plan->requests.requests[i];
		const struct annot_event *event = request->not_here ? NULL : events++;

		if (!request->is_of_topdown)
			continue;
		add_name(&names[outcome_of(event)], request->name);
		if (outcome_of(event) == REFUSED)
			pmu_request_report_refusal(request, "record", event->error);
	}
	print(names, plan->quiet);
}

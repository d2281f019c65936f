/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sleeps that lasted longer than the thread asked for: sleeps that a timer ended (model/kernel/timers.h), by thread.
 *
 * A sleep is late by the time from when its timer was to expire to when it expired. The kernel may let it expire later, by the
 * thread's timer slack (50 us unless it says otherwise), to serve several at once; what is beyond that is the timer's own
 * lateness. That the thread then waits for a CPU is not counted here.
 */
#ifndef ANNOT_SLEEPS_H
#define ANNOT_SLEEPS_H

#include "analysis/base/findings.h"
#include "analysis/stats/distribution.h"

struct sleeps_thread {
	uint32_t thread;
	uint64_t nr;
	struct distribution asked_ns;
	struct distribution late_ns;
	uint64_t slack_ns; /* of the lateness: within the slack */
	uint64_t latest_from_ns; /* the latest one */
	uint64_t latest_to_ns;
};

struct sleeps {
	size_t nr; /* threads of the session that slept so, those with the greatest lateness first */
	struct sleeps_thread *threads;
};

/* Never fails. sleeps_free() frees what is in it. Cost: O(n log n) of n sleeps. */
struct sleeps sleeps_compute(const struct model *model);
void sleeps_free(struct sleeps *sleeps);

/*
 * Adds one finding: of the thread whose sleeps were later than those of others, if they were SLEEPS_LEAST_TIMES or more, and their
 * lateness SLEEPS_LATE_SHARE of what it asked for. At most the lateness is lost.
 */
#define SLEEPS_LEAST_TIMES 10
#define SLEEPS_LATE_SHARE 0.2
void sleeps_add_findings(const struct model *model, const struct sleeps *sleeps,
			 struct findings *findings);

#endif /* ANNOT_SLEEPS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Page-fault storms: FAULT_STORM_LEAST page faults of a thread or more, each at most FAULT_STORM_PAUSE_NS of the thread's time on CPUs
 * behind the one before it. A storm lasts from its first fault to its last; only the thread's time on CPUs counts.
 *
 * A trace tells when a fault begins, not when it ends. What the thread did between two faults is in a storm's time, too: it is
 * an upper bound of what its faults cost. Where it is not known what the thread did, a storm ends.
 */
#ifndef ANNOT_FAULT_STORMS_H
#define ANNOT_FAULT_STORMS_H

#include "analysis/base/findings.h"

#define FAULT_STORM_LEAST 50
#define FAULT_STORM_PAUSE_NS 20000u
#define FAULT_STORM_PAGE_BITS 12

struct fault_storms_thread {
	uint32_t thread;
	uint64_t faults; /* all */
	uint64_t storms;
	uint64_t storm_faults;
	uint64_t storm_pages; /* different pages of 4 KiB of these */
	uint64_t ns; /* of storms */
	double share; /* of the thread's time on CPUs */
	uint64_t longest_ns; /* of the longest storm; when it began and ended */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct fault_storms {
	size_t nr; /* threads of the session with page faults, those with the longest storms first */
	struct fault_storms_thread *threads;
	uint64_t ns; /* in which any had a storm */
};

/* Never fails. fault_storms_free() frees what is in it. Cost: O(n log n) of n faults and states. */
struct fault_storms fault_storms_compute(const struct model *model);
void fault_storms_free(struct fault_storms *storms);

/*
 * Adds one finding: of the thread with the longest storms, if they were FAULT_STORM_SHARE of its time on CPUs or more. At most the
 * time is lost in which any thread of the session had a storm.
 */
#define FAULT_STORM_SHARE 0.05
void fault_storms_add_findings(const struct model *model, const struct fault_storms *storms,
			       struct findings *findings);

#endif /* ANNOT_FAULT_STORMS_H */

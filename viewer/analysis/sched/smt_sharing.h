/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads of the session that run while the SMT sibling of their CPU runs a thread, too: for how long, beside whom, and what that
 * costs. When: smt_times.h. How fast they are beside a busy sibling, and alone: smt_rates.h.
 *
 * Of a thread whose rates are known, shared_ns x (1 - shared / alone) are lost. That is not all avoidable: two threads of the
 * session beside each other may do more than one alone. Avoidable is what is lost beside threads of others, or while a whole
 * core is idle. Of a thread whose rates are not known, all of its shared time with an idle core may be lost. One whose rates
 * do not differ for sure loses nothing.
 */
#ifndef ANNOT_SMT_SHARING_H
#define ANNOT_SMT_SHARING_H

#include "analysis/base/findings.h"
#include "analysis/sched/smt_rates.h"

/* Of a thread, or of all. */
struct smt_sharing_sums {
	uint64_t on_cpu_ns; /* on CPUs that have a sibling */
	uint64_t shared_ns; /* of that, a sibling was busy, with threads ... */
	uint64_t own_ns; /* ... of the session */
	uint64_t others_ns; /* ... of others only */
	uint64_t idle_core_ns; /* of shared_ns: a whole core was idle meanwhile */
	double lost_ns; /* of known_ns; its bounds */
	double lost_low_ns;
	double lost_high_ns;
	uint64_t known_ns; /* of shared_ns: of threads whose rates are known */
};

struct smt_sharing_thread {
	uint32_t thread;
	struct smt_sharing_sums sums;
	uint32_t
		worst_program; /* of others that ran beside it for longest: string id; TRACE_NO_STRING: none did */
	uint64_t worst_program_ns;
	struct smt_rate rate;
	uint64_t at_most_ns; /* lost, and avoidable */
	uint64_t longest_from_ns; /* beside one busy sibling */
	uint64_t longest_to_ns;
	int longest_cpu;
	int longest_by_cpu;
};

struct smt_sharing {
	bool has_siblings; /* the trace tells of CPUs that share a core */
	enum smt_measure measure;
	size_t nr; /* threads of the session that shared a core; those that lost most at most first */
	struct smt_sharing_thread *threads;
	struct smt_sharing_sums all; /* of these */
	uint64_t
		at_most_ns; /* elapsed time: of what threads lost at the same time, the most counts */
};

/* Never fails. smt_sharing_free() frees what is in it. Cost: O(n log n) of n slices, and bootstraps of rates. */
struct smt_sharing smt_sharing_compute(const struct model *model);
void smt_sharing_free(struct smt_sharing *sharing);

/* Adds one finding, if anything may be lost. At most at_most_ns are. */
void smt_sharing_add_findings(const struct model *model, const struct smt_sharing *sharing,
			      struct findings *findings);

#endif /* ANNOT_SMT_SHARING_H */

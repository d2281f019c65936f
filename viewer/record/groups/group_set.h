/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of events, in groups (group_forming.h), on all CPUs. Where there are several groups, they take turns.
 */
#ifndef ANNOT_RECORD_GROUPS_GROUP_SET_H
#define ANNOT_RECORD_GROUPS_GROUP_SET_H

#include <sys/resource.h>

#include "pmu/request.h"
#include "record/groups/counter_group.h"

struct event_group {
	size_t nr;
	const struct pmu_request *requests[TRACE_GROUP_MOST_COUNTS];
};

struct refused_event {
	const struct pmu_request *request;
	int error;
};

struct group_set {
	size_t nr_groups;
	struct event_group *groups;
	size_t nr_refused;
	struct refused_event *refused;
	size_t nr_cpus;
	struct counter_group *counters; /* nr_groups of each CPU */
	struct rlimit files_before; /* how many files the process was allowed */
};

static inline struct counter_group *group_set_on(const struct group_set *set, size_t cpu,
						 size_t group)
{
	return &set->counters[cpu * set->nr_groups + group];
}

/*
 * Opens the counters of @requests, which must stay, on all CPUs; warns of those that the kernel refuses. Unless @quiet, prints a line for
 * each event. Returns an exit status: not EXIT_OK, after one line on stderr, if a group of the command line does not fit, or
 * nothing can be counted. group_set_close() @set, whatever is returned.
 */
int group_set_open(struct group_set *set, const struct pmu_requests *requests, bool quiet);
void group_set_close(struct group_set *set);

#endif /* ANNOT_RECORD_GROUPS_GROUP_SET_H */

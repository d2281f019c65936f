// SPDX-License-Identifier: GPL-2.0
#include "record/groups/group_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/cpu_counter.h"
#include "record/groups/group_forming.h"
#include "util/diag.h"
#include "util/text/cpu_list.h"
#include "util/xalloc.h"

/* With the page before it, what kernel.perf_event_mlock_kb allows each user for each CPU. */
#define RING_PAGES 128
#define LEAST_RING_PAGES 8

#define LIST_BYTES 1024

static size_t ring_pages(size_t nr_groups)
{
	size_t pages = RING_PAGES;

	while (pages > LEAST_RING_PAGES && pages * nr_groups > RING_PAGES)
		pages /= 2;
	return pages;
}

static int open_group(const struct group_set *set, size_t group, struct counter_group *counters)
{
	const struct event_group *events = &set->groups[group];
	int error = 0;

	for (size_t i = 0; i < events->nr && !error; i++)
		error = counter_group_add(counters, &events->requests[i]->code);
	return error ? error : counter_group_watch(counters, ring_pages(set->nr_groups));
}

static int open_cpu(struct group_set *set, int cpu)
{
	int error = 0;

	for (size_t i = 0; i < set->nr_groups; i++)
		*group_set_on(set, set->nr_cpus, i) = counter_group_new(cpu);
	for (size_t i = 0; i < set->nr_groups && !error; i++)
		error = open_group(set, i, group_set_on(set, set->nr_cpus, i));
	for (size_t i = 0; i < set->nr_groups && error; i++)
		counter_group_close(group_set_on(set, set->nr_cpus, i));
	set->nr_cpus += !error;
	return error;
}

/* CPUs of another kind may lack an event, and one may have gone off line just now: the others are counted. */
static int open_all(struct group_set *set, const struct cpu_list *online)
{
	size_t nr_failed = 0;
	int error = 0;

	set->counters = xcalloc(CPUS_MAX * set->nr_groups, sizeof(*set->counters));
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		int own = online->has[cpu] ? open_cpu(set, cpu) : 0;

		nr_failed += own != 0;
		error = own ? own : error;
	}
	if (!set->nr_cpus) {
		diag_error("record: --count: on no CPU: %s", strerror(error));
		return EXIT_BAD_INPUT;
	}
	if (nr_failed)
		diag_warn("record: --count: on %zu of %zu CPUs nothing is counted: %s", nr_failed,
			  nr_failed + set->nr_cpus, strerror(error));
	return EXIT_OK;
}

static void print_event(const struct pmu_request *request)
{
	diag_note("counts %s (%s), %s", request->name, request->code.stands_for,
		  pmu_code_sides(&request->code));
}

static void print_topdown(const struct event_group *group)
{
	char names[LIST_BYTES] = "";

	for (size_t i = 0; i < group->nr; i++) {
		size_t length = strlen(names);

		snprintf(names + length, sizeof(names) - length, "%s%s", i ? ", " : "",
			 group->requests[i]->name);
	}
	diag_note("counts for top-down, at the same time: %s", names);
}

static void print_groups(const struct group_set *set)
{
	for (size_t i = 0; i < set->nr_groups; i++) {
		const struct event_group *group = &set->groups[i];

		if (group->requests[0]->is_of_topdown)
			print_topdown(group);
		for (size_t j = 0; j < group->nr && !group->requests[0]->is_of_topdown; j++)
			print_event(group->requests[j]);
	}
	if (set->nr_groups > 1)
		diag_note("%zu groups of counters take turns: their counts are estimates",
			  set->nr_groups);
}

int group_set_open(struct group_set *set, const struct pmu_requests *requests, bool quiet)
{
	struct cpu_list online;
	int status, first = 0;

	*set = (struct group_set){ 0 };
	if (!cpu_list_read(&online, "online")) {
		diag_error("record: --count: it is not known which CPUs are online");
		return EXIT_BAD_INPUT;
	}
	while (first < CPUS_MAX - 1 && !online.has[first])
		first++;
	cpu_counter_allow_many(&set->files_before);
	status = group_forming_run(set, requests, first);
	if (!status)
		status = open_all(set, &online);
	if (!status && !quiet)
		print_groups(set);
	return status;
}

void group_set_close(struct group_set *set)
{
	for (size_t i = 0; i < set->nr_cpus * set->nr_groups; i++)
		counter_group_close(&set->counters[i]);
	free(set->counters);
	free(set->groups);
	free(set->refused);
	*set = (struct group_set){ 0 };
}

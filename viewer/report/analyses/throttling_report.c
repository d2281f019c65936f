// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/throttling.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *throttling_report_compute(const struct analyses *analyses)
{
	struct throttling *result = xcalloc(1, sizeof(*result));

	*result = throttling_compute(analyses->model);
	return result;
}

static void throttling_report_free(void *result)
{
	throttling_free(result);
	free(result);
}

static void throttling_report_add_findings(const struct analyses *analyses, const void *result,
					   struct findings *findings)
{
	throttling_add_findings(analyses->model, result, findings);
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct throttling *throttling = result;

	*nr = throttling->nr;
	return throttling->threads;
}

#define FIELD(field) TABLE_FIELD(throttling_thread, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that was throttled.", FIELD(thread) },
	{ COLUMN_COUNT, "times", "times", "How often.", FIELD(times) },
	{ COLUMN_TIME, "ns", "time", "For how long its CPU was idle then: a lower bound.",
	  FIELD(ns) },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest of these times.", FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ COLUMN_CPU, "cpu", "CPU", "The CPU on which it could have run then.",
	  FIELD(longest_cpu) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Throttled threads", "thread", columns, sizeof(struct throttling_thread),
	  thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_THROTTLED,
		"the cgroup's quota of CPU time is used up",
		"The program runs in a container, or another cgroup, that may use only so much CPU time in each period. Once that is "
		"used up, none of its threads runs until the period ends, though CPUs are idle.",
		"A thread that could run, on a CPU that is idle for 1 ms or more, is throttled: otherwise, the kernel lets it run at "
		"once. The time lost is that in which no thread of the session ran; '<' stands before what any thread was "
		"throttled for. Where other programs used the CPU meanwhile, the trace does not tell throttled threads "
		"from preempted ones: then more was lost than annot says. It needs no annotations.",
		"In the page, threads are 'preempted' at the same times, and the lanes of their CPUs are empty. annot report "
		"--show throttling lists the threads. nr_throttled and throttled_usec in the cgroup's cpu.stat grow.",
		CATALOGUE_CURES(
			"Raise the quota: cpu.max of the cgroup; --cpus of docker and podman, limits.cpu of Kubernetes, CPUQuota= of "
			"systemd.",
			"Start as many threads as the quota has CPUs, not as the machine has: OMP_NUM_THREADS, GOMAXPROCS, "
			"-XX:ActiveProcessorCount. Many threads use the quota up early in each period.",
			"Let waits sleep rather than spin: spinning uses the quota, too.",
			"Give whole CPUs (cpuset.cpus) in place of a quota, or let bursts borrow (cpu.max.burst)."),
	},
	{ 0 },
};

const struct analysis_desc throttling_analysis = {
	.name = "throttling",
	.help = "threads that had no CPU because the quota of their cgroup was used up",
	.title = "Throttling",
	.tables = tables,
	.catalogue = catalogue,
	.compute = throttling_report_compute,
	.free = throttling_report_free,
	.add_findings = throttling_report_add_findings,
};

// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/sleeps.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *sleeps_report_compute(const struct analyses *analyses)
{
	struct sleeps *result = xcalloc(1, sizeof(*result));

	*result = sleeps_compute(analyses->model);
	return result;
}

static void sleeps_report_free(void *result)
{
	sleeps_free(result);
	free(result);
}

static void sleeps_report_add_findings(const struct analyses *analyses, const void *result,
				       struct findings *findings)
{
	sleeps_add_findings(analyses->model, result, findings);
}

static const char *sleeps_report_not_computed(const void *result)
{
	const struct sleeps *sleeps = result;

	return sleeps->nr ? NULL :
			    "the trace has no sleeps that a timer ended: record events of timer";
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct sleeps *sleeps = result;

	*nr = sleeps->nr;
	return sleeps->threads;
}

#define FIELD(field) TABLE_FIELD(sleeps_thread, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that slept.", FIELD(thread) },
	{ COLUMN_COUNT, "nr", "times", "How many sleeps a timer ended.", FIELD(nr) },
	{ COLUMN_TIME, "asked_ns", "asked", "For how long it wanted to sleep, in all.",
	  FIELD(asked_ns.sum) },
	{ COLUMN_TIME, "asked_median_ns", "median", "The median of these times.",
	  FIELD(asked_ns.median) },
	{ COLUMN_TIME, "late_ns", "late", "How late the timers expired, in all.",
	  FIELD(late_ns.sum) },
	{ COLUMN_TIME, "late_median_ns", "median late", "The median of that.",
	  FIELD(late_ns.median) },
	{ COLUMN_TIME, "late_max_ns", "latest", "The latest one.", FIELD(late_ns.max) },
	{ COLUMN_TIME, "slack_ns", "slack",
	  "Of the lateness, what the thread's timer slack allows.", FIELD(slack_ns) },
	{ COLUMN_FROM, "latest_from_ns", NULL, "When the sleep of the latest one began.",
	  FIELD(latest_from_ns) },
	{ COLUMN_TO, "latest_to_ns", NULL, "When that timer expired.", FIELD(latest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Sleeps that a timer ended", "thread", columns, sizeof(struct sleeps_thread),
	  thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SLEEP_GRANULARITY,
		"threads sleep longer than they ask for",
		"A thread sleeps many times for a short time, and the kernel wakes it up later than that. Mostly that is its timer slack: the "
		"kernel may be 50 us late, to serve several timers at once. A sleep of 1 us so takes more than 50.",
		"The trace tells when each timer was to expire, and when it did; the timer must have been started by the thread that it "
		"woke. It is a finding if 10 sleeps of a thread or more were late by 20 % of what it asked for, taken together. "
		"'<' stands before the lateness: the thread may not have been waited for.",
		"annot report --show sleeps lists each thread, and what of the lateness its slack allows. In the page, these are "
		"short sleeps of the thread, each ended by an interrupt.",
		CATALOGUE_CURES(
			"Do not sleep to wait for another thread: let it wake this one (a futex, a condition variable, an eventfd). Then no "
			"time is too short or too long.",
			"Ask for less slack: prctl(PR_SET_TIMERSLACK, 1), or /proc/PID/timerslack_ns. Threads of real-time priority have none.",
			"Sleep until a point in time (clock_nanosleep with TIMER_ABSTIME): lateness then does not add up.",
			"For a few microseconds, spin: a sleep costs more than that.",
			"If timers come late beyond the slack, deep idle states or long interrupts delay them: see interrupt_load and "
			"cpu_power, /dev/cpu_dma_latency, and whether the kernel has timers of high resolution."),
	},
	{ 0 },
};

const struct analysis_desc sleeps_analysis = {
	.name = "sleeps",
	.help = "sleeps that lasted longer than the thread asked for",
	.title = "Sleeps",
	.tables = tables,
	.catalogue = catalogue,
	.compute = sleeps_report_compute,
	.free = sleeps_report_free,
	.add_findings = sleeps_report_add_findings,
	.not_computed = sleeps_report_not_computed,
};

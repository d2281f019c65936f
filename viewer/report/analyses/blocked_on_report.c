// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/blocked_on.h"
#include "analysis/waits/io_wait_findings.h"
#include "report/analyses/critical_path_report.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *blocked_on_report_compute(const struct analyses *analyses)
{
	struct blocked_on *result = xcalloc(1, sizeof(*result));

	*result = blocked_on_compute(analyses->model);
	return result;
}

static void blocked_on_report_free(void *result)
{
	blocked_on_free(result);
	free(result);
}

static void blocked_on_report_add_findings(const struct analyses *analyses, const void *result,
					   struct findings *findings)
{
	io_wait_add_findings(analyses->model, result, critical_path_report_session(analyses),
			     findings);
}

static const void *cause_rows(const void *result, size_t *nr)
{
	const struct blocked_on *blocked = result;

	*nr = blocked->nr_causes;
	return blocked->causes;
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct blocked_on *blocked = result;

	*nr = blocked->nr_threads;
	return blocked->threads;
}

static const void *object_rows(const void *result, size_t *nr)
{
	const struct blocked_on *blocked = result;

	*nr = blocked->nr_objects;
	return blocked->objects;
}

/* TRACE_NO_STRING: not known. */
static struct table_cell string_cell(const struct table_source *source, uint64_t string)
{
	return (struct table_cell){ .is_unknown = string == TRACE_NO_STRING,
				    .text = trace_string(source->analyses->model->trace,
							 (uint32_t)string) };
}

static struct table_cell cause_cell(const struct table_source *source, const void *row)
{
	const struct blocked_on_sum *sum = row;

	if (sum->cause == TRACE_NO_STRING)
		return (struct table_cell){ .text = "unknown" };
	return (struct table_cell){ .text = trace_string(source->analyses->model->trace,
							 sum->cause) };
}

static struct table_cell frames_cell(const struct table_source *source, const void *row)
{
	const struct blocked_on_sum *sum = row;

	return string_cell(source, sum->frames);
}

static struct table_cell call_cell(const struct table_source *source, const void *row)
{
	const struct blocked_on_sum *sum = row;

	return string_cell(source, sum->system_call);
}

static struct table_cell object_cell(const struct table_source *source, const void *row)
{
	const struct blocked_on_sum *sum = row;

	return string_cell(source, sum->object.which);
}

static struct table_cell holder_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct blocked_on_sum *sum = row;

	if (sum->holder.which == MODEL_NO_THREAD)
		return (struct table_cell){ .is_unknown = true, .text = "" };
	return (struct table_cell){ .text = trace_string(model->trace,
							 model->threads[sum->holder.which].comm) };
}

static struct table_cell holder_tid_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct blocked_on_sum *sum = row;

	if (sum->holder.which == MODEL_NO_THREAD)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){ .whole = (uint64_t)model->threads[sum->holder.which].tid };
}

static struct table_cell waker_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct blocked_on_sum *sum = row;

	if (sum->waker == BLOCKED_WAIT_WAKER_UNKNOWN)
		return (struct table_cell){ .is_unknown = true, .text = "" };
	if (sum->waker == MODEL_NO_THREAD)
		return (struct table_cell){ .text = "interrupt" };
	return (struct table_cell){ .text = trace_string(model->trace,
							 model->threads[sum->waker].comm) };
}

static struct table_cell waker_tid_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct blocked_on_sum *sum = row;

	if (sum->waker >= BLOCKED_WAIT_WAKER_UNKNOWN)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){ .whole = (uint64_t)model->threads[sum->waker].tid };
}

#define FIELD(field) TABLE_FIELD(blocked_on_sum, field)

#define SUMS                                                                                      \
	{ COLUMN_COUNT, "nr", "times", "How often.", FIELD(nr) },                                 \
		{ COLUMN_TIME, "ns", "time", "For how long.", FIELD(ns.sum) },                    \
		{ COLUMN_TIME, "median_ns", "median", "Half of the times were shorter.",          \
		  FIELD(ns.median) },                                                             \
		{ COLUMN_TIME, "longest_ns", "longest", "The longest time.", FIELD(ns.max) },     \
		{ COLUMN_TEXT, "ended_by", "ended by",                                            \
		  "Who ended most of that time: the thread that woke it up, or an interrupt.",    \
		  .cell = waker_cell },                                                           \
		{ COLUMN_COUNT, "ended_by_tid", NULL,                                             \
		  "Its tid; null: an interrupt, or not known.", .cell = waker_tid_cell },         \
		{ COLUMN_TIME, "ended_by_ns", NULL, "The time that it ended.", FIELD(waker_ns) }, \
		{ COLUMN_TEXT, "frames", NULL,                                                    \
		  "The kernel's functions in which it slept longest, the innermost first.",       \
		  .cell = frames_cell },                                                          \
		{ COLUMN_FROM, "longest_from_ns", NULL, "When the longest time began.",           \
		  FIELD(longest_from_ns) },                                                       \
		{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },     \
		{ COLUMN_TEXT, "system_call", NULL,                                               \
		  "The system call in which it slept longest; null: none, or not known.",         \
		  .cell = call_cell },                                                            \
		{ COLUMN_TEXT, "object", "object",                                                \
		  "The file, pipe, socket, futex, ... that was waited for longest.",              \
		  .cell = object_cell },                                                          \
		{ COLUMN_TIME, "object_ns", NULL, "The time that it was waited for.",             \
		  FIELD(object.ns) },                                                             \
		{ COLUMN_TEXT, "held_by", "held by",                                              \
		  "Of locks, the thread that held them when the most time began.",                \
		  .cell = holder_cell },                                                          \
		{ COLUMN_COUNT, "held_by_tid", NULL, "Its tid; null: not known, or no lock.",     \
		  .cell = holder_tid_cell },                                                      \
		{ COLUMN_TIME, "held_by_ns", NULL, "The time that so began.", FIELD(holder.ns) }, \
	{                                                                                         \
		0                                                                                 \
	}

static const struct table_column cause_columns[] = {
	{ COLUMN_TEXT, "cause", "waits for",
	  "What threads waited for, by the system call or the kernel's function in which they slept.",
	  .cell = cause_cell },
	{ COLUMN_COUNT, "nr_threads", "threads", "How many threads.", FIELD(nr_threads) },
	SUMS,
};

static const struct table_column thread_columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that waited.", FIELD(thread) },
	{ COLUMN_TEXT, "cause", "waits for", "What it waited for.", .cell = cause_cell },
	SUMS,
};

static const struct table_column object_columns[] = {
	{ COLUMN_TEXT, "cause", "waits for", "What threads waited for.", .cell = cause_cell },
	{ COLUMN_COUNT, "nr_threads", "threads", "How many threads.", FIELD(nr_threads) },
	SUMS,
};

static const struct analysis_table tables[] = {
	{ "causes", "What threads waited for", "cause", cause_columns,
	  sizeof(struct blocked_on_sum), cause_rows },
	{ "threads", "What each thread waited for", "thread", thread_columns,
	  sizeof(struct blocked_on_sum), thread_rows },
	{ "objects", "Which file, pipe, socket or futex threads waited for", "object",
	  object_columns, sizeof(struct blocked_on_sum), object_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_IO_WAIT,
		"threads wait for files",
		"Threads are blocked until a disk, or a file system over a network, has read or written something.",
		"annot record --why records the kernel's stack of each thread that falls asleep. Stacks of disks, of page "
		"faults that read a file, and of NFS, 9P and FUSE are such waits. It is a finding if the session's threads "
		"were blocked so for 5 % of the time in which they existed, taken together. '<' stands before what the "
		"critical path has of these waits: if they took no time, the rest of the path still would.",
		"In the page, a click on a blocked state tells what it waits for. annot report --show "
		"blocked_on,critical_path lists all causes, and those that the end depended on.",
		CATALOGUE_CURES(
			"Read ahead: posix_fadvise(POSIX_FADV_WILLNEED), readahead(), larger reads, or io_uring; for mapped "
			"files madvise(MADV_WILLNEED) or MAP_POPULATE.",
			"Let another thread wait: read the next part while this one is computed.",
			"fsync() less often: once for many records, or fdatasync().",
			"Keep files that are read again and again in memory; temporary ones in a tmpfs."),
	},
	{ 0 },
};

const struct analysis_desc blocked_on_analysis = {
	.name = "blocked_on",
	.help = "what threads waited for while they were blocked",
	.title = "Blocked on",
	.tables = tables,
	.catalogue = catalogue,
	.compute = blocked_on_report_compute,
	.free = blocked_on_report_free,
	.add_findings = blocked_on_report_add_findings,
};

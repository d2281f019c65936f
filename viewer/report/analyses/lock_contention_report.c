// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/lock_contention_findings.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *lock_contention_report_compute(const struct analyses *analyses)
{
	struct lock_contention *result = xcalloc(1, sizeof(*result));

	*result = lock_contention_compute(analyses->model);
	return result;
}

static void lock_contention_report_free(void *result)
{
	lock_contention_free(result);
	free(result);
}

static void lock_contention_report_add_findings(const struct analyses *analyses, const void *result,
						struct findings *findings)
{
	lock_contention_add_findings(analyses->model, result, findings);
}

static const void *lock_rows(const void *result, size_t *nr)
{
	const struct lock_contention *contention = result;

	*nr = contention->nr;
	return contention->locks;
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct lock_contention_lock *lock = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, lock->name),
	};
}

static struct table_cell holder_cell(const struct table_source *source, const void *row)
{
	const struct lock_contention_lock *lock = row;

	(void)source;
	return (struct table_cell){ .is_unknown = lock->holder == MODEL_NO_THREAD,
				    .whole = lock->holder };
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct lock_contention_lock *lock = row;

	return (struct table_cell){
		.is_unknown = lock->holder_task == TRACE_NO_STRING,
		.text = trace_string(source->analyses->model->trace, lock->holder_task),
	};
}

static const void *pair_rows(const void *result, size_t *nr)
{
	const struct lock_contention *contention = result;

	*nr = contention->nr_pairs;
	return contention->pairs;
}

static struct table_cell pair_lock_cell(const struct table_source *source, const void *row)
{
	const struct lock_contention_pair *pair = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, pair->lock),
	};
}

static struct table_cell pair_holder_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct lock_contention_pair *pair = row;

	return (struct table_cell){
		.text = trace_string(model->trace, model->threads[pair->holder].comm),
	};
}

static struct table_cell pair_holder_tid_cell(const struct table_source *source, const void *row)
{
	const struct lock_contention_pair *pair = row;

	return (struct table_cell){
		.whole = (uint64_t)source->analyses->model->threads[pair->holder].tid,
	};
}

static const void *holding_rows(const void *result, size_t *nr)
{
	const struct lock_contention *contention = result;

	*nr = contention->holders.nr;
	return contention->holders.rows;
}

static struct table_cell holding_lock_cell(const struct table_source *source, const void *row)
{
	const struct lock_holding *holding = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, holding->lock),
	};
}

static struct table_cell holding_state_cell(const struct table_source *source, const void *row)
{
	const struct lock_holding *holding = row;

	(void)source;
	return (struct table_cell){
		.text = holding->state == STATE_SLEEPING ? "blocked" :
							   thread_state_name(holding->state),
	};
}

static struct table_cell holding_cause_cell(const struct table_source *source, const void *row)
{
	const struct lock_holding *holding = row;

	return (struct table_cell){
		.is_unknown = holding->cause == TRACE_NO_STRING,
		.text = trace_string(source->analyses->model->trace, holding->cause),
	};
}

#define FIELD(field) TABLE_FIELD(lock_contention_lock, field)
#define PAIR_FIELD(field) TABLE_FIELD(lock_contention_pair, field)
#define HOLDING_FIELD(field) TABLE_FIELD(lock_holding, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "lock", "lock",
	  "The name of its waits; of several, that of the longest wait. \"futex 0x1000\" is the lock at that address, if no span "
	  "of the program names it.",
	  .cell = name_cell },
	{ COLUMN_COUNT, "waits", "waits", "How often a thread waited for it.", FIELD(waits) },
	{ COLUMN_COUNT, "waiters", "threads", "How many threads did.", FIELD(waiters) },
	{ COLUMN_TIME, "wait_ns", "waiting", "For how long, all of them together.",
	  FIELD(wait_ns) },
	{ COLUMN_TIME, "contended_ns", "contended", "For how long at least one thread waited.",
	  FIELD(contended_ns) },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest wait.", FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ COLUMN_TIME, "attributed_ns", "known",
	  "Of the time waited: it is known which thread held the lock.", FIELD(attributed_ns) },
	{ COLUMN_THREAD, NULL, "holder", "The thread that held it longest meanwhile.",
	  .cell = holder_cell },
	{ COLUMN_TIME, "held_ns", "held", "For how long that one held it meanwhile.",
	  FIELD(held_ns) },
	{ COLUMN_TEXT, "holder_task", "in", "What that one did then: its innermost span.",
	  .cell = task_cell },
	{ COLUMN_TIME, "longest_hold_ns", "longest hold",
	  "The longest time for which one thread held it while another one waited.",
	  FIELD(longest_hold_ns) },
	{ COLUMN_COUNT, "convoys", "convoys",
	  "How often three threads or more queued for it, one behind the other.",
	  FIELD(convoys.nr) },
	{ COLUMN_COUNT, "convoy_waits", NULL, "How many waits these convoys have.",
	  FIELD(convoys.waits) },
	{ COLUMN_TIME, "convoy_ns", NULL, "For how long there were convoys.", FIELD(convoys.ns) },
	{ COLUMN_TIME, "persistent_ns", NULL,
	  "Of that, in convoys with two waits or more for each of their threads.",
	  FIELD(convoys.persistent_ns) },
	{ COLUMN_COUNT, "longest_convoy", NULL, "How many waits the longest convoy has.",
	  FIELD(convoys.longest_waits) },
	{ 0 },
};

static const struct table_column pair_columns[] = {
	{ COLUMN_TEXT, "lock", "lock", "The lock, as in locks.", .cell = pair_lock_cell },
	{ COLUMN_THREAD, NULL, "waiter", "The thread that waited.", PAIR_FIELD(waiter) },
	{ COLUMN_TEXT, "holder", "holder", "Who held the lock meanwhile.",
	  .cell = pair_holder_cell },
	{ COLUMN_COUNT, "holder_tid", "holder's tid", "Its tid.", .cell = pair_holder_tid_cell },
	{ COLUMN_COUNT, "times", "times", "How often it held it during a wait.",
	  PAIR_FIELD(times) },
	{ COLUMN_TIME, "ns", "waited", "For how long in all.", PAIR_FIELD(ns) },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest time at once.",
	  PAIR_FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.", PAIR_FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", PAIR_FIELD(longest_to_ns) },
	{ 0 },
};

static const struct table_column holding_columns[] = {
	{ COLUMN_TEXT, "lock", "lock", "The lock, as in locks.", .cell = holding_lock_cell },
	{ COLUMN_TEXT, "holder_state", "its holder",
	  "What who held the lock did while another thread waited: running, preempted, runnable, blocked or unknown.",
	  .cell = holding_state_cell },
	{ COLUMN_TEXT, "holder_blocked_on", "on",
	  "What a holder that was blocked waited for itself; only with annot record --why.",
	  .cell = holding_cause_cell },
	{ COLUMN_TIME, "ns", "time",
	  "For how long, of the waits' time. All together, it is attributed_ns.",
	  HOLDING_FIELD(ns) },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest time at once.",
	  HOLDING_FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.",
	  HOLDING_FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", HOLDING_FIELD(longest_to_ns) },
	{ COLUMN_THREAD, NULL, "holder", "Who that was.", HOLDING_FIELD(longest_holder) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "locks", "Waits for locks", "lock", columns, sizeof(struct lock_contention_lock),
	  lock_rows },
	{ "pairs", "Who waited for whom", "pair", pair_columns, sizeof(struct lock_contention_pair),
	  pair_rows },
	{ "holding", "What holders did while others waited", "state of holders", holding_columns,
	  sizeof(struct lock_holding), holding_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_LOCK_CONTENTION,
		"threads wait for a lock",
		"Threads wait for a lock that other threads of the program hold.",
		"annot sums the wait spans whose names begin with critical, lock, mutex or rwlock, by lock. "
		"annot record --attach records such waits; a program may annotate them itself. With annot record --why and the "
		"module, sleeps on futexes that have holders are waits for locks, too, and told by address. The holder "
		"is the thread that is in a span of work of that name or, without such spans, the thread "
		"that woke the next one to get the lock. What the holder does longest meanwhile is told if that is 30 % of the "
		"waits' time or more. '<' stands before the time in which at least one thread waited: "
		"nothing would end earlier by more than that.",
		"In the page, the waits are hatched; the holder's lane is marked, too. annot report --show "
		"lock_contention lists all locks.",
		CATALOGUE_CURES(
			"Hold the lock for less time: compute before, and only store under the lock.",
			"Give each thread its own copy, and add them up at the end: reduction in OpenMP.",
			"Use several locks, each for a part of the data; or an atomic operation.",
			"Look at what its holder does meanwhile. If it is preempted, there are more threads than CPUs. If it is "
			"blocked itself, do that before or after, without the lock."),
	},
	{
		FINDING_LOCK_CONVOY,
		"threads queue for a lock in a convoy",
		"Three threads or more queue for a lock, one behind the other, and come back before the queue is empty: "
		"each waits for all others, and they run one after the other.",
		"annot puts the waits for a lock in the order in which their threads got it. In a convoy, each thread stood "
		"in the queue when the one before it got the lock, and had come after that one; so it waits for longer than "
		"that one holds the lock. A convoy persists if it has two waits or more for each of its threads. It is a "
		"finding if such convoys take 5 % of the session or more, in place of lock-contention for that lock. (Blasgen, "
		"Gray, Mitoma, Price: The Convoy Phenomenon, 1979.) '<' stands before the time in which at least one thread "
		"waited: nothing would end earlier by more than that.",
		"In the page, the waits are hatched: they form stairs. annot report --show lock_contention lists convoys by "
		"lock, and who waited for whom.",
		CATALOGUE_CURES(
			"Take the lock less often: do more under it at once, or collect work and hand it over in batches.",
			"Hold it for less time, and never across a system call that blocks: see wait_chains for what the "
			"holder waits for.",
			"Let threads that find it taken try again for some microseconds before they sleep: "
			"PTHREAD_MUTEX_ADAPTIVE_NP. A lock that is handed on in order makes each thread sleep.",
			"Use a lock for each part of the data, or a structure for each thread."),
	},
	{ 0 },
};

const struct analysis_desc lock_contention_analysis = {
	.name = "lock_contention",
	.help = "waits for locks, by lock, and who held it",
	.title = "Locks",
	.tables = tables,
	.catalogue = catalogue,
	.compute = lock_contention_report_compute,
	.free = lock_contention_report_free,
	.add_findings = lock_contention_report_add_findings,
};

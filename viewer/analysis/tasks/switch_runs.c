// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/switch_runs.h"

#include <stdlib.h>

#include "analysis/base/row_search.h"
#include "analysis/tasks/span_walk.h"
#include "model/table_rows.h"
#include "util/xalloc.h"

/* So many slices of others are looked at: the last there decide what is left in the caches. */
#define MOST_OTHERS 8

const char *switch_after_name(enum switch_after after)
{
	static const char *const names[NR_SWITCH_AFTER] = { "same", "other program", "migration" };

	return names[after];
}

/* A thread's runs, in order. */
struct run_walk {
	struct span_walk spans;
	size_t *slices; /* by CPU: the one behind the run before */
};

/* Who ran longest on the run's CPU since its thread left; MODEL_NO_THREAD: nobody. */
static uint32_t find_other(const struct model *model, size_t *near, const struct switch_run *run)
{
	const struct slice_table *slices = &model->cpus[run->cpu].slices;
	size_t at = row_search_after_near(slices->start_ns, slices->nr, run->start_ns, *near);
	uint32_t longest = MODEL_NO_THREAD;
	uint64_t longest_ns = 0;

	*near = at;
	/* The first before it is the run itself. */
	at -= at > 0;
	for (int i = 0; i < MOST_OTHERS && at--; i++) {
		uint64_t ns = slices->end_ns[at] - slices->start_ns[at];

		if (slices->end_ns[at] <= run->left_ns || slices->thread[at] == run->thread)
			break;
		if (ns > longest_ns) {
			longest_ns = ns;
			longest = slices->thread[at];
		}
	}
	return longest;
}

static void add_run(struct switch_runs *runs, const struct switch_run *run)
{
	if (column_is_full(runs->nr))
		runs->rows = column_grow(runs->rows, runs->nr, sizeof(*runs->rows));
	runs->rows[runs->nr++] = *run;
}

static void classify_run(const struct model *model, struct run_walk *walk, struct switch_run *run,
			 int cpu_before)
{
	run->by = MODEL_NO_THREAD;
	run->after = AFTER_MIGRATION;
	if (run->cpu != cpu_before)
		return;
	run->by = find_other(model, &walk->slices[run->cpu], run);
	run->after = run->by == MODEL_NO_THREAD ? AFTER_SAME : AFTER_OTHER;
}

static uint64_t overlap_ns(const struct span_table *spans, size_t span,
			   const struct switch_run *run)
{
	uint64_t from_ns = spans->start_ns[span], to_ns = spans->end_ns[span];

	from_ns = from_ns < run->start_ns ? run->start_ns : from_ns;
	to_ns = to_ns > run->end_ns ? run->end_ns : to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Of the innermost span that is open as the run begins, and those that begin in it. */
static void find_task(struct span_walk *walk, struct switch_run *run)
{
	const struct span_table *spans = &walk->model->threads[run->thread].spans;
	size_t longest = SIZE_MAX;

	span_walk_to(walk, run->start_ns);
	if (walk->nr_open)
		longest = walk->open[walk->nr_open - 1].span;
	if (longest != SIZE_MAX && spans->kind[longest] != TRACE_SPAN_WORK)
		longest = SIZE_MAX;
	for (size_t i = walk->next; i < spans->nr && spans->start_ns[i] < run->end_ns; i++) {
		if (spans->kind[i] == TRACE_SPAN_WORK &&
		    (longest == SIZE_MAX ||
		     overlap_ns(spans, i, run) > overlap_ns(spans, longest, run)))
			longest = i;
	}
	run->task = longest == SIZE_MAX ? TRACE_NO_STRING : spans->name[longest];
}

static void add_runs(struct switch_runs *runs, struct run_walk *walk, const struct model *model,
		     uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;
	bool known = false, preempted = false; /* there was a run before, and all that was since */
	uint64_t left_ns = 0;
	int cpu_before = -1;

	span_walk_start(&walk->spans, thread);
	for (size_t i = 0; i < states->nr; i++) {
		struct switch_run run = {
			.left_ns = left_ns,
			.start_ns = states->start_ns[i],
			.end_ns = states->start_ns[i + 1],
			.thread = thread,
			.cpu = states->cpu[i],
			.preempted = preempted,
		};

		if (states->state[i] == STATE_UNKNOWN)
			known = false;
		if (states->state[i] == STATE_PREEMPTED)
			preempted = true;
		if (states->state[i] != STATE_RUNNING)
			continue;
		if (known && run.end_ns > run.start_ns && run.cpu >= 0) {
			classify_run(model, walk, &run, cpu_before);
			find_task(&walk->spans, &run);
			if (run.task != TRACE_NO_STRING || !model->threads[thread].spans.nr)
				add_run(runs, &run);
		}
		known = true;
		preempted = false;
		left_ns = run.end_ns;
		cpu_before = run.cpu;
	}
}

struct switch_runs switch_runs_compute(const struct model *model)
{
	struct switch_runs runs = { 0 };
	struct run_walk walk = {
		.slices = xcalloc((size_t)model->nr_cpus, sizeof(*walk.slices)),
	};

	span_walk_init(&walk.spans, model, NULL);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			add_runs(&runs, &walk, model, thread);
	}
	span_walk_free(&walk.spans);
	free(walk.slices);
	return runs;
}

void switch_runs_free(struct switch_runs *runs)
{
	free(runs->rows);
}

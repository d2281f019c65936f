// SPDX-License-Identifier: GPL-2.0
#include "analysis/switch_runs.h"

#include <stdlib.h>

#include "model/columns.h"
#include "util/xalloc.h"

/* So many slices of others are looked at: the last there decide what is left in the caches. */
#define MOST_OTHERS 8

const char *switch_after_name(enum switch_after after)
{
	static const char *const names[NR_SWITCH_AFTER] = { "same", "other program", "migration" };

	return names[after];
}

/* Who ran longest on the run's CPU since its thread left; MODEL_NO_THREAD: nobody. */
static uint32_t find_other(const struct model *model, const struct switch_run *run)
{
	const struct slice_column *slices = &model->cpus[run->cpu].slices;
	size_t at = column_find(slices->start_ns, slices->nr, run->start_ns);
	uint32_t longest = MODEL_NO_THREAD;
	uint64_t longest_ns = 0;

	/* The first is the run itself. */
	for (int i = 0; i < MOST_OTHERS && at != SIZE_MAX && at--; i++) {
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

static void classify(const struct model *model, struct switch_run *run, int cpu_before)
{
	run->by = MODEL_NO_THREAD;
	run->after = AFTER_MIGRATION;
	if (run->cpu != cpu_before)
		return;
	run->by = find_other(model, run);
	run->after = run->by == MODEL_NO_THREAD ? AFTER_SAME : AFTER_OTHER;
}

static void add_runs(struct switch_runs *runs, const struct model *model, uint32_t thread)
{
	const struct state_column *states = &model->threads[thread].states;
	bool known = false, preempted = false; /* there was a run before, and all that was since */
	uint64_t left_ns = 0;
	int cpu_before = -1;

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
			classify(model, &run, cpu_before);
			add_run(runs, &run);
		}
		known = true;
		preempted = false;
		left_ns = run.end_ns;
		cpu_before = run.cpu;
	}
}

struct switch_runs switch_runs(const struct model *model)
{
	struct switch_runs runs = { 0 };

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			add_runs(&runs, model, thread);
	}
	return runs;
}

void switch_runs_free(struct switch_runs *runs)
{
	free(runs->rows);
}

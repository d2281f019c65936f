// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/spin_stragglers.h"

#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/base/row_search.h"
#include "util/xalloc.h"

struct run {
	uint64_t from_ns;
	uint64_t to_ns;
};

struct builder {
	size_t nr_runs; /* where others spun in the stretch at hand */
	size_t runs_capacity;
	struct run *runs;
	const struct model *model;
	const struct barriers *barriers;
	const struct spinning *spinning;
	const struct wait_groups *groups;
	struct spin_stragglers *result; /* a row for each group */
	/* By thread: when it came to the barrier at hand; UINT64_MAX: not at all. */
	uint64_t *came_ns;
};

/* Of one barrier's last thread. */
struct delayed {
	struct builder *builder;
	struct spin_straggler_row sums;
	uint64_t longest_ns; /* that one thread ran in its place */
};

/* One stretch in a queue. */
struct stretch {
	struct delayed *delayed;
	uint64_t ran_ns;
};

static enum straggler_runner runner_of(const struct builder *builder, uint32_t last, uint32_t by,
				       uint64_t from_ns)
{
	const uint32_t *program = builder->spinning->programs.of_thread;

	if (builder->came_ns[by] <= from_ns)
		return RUNNER_SPUN;
	return program[by] == program[last] ? RUNNER_OWN : RUNNER_OTHER;
}

static void take_runner(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
			uint64_t to_ns)
{
	struct stretch *stretch = context;
	struct delayed *delayed = stretch->delayed;
	struct spin_straggler_row *sums = &delayed->sums;

	if (by == MODEL_NO_THREAD)
		return;
	stretch->ran_ns += to_ns - from_ns;
	sums->ran_ns[runner_of(delayed->builder, wait->thread, by, from_ns)] += to_ns - from_ns;
	if (to_ns - from_ns <= delayed->longest_ns)
		return;
	delayed->longest_ns = to_ns - from_ns;
	sums->worst_by = by;
	sums->worst_cpu = wait->cpu;
}

static uint64_t ran_for_ns(struct delayed *delayed, uint32_t thread, size_t row, uint64_t from_ns,
			   uint64_t to_ns)
{
	const struct model *model = delayed->builder->model;
	const struct state_table *states = &model->threads[thread].states;
	struct stretch stretch = { .delayed = delayed };
	struct cpu_wait wait = {
		.thread = thread,
		.cpu = states->cpu[row],
		.state = (enum thread_state)states->state[row],
		.start_ns = from_ns,
		.end_ns = to_ns,
	};

	if (wait.cpu < 0 || wait.cpu >= model->nr_cpus)
		return 0;
	cpu_wait_runners(model, &wait, cpu_wait_first_slice(model, &wait, 0), take_runner,
			 &stretch);
	return stretch.ran_ns;
}

/* Notes where @thread ran in [from_ns, to_ns). */
static void note_running(struct builder *builder, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct state_table *states = &builder->model->threads[thread].states;

	for (size_t row = row_search_state(states, from_ns);
	     row < states->nr && states->start_ns[row] < to_ns; row++) {
		uint64_t start_ns = states->start_ns[row], end_ns = states->start_ns[row + 1];

		if (states->state[row] != STATE_RUNNING)
			continue;
		ARRAY_MAKE_ROOM(builder->runs, builder->nr_runs, builder->runs_capacity);
		builder->runs[builder->nr_runs++] = (struct run){
			.from_ns = start_ns > from_ns ? start_ns : from_ns,
			.to_ns = end_ns < to_ns ? end_ns : to_ns,
		};
	}
}

static int compare_runs(const void *a, const void *b)
{
	const struct run *first = a, *second = b;

	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

/* Where those of @barrier that had come spun in [from_ns, to_ns). */
static void note_spinning(struct builder *builder, const struct barrier *barrier, uint64_t from_ns,
			  uint64_t to_ns)
{
	const struct wait_spans *waits = &builder->barriers->waits;

	builder->nr_runs = 0;
	for (size_t i = 0; i + 1 < barrier->nr; i++) {
		size_t wait = builder->barriers->members[barrier->first + i];
		uint64_t came_ns = waits->start_ns[wait];

		if (came_ns < to_ns && builder->spinning->wait_spun_ns[wait])
			note_running(builder, waits->thread[wait],
				     came_ns > from_ns ? came_ns : from_ns, to_ns);
	}
	if (builder->nr_runs)
		qsort(builder->runs, builder->nr_runs, sizeof(*builder->runs), compare_runs);
}

/* For how long any of them spun; adds up all. */
static uint64_t spun_meanwhile_ns(struct delayed *delayed)
{
	const struct builder *builder = delayed->builder;
	uint64_t any_ns = 0, until_ns = 0;

	for (size_t i = 0; i < builder->nr_runs; i++) {
		const struct run *run = &builder->runs[i];
		uint64_t from_ns = run->from_ns > until_ns ? run->from_ns : until_ns;

		delayed->sums.spun_ns += (double)(run->to_ns - run->from_ns);
		if (run->to_ns <= from_ns)
			continue;
		any_ns += run->to_ns - from_ns;
		until_ns = run->to_ns;
	}
	delayed->sums.any_spun_ns += any_ns;
	return any_ns;
}

static void add_stretch(struct delayed *delayed, const struct barrier *barrier, uint32_t last,
			size_t row, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t spun_ns, ran_ns;

	note_spinning(delayed->builder, barrier, from_ns, to_ns);
	spun_ns = spun_meanwhile_ns(delayed);
	if (!spun_ns)
		return;
	ran_ns = ran_for_ns(delayed, last, row, from_ns, to_ns);
	delayed->sums.queued_ns += ran_ns < spun_ns ? ran_ns : spun_ns;
}

/* What kept the last thread of @barrier from running since the first came. */
static struct delayed look_at(struct builder *builder, const struct barrier *barrier)
{
	const size_t *members = &builder->barriers->members[barrier->first];
	const struct wait_spans *waits = &builder->barriers->waits;
	uint32_t last = barrier_last(builder->barriers, barrier);
	const struct state_table *states = &builder->model->threads[last].states;
	uint64_t first_ns = waits->start_ns[members[0]];
	uint64_t behind_ns = barrier->release_ns - waits->start_ns[members[barrier->nr - 2]];
	struct delayed delayed = { .builder = builder, .sums.worst_cpu = -1 };

	for (size_t row = row_search_state(states, first_ns);
	     row < states->nr && states->start_ns[row] < barrier->release_ns; row++) {
		uint64_t from_ns = states->start_ns[row], to_ns = states->start_ns[row + 1];

		from_ns = from_ns > first_ns ? from_ns : first_ns;
		to_ns = to_ns < barrier->release_ns ? to_ns : barrier->release_ns;
		if (state_is_queued((enum thread_state)states->state[row]) && from_ns < to_ns)
			add_stretch(&delayed, barrier, last, row, from_ns, to_ns);
	}
	delayed.sums.lost_ns = delayed.sums.queued_ns < behind_ns ? delayed.sums.queued_ns :
								    behind_ns;
	return delayed;
}

static void add_barrier(struct builder *builder, const struct barrier *barrier)
{
	const struct wait_spans *waits = &builder->barriers->waits;
	const size_t *members = &builder->barriers->members[barrier->first];
	size_t own = members[barrier->nr - 1];
	struct spin_straggler_row *row = &builder->result->rows[builder->groups->of_wait[own]];
	struct delayed delayed;

	for (size_t i = 0; i + 1 < barrier->nr; i++) {
		if (builder->spinning->wait_spun_ns[members[i]])
			builder->came_ns[waits->thread[members[i]]] = waits->start_ns[members[i]];
	}
	delayed = look_at(builder, barrier);
	for (size_t i = 0; i + 1 < barrier->nr; i++)
		builder->came_ns[waits->thread[members[i]]] = UINT64_MAX;
	row->barriers++;
	if (!delayed.sums.lost_ns)
		return;
	row->times++;
	row->queued_ns += delayed.sums.queued_ns;
	row->any_spun_ns += delayed.sums.any_spun_ns;
	row->spun_ns += delayed.sums.spun_ns;
	row->lost_ns += delayed.sums.lost_ns;
	for (int i = 0; i < NR_STRAGGLER_RUNNERS; i++)
		row->ran_ns[i] += delayed.sums.ran_ns[i];
	if (delayed.sums.lost_ns <= row->worst_ns)
		return;
	row->worst_ns = delayed.sums.lost_ns;
	row->worst_from_ns = waits->start_ns[members[0]];
	row->worst_to_ns = barrier->release_ns;
	row->worst_thread = waits->thread[own];
	row->worst_by = delayed.sums.worst_by;
	row->worst_cpu = delayed.sums.worst_cpu;
}

static int compare_rows(const void *a, const void *b)
{
	const struct spin_straggler_row *first = a, *second = b;

	if (first->lost_ns != second->lost_ns)
		return first->lost_ns > second->lost_ns ? -1 : 1;
	return first->worst_from_ns < second->worst_from_ns ?
		       -1 :
		       first->worst_from_ns > second->worst_from_ns;
}

static void sort_rows(struct spin_stragglers *result)
{
	if (result->nr)
		qsort(result->rows, result->nr, sizeof(*result->rows), compare_rows);
	while (result->nr && !result->rows[result->nr - 1].lost_ns)
		result->nr--;
}

struct spin_stragglers spin_stragglers_compute(const struct model *model,
					       const struct barriers *barriers,
					       const struct spinning *spinning)
{
	struct wait_groups groups = wait_groups_compute(model, &spinning->programs,
							&barriers->waits);
	struct spin_stragglers result = { .nr = groups.nr };
	struct builder builder = {
		.model = model,
		.barriers = barriers,
		.spinning = spinning,
		.groups = &groups,
		.result = &result,
		.came_ns = xcalloc(model->nr_threads, sizeof(*builder.came_ns)),
	};

	result.rows = xcalloc(result.nr, sizeof(*result.rows));
	for (size_t i = 0; i < result.nr; i++)
		result.rows[i].group = groups.rows[i];
	for (size_t i = 0; i < model->nr_threads; i++)
		builder.came_ns[i] = UINT64_MAX;
	for (size_t i = 0; i < barriers->nr; i++)
		add_barrier(&builder, &barriers->rows[i]);
	sort_rows(&result);
	free(builder.runs);
	free(builder.came_ns);
	wait_groups_free(&groups);
	return result;
}

void spin_stragglers_free(struct spin_stragglers *stragglers)
{
	free(stragglers->rows);
}

double spin_stragglers_spinners(const struct spin_straggler_row *row)
{
	return row->any_spun_ns ? row->spun_ns / (double)row->any_spun_ns : 0;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/migrations.h"

#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "analysis/tasks/task_events.h"
#include "analysis/base/row_search.h"
#include "model/states/states.h"
#include "util/xalloc.h"

#define MAX_SLICES 64 /* on the CPU that was left, looked at for one that ends in idleness */

/* What a thread waited for a CPU, where it was not moved. */
struct stays {
	uint64_t nr;
	uint64_t sum_ns;
};

/* Misses of one thread, and time on a CPU. */
struct heat {
	double moved_misses;
	double warm_misses;
	uint64_t moved_ns;
	uint64_t warm_ns;
};

static void count_move(struct migrations *migrations, const struct migration_table *rows, size_t i)
{
	int from = rows->from_cpu[i], to = rows->to_cpu[i];

	migrations->total++;
	if (from < 0 || to < 0 || from >= migrations->nr_cpus || to >= migrations->nr_cpus)
		migrations->left_out++;
	else
		migrations->matrix[(size_t)from * (size_t)migrations->nr_cpus + (size_t)to]++;
}

static void count_moves(struct migrations *migrations, const struct model *model,
			const struct by_thread *by, struct thread_migrations *thread)
{
	const struct migration_table *rows = &model->migrations;
	size_t before = SIZE_MAX;

	for (size_t i = by->first[thread->thread]; i < by->first[thread->thread + 1]; i++) {
		size_t row = by->rows[i];

		count_move(migrations, rows, row);
		thread->nr++;
		if (before != SIZE_MAX && rows->from_cpu[before] == rows->to_cpu[row] &&
		    rows->to_cpu[before] == rows->from_cpu[row] &&
		    rows->time_ns[row] - rows->time_ns[before] <= PING_PONG_NS)
			thread->ping_pongs++;
		before = row;
	}
}

/* Calls @take with each wait for a CPU that ended on one: row @row, where it runs, and its begin. */
static void each_wait(const struct state_table *states,
		      void (*take)(void *context, size_t row, uint64_t since_ns), void *context)
{
	uint64_t since_ns = UINT64_MAX;

	for (size_t row = 0; row < states->nr; row++) {
		enum thread_state state = (enum thread_state)states->state[row];

		if (state_is_queued(state)) {
			if (since_ns == UINT64_MAX)
				since_ns = states->start_ns[row];
			continue;
		}
		if (state == STATE_RUNNING && since_ns != UINT64_MAX)
			take(context, row, since_ns);
		since_ns = UINT64_MAX;
	}
}

/* One thread's waits, in order, and its migrations beside them. */
struct costing {
	const struct model *model;
	const struct state_table *states;
	const struct by_thread *moves;
	size_t move; /* the next, of moves->rows */
	size_t end;
	struct stays stays;
	struct thread_migrations *thread;
};

static void take_stay(void *context, size_t row, uint64_t since_ns)
{
	struct costing *costing = context;

	if (costing->states->migrated[row])
		return;
	costing->stays.nr++;
	costing->stays.sum_ns += costing->states->start_ns[row] - since_ns;
}

/* When @cpu was first without anybody to run, from @time_ns on; UINT64_MAX: not soon. */
static uint64_t first_idle_ns(const struct model *model, int cpu, uint64_t time_ns)
{
	const struct slice_table *slices;
	size_t slice, last;

	if (cpu < 0 || cpu >= model->nr_cpus)
		return UINT64_MAX;
	slices = &model->cpus[cpu].slices;
	slice = row_search_after(slices->end_ns, slices->nr, time_ns);
	for (last = slice + MAX_SLICES; slice < last; slice++) {
		if (slice == slices->nr || slices->start_ns[slice] > time_ns)
			return time_ns;
		time_ns = slices->end_ns[slice];
	}
	return UINT64_MAX;
}

static void take_move(void *context, size_t row, uint64_t since_ns)
{
	struct costing *costing = context;
	const struct migration_table *moves = &costing->model->migrations;
	uint64_t until_ns = costing->states->start_ns[row], usual_ns = 0, idle_ns;
	const size_t *rows = costing->moves->rows;

	while (costing->move < costing->end && moves->time_ns[rows[costing->move]] < until_ns)
		costing->move++;
	if (!costing->states->migrated[row] || costing->move == costing->end ||
	    moves->time_ns[rows[costing->move]] != until_ns)
		return;
	idle_ns = first_idle_ns(costing->model, moves->from_cpu[rows[costing->move]], since_ns);
	if (costing->stays.nr)
		usual_ns = costing->stays.sum_ns / costing->stays.nr;
	if (idle_ns < until_ns && until_ns - idle_ns > usual_ns)
		costing->thread->cost_ns += until_ns - idle_ns - usual_ns;
}

static void find_cost(struct thread_migrations *thread, const struct model *model,
		      const struct by_thread *moves)
{
	struct costing costing = {
		.model = model,
		.states = &model->threads[thread->thread].states,
		.moves = moves,
		.move = moves->first[thread->thread],
		.end = moves->first[thread->thread + 1],
		.thread = thread,
	};

	each_wait(costing.states, take_stay, &costing);
	each_wait(costing.states, take_move, &costing);
}

/* Time is on a CPU since @row began: what lies in its first part is cold. */
static void add_time(struct heat *heat, const struct state_table *states, size_t row)
{
	uint64_t ns = states->start_ns[row + 1] - states->start_ns[row];
	uint64_t cold_ns = ns < MIGRATION_COLD_NS ? ns : MIGRATION_COLD_NS;

	if (states->migrated[row])
		heat->moved_ns += cold_ns;
	heat->warm_ns += ns - cold_ns;
}

static void add_misses(struct heat *heat, const struct state_table *states, size_t row,
		       uint64_t time_ns, double misses)
{
	if (time_ns - states->start_ns[row] >= MIGRATION_COLD_NS)
		heat->warm_misses += misses;
	else if (states->migrated[row])
		heat->moved_misses += misses;
}

static void find_excess(const struct migrations *migrations, const struct model *model,
			const struct by_thread *samples, struct thread_migrations *thread)
{
	const struct state_table *states = &model->threads[thread->thread].states;
	size_t at = samples->first[thread->thread], end = samples->first[thread->thread + 1];
	struct heat heat = { 0 };

	for (size_t row = 0; row < states->nr; row++) {
		uint64_t until_ns = states->start_ns[row + 1];

		if (states->state[row] == STATE_RUNNING)
			add_time(&heat, states, row);
		for (; at < end && model->samples.time_ns[samples->rows[at]] < until_ns; at++) {
			size_t sample = samples->rows[at];

			if (states->state[row] == STATE_RUNNING &&
			    model->samples.event[sample] == migrations->event &&
			    model->samples.time_ns[sample] >= states->start_ns[row])
				add_misses(&heat, states, row, model->samples.time_ns[sample],
					   (double)model->samples.period[sample]);
		}
	}
	if (heat.warm_ns)
		thread->excess_misses = heat.moved_misses -
					heat.warm_misses *
						((double)heat.moved_ns / (double)heat.warm_ns);
}

static bool event_misses(const struct model *model, size_t event)
{
	const struct pmu_event *row = &model->pmu_events[event];

	return !row->is_counted && !row->error && !row->is_merged &&
	       !(model->trace && event_is_instructions(trace_string(model->trace, row->name)));
}

static void find_event(struct migrations *migrations, const struct model *model)
{
	for (size_t i = 0; i < model->nr_pmu_events && !migrations->has_misses; i++) {
		migrations->event = i;
		migrations->has_misses = event_misses(model, i);
	}
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread_migrations *first = a, *second = b;

	if (first->nr != second->nr)
		return first->nr > second->nr ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void add_thread(struct migrations *migrations, const struct thread_migrations *thread)
{
	migrations->ping_pongs += thread->ping_pongs;
	migrations->cost_ns += thread->cost_ns;
	migrations->excess_misses += thread->excess_misses;
	migrations->threads[migrations->nr_threads++] = *thread;
}

struct migrations *migrations_compute(const struct model *model)
{
	struct migrations *migrations = xcalloc(1, sizeof(*migrations));
	struct by_thread moves = by_thread_group(model, model->migrations.thread,
						 model->migrations.nr);
	struct by_thread samples = by_thread_group(model, model->samples.thread, model->samples.nr);
	size_t side;

	find_event(migrations, model);
	migrations->nr_cpus = model->nr_cpus < MIGRATION_MATRIX_CPUS ? model->nr_cpus :
								       MIGRATION_MATRIX_CPUS;
	side = (size_t)migrations->nr_cpus;
	migrations->matrix = xcalloc(side * side, sizeof(*migrations->matrix));
	migrations->threads = xcalloc(model->nr_threads, sizeof(*migrations->threads));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		struct thread_migrations thread = { .thread = i };

		if (!model->threads[i].in_session || moves.first[i] == moves.first[i + 1])
			continue;
		count_moves(migrations, model, &moves, &thread);
		find_cost(&thread, model, &moves);
		if (migrations->has_misses)
			find_excess(migrations, model, &samples, &thread);
		add_thread(migrations, &thread);
	}
	if (migrations->nr_threads)
		qsort(migrations->threads, migrations->nr_threads, sizeof(*migrations->threads),
		      compare_threads);
	by_thread_free(&moves);
	by_thread_free(&samples);
	return migrations;
}

void migrations_of_free(struct migrations *migrations)
{
	free(migrations->matrix);
	free(migrations->threads);
	free(migrations);
}

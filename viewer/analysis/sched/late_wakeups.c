// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/late_wakeups.h"

#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "util/pair_table.h"
#include "analysis/base/row_search.h"
#include "model/table_rows.h"
#include "util/xalloc.h"

struct walk {
	const struct model *model;
	const struct programs *programs;
	const struct critical_path *path;
	size_t at; /* the segment */
	struct pair_table numbers;
	struct late_wakeups late;
	uint64_t open_ns; /* of all rows */
};

static struct late_wakeups_row *row_of(struct walk *walk, uint32_t victim, uint32_t by)
{
	struct late_wakeups *late = &walk->late;
	size_t at = pair_table_number(&walk->numbers, victim, by);

	if (at < late->nr)
		return &late->rows[at];
	if (column_is_full(late->nr))
		late->rows = column_grow(late->rows, late->nr, sizeof(*late->rows));
	late->rows[late->nr++] = (struct late_wakeups_row){
		.victim = victim,
		.by = by,
		.segment = SIZE_MAX,
	};
	return &late->rows[at];
}

static void book_wait(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
		      uint64_t to_ns)
{
	struct walk *walk = context;
	const uint32_t *program = walk->programs->of_thread;
	const struct critical_path_segment *segment = &walk->path->segments[walk->at];
	struct late_wakeups_row *row;
	uint64_t ns = to_ns - from_ns;

	if (by == MODEL_NO_THREAD || program[by] == program[wait->thread])
		return;
	row = row_of(walk, program[wait->thread], program[by]);
	row->times += row->segment != walk->at;
	row->segment = walk->at;
	row->waited_ns += ns;
	row->open_ns += ns;
	walk->open_ns += ns;
	if (ns <= row->worst_ns)
		return;
	row->worst_ns = ns;
	row->worst_from_ns = segment->from_ns;
	row->worst_to_ns = segment->to_ns;
	row->worst_thread = wait->thread;
}

static void take_woken(struct walk *walk, const struct critical_path_segment *segment)
{
	const struct state_table *states = &walk->model->threads[segment->thread].states;

	for (size_t row = row_search_state(states, segment->from_ns);
	     row < states->nr && states->start_ns[row] < segment->to_ns; row++) {
		uint64_t start_ns = states->start_ns[row], end_ns = states->start_ns[row + 1];
		struct cpu_wait wait = {
			.thread = segment->thread,
			.cpu = states->cpu[row],
			.state = STATE_RUNNABLE,
			.start_ns = start_ns > segment->from_ns ? start_ns : segment->from_ns,
			.end_ns = end_ns < segment->to_ns ? end_ns : segment->to_ns,
		};

		if (states->state[row] != STATE_RUNNABLE || wait.cpu < 0 ||
		    wait.cpu >= walk->model->nr_cpus)
			continue;
		cpu_wait_runners(walk->model, &wait, cpu_wait_first_slice(walk->model, &wait, 0),
				 book_wait, walk);
	}
}

/* What is open is lost, but for @taken_up_ns of it. */
static void settle_wakeup(struct walk *walk, uint64_t taken_up_ns)
{
	double share;

	if (!walk->open_ns)
		return;
	share = taken_up_ns < walk->open_ns ? 1 - (double)taken_up_ns / (double)walk->open_ns : 0;
	for (size_t i = 0; i < walk->late.nr; i++) {
		struct late_wakeups_row *row = &walk->late.rows[i];

		row->lost_ns += (uint64_t)(share * (double)row->open_ns + 0.5);
		row->open_ns = 0;
	}
	walk->open_ns = 0;
}

/* Sleeps on the path, whose segments are left out. */
static uint64_t unknown_sleeps_ns(const struct critical_path *path)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < path->nr_lines; i++) {
		if (path->lines[i].kind == PATH_BLOCKED)
			ns += path->lines[i].ns;
	}
	for (size_t i = 0; i < path->nr; i++) {
		if (path->segments[i].kind == PATH_BLOCKED)
			ns -= path->segments[i].to_ns - path->segments[i].from_ns;
	}
	return ns;
}

/* What sleeps of which nobody knows when they were may have taken up. */
static void take_off(struct late_wakeups *late, uint64_t sleeps_ns)
{
	for (size_t i = 0; i < late->nr; i++) {
		struct late_wakeups_row *row = &late->rows[i];

		row->lost_ns -= sleeps_ns < row->lost_ns ? sleeps_ns : row->lost_ns;
	}
}

struct late_wakeups late_wakeups_compute(const struct model *model, const struct programs *programs,
					 const struct critical_path *path)
{
	struct walk walk = { .model = model, .programs = programs, .path = path };

	for (; walk.at < path->nr; walk.at++) {
		const struct critical_path_segment *segment = &path->segments[walk.at];

		if (segment->kind == PATH_RUNNABLE)
			take_woken(&walk, segment);
		else if (segment->kind == PATH_BLOCKED)
			settle_wakeup(&walk, segment->to_ns - segment->from_ns);
	}
	settle_wakeup(&walk, 0);
	if (path->left_out)
		take_off(&walk.late, unknown_sleeps_ns(path));
	pair_table_free(&walk.numbers);
	return walk.late;
}

void late_wakeups_free(struct late_wakeups *late)
{
	free(late->rows);
}

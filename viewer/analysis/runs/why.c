// SPDX-License-Identifier: GPL-2.0
#include "analysis/runs/why.h"

#include <math.h>
#include <stdlib.h>

#include "util/xalloc.h"

/* Of all runs of a side that have the task. */
struct side {
	struct instance_times times; /* nr is that of runs, whose mean instances are added */
	double migrations;
};

static void add_run(struct why_task *why, struct side *side, struct instance_split_rates *rates,
		    const struct run_task *task)
{
	instance_times_add(&side->times, &task->times);
	instance_split_merge(rates, &task->rates);
	side->migrations += task->migrations;
	why->with_kernel |= task->with_kernel;
}

static double mean_blocked_ns(const struct instance_times *times, uint32_t cause)
{
	return instance_times_blocked_ns(times, cause) / (double)times->nr;
}

static bool has_cause(const struct why_task *why, uint32_t cause)
{
	for (size_t i = 0; i < why->nr_causes; i++) {
		if (why->causes[i].cause == cause)
			return true;
	}
	return false;
}

static int compare_causes(const void *a, const void *b)
{
	const struct why_cause *first = a, *second = b;

	if (fabs(first->ns) != fabs(second->ns))
		return fabs(first->ns) > fabs(second->ns) ? -1 : 1;
	return first->cause < second->cause ? -1 : first->cause > second->cause;
}

static void find_causes(struct why_task *why, const struct side sides[2])
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < sides[side].times.nr_causes; i++) {
			uint32_t cause = sides[side].times.causes[i].cause;

			if (has_cause(why, cause))
				continue;
			why->causes[why->nr_causes++] = (struct why_cause){
				cause, mean_blocked_ns(&sides[1].times, cause) -
					       mean_blocked_ns(&sides[0].times, cause)
			};
		}
	}
	qsort(why->causes, why->nr_causes, sizeof(*why->causes), compare_causes);
}

void whys_add(struct whys *whys, uint32_t name, enum trace_span_kind kind)
{
	const struct runs *runs = whys->runs;
	struct why_task why = { .name = name, .kind = kind };
	struct instance_split_rates rates = { 0 };
	struct side sides[2] = { 0 };

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_task *task = run_figures_task(&runs->rows[side][i], name,
								       kind);

			if (task)
				add_run(&why, &sides[side], &rates, task);
		}
		if (!sides[side].times.nr)
			return;
		why.mean_ns[side] = instance_times_wall_ns(&sides[side].times) /
				    (double)sides[side].times.nr;
		why.migrations[side] = sides[side].migrations / (double)sides[side].times.nr;
	}
	why.difference_ns = instance_split(&rates, &sides[0].times, &sides[1].times, why.parts_ns);
	find_causes(&why, sides);
	ARRAY_MAKE_ROOM(whys->tasks, whys->nr_tasks, whys->task_capacity);
	whys->tasks[whys->nr_tasks++] = why;
}

static struct why_path_line *line_like(struct whys *whys, size_t *capacity,
				       const struct run_path_line *line)
{
	for (size_t i = 0; i < whys->nr_path_lines; i++) {
		const struct run_path_line *own = &whys->path_lines[i].line;

		if (own->task == line->task && own->kind == line->kind &&
		    own->waits_for == line->waits_for)
			return &whys->path_lines[i];
	}
	ARRAY_MAKE_ROOM(whys->path_lines, whys->nr_path_lines, *capacity);
	whys->path_lines[whys->nr_path_lines] = (struct why_path_line){ .line = *line };
	whys->path_lines[whys->nr_path_lines].line.ns = 0;
	return &whys->path_lines[whys->nr_path_lines++];
}

static double changed_ns(const struct why_path_line *line)
{
	return fabs(line->ns[1] - line->ns[0]);
}

static int compare_lines(const void *a, const void *b)
{
	const struct why_path_line *first = a, *second = b;

	if (changed_ns(first) != changed_ns(second))
		return changed_ns(first) > changed_ns(second) ? -1 : 1;
	if (first->line.task != second->line.task)
		return first->line.task < second->line.task ? -1 : 1;
	return (int)first->line.kind - (int)second->line.kind;
}

struct whys whys_new(const struct runs *runs)
{
	struct whys whys = { .runs = runs };
	size_t capacity = 0;

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_figures *run = &runs->rows[side][i];

			for (size_t line = 0; line < run->nr_path_lines; line++)
				line_like(&whys, &capacity, &run->path_lines[line])->ns[side] +=
					run->path_lines[line].ns / (double)runs->nr[side];
		}
	}
	if (whys.nr_path_lines)
		qsort(whys.path_lines, whys.nr_path_lines, sizeof(*whys.path_lines), compare_lines);
	return whys;
}

void whys_free(struct whys *whys)
{
	free(whys->tasks);
	free(whys->path_lines);
	*whys = (struct whys){ 0 };
}

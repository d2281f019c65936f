// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/slow_instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances/instance_split.h"
#include "analysis/instances/instances.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

#define MOST_TYPICAL 1024
#define MOST_SLOW 1024

/* The first of @nr instances of a task that is slow. */
static size_t find_slow(const struct instance *instances, size_t nr)
{
	double lower_ns = (double)instance_wall_ns(&instances[nr / 4]);
	double upper_ns = (double)instance_wall_ns(&instances[nr - 1 - nr / 4]);
	double median_ns = (double)instance_wall_ns(&instances[nr / 2]);
	double fence_ns = fmax(upper_ns + 1.5 * (upper_ns - lower_ns),
			       median_ns * (1 + SLOW_LEAST_SHARE));

	while (nr && (double)instance_wall_ns(&instances[nr - 1]) > fence_ns)
		nr--;
	return nr;
}

/* What was found so far, in the order of tasks. */
struct collected {
	size_t nr_tasks;
	size_t task_capacity;
	struct slow_instances_task *tasks;
	size_t nr_parts;
	size_t part_capacity;
	struct slow_instances_part *parts;
	size_t nr_instances;
	size_t instance_capacity;
	struct slow_instance *instances;
};

/* What is computed of one task. */
struct task_work {
	const struct instance_reader *reader;
	struct instance_split_rates rates;
	struct instance_times typical;
	struct instance_times slow;
	size_t nr_looked_at; /* of the slow ones */
	struct instance_times *each; /* of these, the slowest first */
};

/* The first of @nr instances that takes longer. */
static size_t find_late(const struct instance *instances, size_t nr, uint64_t deadline_ns)
{
	return LOWER_BOUND(row, 0, nr, instance_wall_ns(&instances[row]) <= deadline_ns);
}

/* The middle half; of more than MOST_TYPICAL, some throughout. */
static void look_at_typical(struct task_work *work, const struct instance *instances, size_t nr)
{
	size_t first = nr / 4, nr_typical = nr - 2 * (nr / 4);
	size_t nr_taken = nr_typical < MOST_TYPICAL ? nr_typical : MOST_TYPICAL;

	for (size_t i = 0; i < nr_taken; i++) {
		const struct instance *instance = &instances[first + i * nr_typical / nr_taken];
		struct instance_times times = instance_times_of(work->reader, instance->thread,
								instance->from_ns, instance->to_ns);

		instance_split_learn(&work->rates, &times);
		instance_times_add(&work->typical, &times);
	}
}

static void look_at_slow(struct task_work *work, const struct instance *instances, size_t nr,
			 size_t first_slow)
{
	size_t nr_slow = nr - first_slow;

	work->nr_looked_at = nr_slow < MOST_SLOW ? nr_slow : MOST_SLOW;
	work->each = xcalloc(work->nr_looked_at, sizeof(*work->each));
	for (size_t i = 0; i < work->nr_looked_at; i++) {
		const struct instance *instance = &instances[nr - 1 - i];

		work->each[i] = instance_times_of(work->reader, instance->thread, instance->from_ns,
						  instance->to_ns);
		instance_split_learn(&work->rates, &work->each[i]);
		instance_times_add(&work->slow, &work->each[i]);
	}
}

static enum instance_part greatest(const int64_t *parts_ns)
{
	int most = 0;

	for (int part = 1; part < NR_INSTANCE_PARTS; part++) {
		if (parts_ns[part] > parts_ns[most])
			most = part;
	}
	return (enum instance_part)most;
}

static double ratio(double value, double of)
{
	return of > 0 ? value / of : 0;
}

static void add_instance(struct collected *slow, const struct task_work *work,
			 const struct instance *instance, const struct instance_times *times)
{
	struct slow_instance *row;

	ARRAY_MAKE_ROOM(slow->instances, slow->nr_instances, slow->instance_capacity);
	row = &slow->instances[slow->nr_instances++];
	*row = (struct slow_instance){
		.task = instance->task,
		.thread = instance->thread,
		.from_ns = instance->from_ns,
		.to_ns = instance->to_ns,
		.wall_ns = instance_wall_ns(instance),
		.cause = instance_split_cause(&work->typical, times),
		.is_counted = times->is_counted,
		.instructions = times->instructions,
		.ipc = ratio(times->instructions, times->cycles),
		.ghz = ratio(times->cycles, times->ns[INSTANCE_USEFUL]),
	};
	row->extra_ns = instance_split(&work->rates, &work->typical, times, row->parts_ns);
	row->most = greatest(row->parts_ns);
}

static void add_part(struct collected *slow, uint32_t task, enum instance_part part, uint32_t cause,
		     double extra_ns, double of_ns)
{
	if (fabs(extra_ns) < SLOW_LEAST_PART * of_ns)
		return;
	ARRAY_MAKE_ROOM(slow->parts, slow->nr_parts, slow->part_capacity);
	slow->parts[slow->nr_parts++] = (struct slow_instances_part){
		.task = task,
		.part = part,
		.cause = cause,
		.extra_ns = llround(extra_ns),
		.share_pct = extra_ns / of_ns * 100,
	};
}

/* What only typical ones were blocked on is a part, too: a negative one. */
static void add_blocked_parts(struct collected *slow, uint32_t task, const struct task_work *work,
			      double of_ns)
{
	const struct instance_times *usual = &work->typical, *times = &work->slow;

	for (size_t i = 0; i < times->nr_causes; i++) {
		uint32_t cause = times->causes[i].cause;

		add_part(slow, task, PART_BLOCKED, cause,
			 times->causes[i].ns / (double)times->nr -
				 instance_times_blocked_ns(usual, cause) / (double)usual->nr,
			 of_ns);
	}
	for (size_t i = 0; i < usual->nr_causes; i++) {
		uint32_t cause = usual->causes[i].cause;

		if (!instance_times_blocked_ns(times, cause))
			add_part(slow, task, PART_BLOCKED, cause,
				 -usual->causes[i].ns / (double)usual->nr, of_ns);
	}
}

static int compare_parts(const void *a, const void *b)
{
	const struct slow_instances_part *first = a, *second = b;

	if (first->extra_ns != second->extra_ns)
		return first->extra_ns > second->extra_ns ? -1 : 1;
	if (first->part != second->part)
		return first->part < second->part ? -1 : 1;
	return first->cause < second->cause ? -1 : first->cause > second->cause;
}

static void add_parts(struct collected *slow, const struct slow_instances_task *row,
		      const struct task_work *work, const int64_t *parts_ns, double of_ns)
{
	for (int part = 0; part < NR_INSTANCE_PARTS; part++) {
		if (part == PART_BLOCKED)
			add_blocked_parts(slow, row->task, work, of_ns);
		else
			add_part(slow, row->task, (enum instance_part)part, TRACE_NO_STRING,
				 (double)parts_ns[part], of_ns);
	}
	qsort(slow->parts + row->first_part, slow->nr_parts - row->first_part, sizeof(*slow->parts),
	      compare_parts);
}

static uint64_t sum_wall_ns(const struct instance *instances, size_t nr)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < nr; i++)
		sum_ns += instance_wall_ns(&instances[i]);
	return sum_ns;
}

static void describe_task(struct slow_instances_task *row, const struct task_work *work,
			  const struct instance *instances, size_t nr, size_t first_slow)
{
	const struct instance *slowest = &instances[nr - 1];
	size_t nr_slow = nr - first_slow;
	uint64_t slow_ns = sum_wall_ns(instances + first_slow, nr_slow);
	double typical_ns = instance_times_wall_ns(&work->typical) / (double)work->typical.nr;

	*row = (struct slow_instances_task){
		.task = slowest->task,
		.nr_instances = nr,
		.nr_slow = nr_slow,
		.median_ns = instance_wall_ns(&instances[nr / 2]),
		.typical_ns = (uint64_t)llround(typical_ns),
		.slow_ns = slow_ns / nr_slow,
		.extra_ns = (uint64_t)((double)slow_ns - typical_ns * (double)nr_slow),
		.is_counted = instance_split_is_counted(&work->typical, &work->slow),
		.with_kernel = work->reader->with_kernel,
		.cause = instance_split_cause(&work->typical, &work->slow),
		.typical_ipc = ratio(work->typical.instructions, work->typical.cycles),
		.typical_ghz = ratio(work->typical.cycles, work->typical.ns[INSTANCE_USEFUL]),
		.slowest_thread = slowest->thread,
		.slowest_from_ns = slowest->from_ns,
		.slowest_to_ns = slowest->to_ns,
	};
}

static void add_task(struct collected *slow, const struct task_work *work,
		     const struct instance *instances, size_t nr, size_t first_slow)
{
	struct slow_instances_task *row;
	int64_t parts_ns[NR_INSTANCE_PARTS], extra_ns;

	ARRAY_MAKE_ROOM(slow->tasks, slow->nr_tasks, slow->task_capacity);
	row = &slow->tasks[slow->nr_tasks++];
	describe_task(row, work, instances, nr, first_slow);
	row->first_part = slow->nr_parts;
	row->first_instance = slow->nr_instances;
	extra_ns = instance_split(&work->rates, &work->typical, &work->slow, parts_ns);
	row->most = greatest(parts_ns);
	row->most_share_pct = (double)parts_ns[row->most] / (double)extra_ns * 100;
	add_parts(slow, row, work, parts_ns, (double)extra_ns);
	for (size_t i = 0; i < work->nr_looked_at && i < SLOW_MOST_SHOWN; i++)
		add_instance(slow, work, &instances[nr - 1 - i], &work->each[i]);
	row->nr_parts = slow->nr_parts - row->first_part;
	row->nr_shown = slow->nr_instances - row->first_instance;
}

/* Of one task, by length. */
static void split_task(struct collected *slow, const struct instance_reader *reader,
		       const struct instance *instances, size_t nr, uint64_t deadline_ns)
{
	struct task_work work = { .reader = reader };
	size_t first_slow, nr_met;

	if (nr < SLOW_LEAST_INSTANCES)
		return;
	first_slow = deadline_ns ? find_late(instances, nr, deadline_ns) : find_slow(instances, nr);
	if (first_slow == nr)
		return;
	nr_met = deadline_ns && first_slow >= SLOW_LEAST_INSTANCES ? first_slow : nr;
	look_at_typical(&work, instances, nr_met);
	look_at_slow(&work, instances, nr, first_slow);
	add_task(slow, &work, instances, nr, first_slow);
	free(work.each);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct slow_instances_task *first = a, *second = b;

	if (first->extra_ns != second->extra_ns)
		return first->extra_ns > second->extra_ns ? -1 : 1;
	return first->task < second->task ? -1 : first->task > second->task;
}

/* Parts and instances in the order of their tasks. */
static struct slow_instances put_in_order(const struct collected *collected)
{
	struct slow_instances slow = {
		.nr_tasks = collected->nr_tasks,
		.tasks = collected->tasks,
		.parts = xcalloc(collected->nr_parts, sizeof(*slow.parts)),
		.instances = xcalloc(collected->nr_instances, sizeof(*slow.instances)),
	};

	if (slow.nr_tasks)
		qsort(slow.tasks, slow.nr_tasks, sizeof(*slow.tasks), compare_tasks);
	for (size_t i = 0; i < slow.nr_tasks; i++) {
		struct slow_instances_task *row = &slow.tasks[i];

		memcpy(&slow.parts[slow.nr_parts], &collected->parts[row->first_part],
		       row->nr_parts * sizeof(*slow.parts));
		memcpy(&slow.instances[slow.nr_instances],
		       &collected->instances[row->first_instance],
		       row->nr_shown * sizeof(*slow.instances));
		row->first_part = slow.nr_parts;
		row->first_instance = slow.nr_instances;
		slow.nr_parts += row->nr_parts;
		slow.nr_instances += row->nr_shown;
	}
	return slow;
}

/* By task: its deadline, or 0. free() it. */
static uint64_t *deadlines_of_tasks(const struct task_stats *stats,
				    const struct deadlines *deadlines)
{
	uint64_t *ns = xcalloc(stats->nr_tasks, sizeof(*ns));

	for (size_t i = 0; deadlines && i < deadlines->nr; i++) {
		uint32_t task = task_stats_find(stats, deadlines->rows[i].name, TRACE_SPAN_WORK);

		if (task != NO_TASK)
			ns[task] = deadlines->rows[i].ns;
	}
	return ns;
}

/* @instances: of all tasks, each task's by length. */
static struct slow_instances_deadline look_at_deadline(uint32_t task, uint64_t deadline_ns,
						       const struct instance *instances, size_t nr)
{
	struct slow_instances_deadline row = { .task = task, .deadline_ns = deadline_ns };
	size_t first = LOWER_BOUND(at, 0, nr, instances[at].task < task);
	size_t end = LOWER_BOUND(at, first, nr, instances[at].task == task);
	const struct instance *longest;

	if (first == end)
		return row;
	longest = &instances[end - 1];
	row.nr_instances = end - first;
	row.nr_missed = row.nr_instances -
			find_late(instances + first, row.nr_instances, deadline_ns);
	row.missed_pct = 100 * (double)row.nr_missed / (double)row.nr_instances;
	row.longest_ns = instance_wall_ns(longest);
	row.longest_thread = longest->thread;
	row.longest_from_ns = longest->from_ns;
	row.longest_to_ns = longest->to_ns;
	return row;
}

static void look_at_deadlines(struct slow_instances *slow, const struct task_stats *stats,
			      const struct deadlines *deadlines, const struct instance *instances,
			      size_t nr)
{
	slow->deadlines = xcalloc(deadlines->nr, sizeof(*slow->deadlines));
	for (size_t i = 0; i < deadlines->nr; i++) {
		uint32_t task = task_stats_find(stats, deadlines->rows[i].name, TRACE_SPAN_WORK);

		if (task != NO_TASK)
			slow->deadlines[slow->nr_deadlines++] =
				look_at_deadline(task, deadlines->rows[i].ns, instances, nr);
	}
}

struct slow_instances slow_instances_compute(const struct model *model,
					     const struct task_stats *stats,
					     const struct deadlines *deadlines)
{
	uint64_t *deadline_ns = deadlines_of_tasks(stats, deadlines);
	struct collected collected = { 0 };
	struct instance_reader reader = instance_reader_new(model);
	struct slow_instances slow;
	size_t nr, end;
	struct instance *instances = instances_collect(model, stats, &nr);

	for (size_t i = 0; i < nr; i = end) {
		for (end = i; end < nr && instances[end].task == instances[i].task; end++)
			;
		split_task(&collected, &reader, &instances[i], end - i,
			   deadline_ns[instances[i].task]);
	}
	slow = put_in_order(&collected);
	if (deadlines)
		look_at_deadlines(&slow, stats, deadlines, instances, nr);
	free(deadline_ns);
	free(collected.parts);
	free(collected.instances);
	free(instances);
	instance_reader_free(&reader);
	return slow;
}

void slow_instances_free(struct slow_instances *slow)
{
	free(slow->deadlines);
	free(slow->tasks);
	free(slow->parts);
	free(slow->instances);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/slow_instances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/instances/cpu_holders.h"
#include "analysis/instances/instances.h"
#include "analysis/instances/slow_chance.h"
#include "analysis/stats/distribution.h"
#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

#define MOST_TYPICAL 1024
#define MOST_SLOW 1024
/* Of normal values: the distance of the quartiles. */
#define QUARTILES_PER_DEVIATION 1.349

static uint64_t median_ns_of(const struct instance *instances, size_t nr)
{
	return distribution_middle(instance_wall_ns(&instances[(nr - 1) / 2]),
				   instance_wall_ns(&instances[nr / 2]));
}

/* The first of @nr instances of a task that is slow. */
static size_t find_slow(const struct instance *instances, size_t nr)
{
	double lower_ns = (double)instance_wall_ns(&instances[nr / 4]);
	double upper_ns = (double)instance_wall_ns(&instances[nr - 1 - nr / 4]);
	double median_ns = (double)median_ns_of(instances, nr);
	double fence_ns = fmax(upper_ns + 1.5 * (upper_ns - lower_ns),
			       median_ns * (1 + SLOW_LEAST_SHARE));

	while (nr && (double)instance_wall_ns(&instances[nr - 1]) > fence_ns)
		nr--;
	return nr;
}

/* What was found so far, in the order of tasks. */
struct collected {
	const struct instance_reader *reader;
	uint32_t shown_thread; /* whose instances are shown; MODEL_NO_THREAD: all */
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
	uint64_t deadline_ns; /* 0: none */
	const struct instance *instances; /* by length */
	size_t nr;
	size_t first_slow;
	struct instance_split_rates rates;
	struct instance_times typical;
	struct instance_times slow;
	struct split_instances each_typical;
	struct split_instances each_slow; /* as they are looked at: the last of the instances */
};

/* The first of @nr instances that takes longer. */
static size_t find_late(const struct instance *instances, size_t nr, uint64_t deadline_ns)
{
	return LOWER_BOUND(row, 0, nr, instance_wall_ns(&instances[row]) <= deadline_ns);
}

static void look_at(struct task_work *work, const struct instance *instance,
		    struct split_instances *each, struct instance_times *sum)
{
	struct instance_times *times = &each->rows[each->nr++].times;

	*times = instance_times_of(work->reader, instance->thread, instance->from_ns,
				   instance->to_ns);
	instance_split_learn(&work->rates, times);
	instance_times_add(sum, times);
}

/* The middle half of the first @nr; of more than MOST_TYPICAL, some throughout. */
static void look_at_typical(struct task_work *work, size_t nr)
{
	size_t first = nr / 4, nr_typical = nr - 2 * (nr / 4);
	size_t nr_taken = nr_typical < MOST_TYPICAL ? nr_typical : MOST_TYPICAL;

	work->each_typical.rows = xcalloc(nr_taken, sizeof(*work->each_typical.rows));
	for (size_t i = 0; i < nr_taken; i++)
		look_at(work, &work->instances[first + i * nr_typical / nr_taken],
			&work->each_typical, &work->typical);
}

/* The slowest, shortest first. */
static void look_at_slow(struct task_work *work)
{
	size_t nr_slow = work->nr - work->first_slow;
	size_t nr_taken = nr_slow < MOST_SLOW ? nr_slow : MOST_SLOW;

	work->each_slow.rows = xcalloc(nr_taken, sizeof(*work->each_slow.rows));
	for (size_t i = work->nr - nr_taken; i < work->nr; i++)
		look_at(work, &work->instances[i], &work->each_slow, &work->slow);
}

/* Once all are known that are typical. */
static void split_each(const struct task_work *work, const struct split_instances *each)
{
	for (size_t i = 0; i < each->nr; i++)
		instance_split(&work->rates, &work->typical, &each->rows[i].times,
			       each->rows[i].parts_ns);
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

/* What @times, of @instances, were blocked on, or who had the CPU, if @part is that. */
static uint32_t cause_of(const struct task_work *work, enum instance_part part,
			 const struct instance_times *times, const struct instance *instances,
			 size_t nr)
{
	switch (part) {
	case PART_BLOCKED:
		return instance_split_cause(&work->typical, times);
	case PART_PREEMPTED:
		return cpu_holder_of(work->reader->model, instances, nr, STATE_PREEMPTED);
	case PART_WAKEUP:
		return cpu_holder_of(work->reader->model, instances, nr, STATE_RUNNABLE);
	default:
		return TRACE_NO_STRING;
	}
}

static void add_instance(struct collected *slow, const struct task_work *work,
			 const struct instance *instance, const struct split_instance *split)
{
	const struct instance_times *times = &split->times;
	struct slow_instance *row;

	ARRAY_MAKE_ROOM(slow->instances, slow->nr_instances, slow->instance_capacity);
	row = &slow->instances[slow->nr_instances++];
	*row = (struct slow_instance){
		.task = instance->task,
		.deadline_ns = work->deadline_ns,
		.thread = instance->thread,
		.from_ns = instance->from_ns,
		.to_ns = instance->to_ns,
		.wall_ns = instance_wall_ns(instance),
		.most = greatest(split->parts_ns),
		.is_counted = times->is_counted,
		.instructions = times->instructions,
		.ipc = ratio(times->instructions, times->cycles),
		.ghz = ratio(times->cycles, times->ns[INSTANCE_USEFUL]),
		.moves = (uint64_t)times->moves,
	};
	memcpy(row->parts_ns, split->parts_ns, sizeof(row->parts_ns));
	for (int part = 0; part < NR_INSTANCE_PARTS; part++)
		row->extra_ns += row->parts_ns[part];
	row->cause = cause_of(work, row->most, times, instance, 1);
}

static void add_part(struct collected *slow, const struct task_work *work, enum instance_part part,
		     uint32_t cause, double extra_ns, double of_ns)
{
	if (fabs(extra_ns) < SLOW_LEAST_PART * of_ns)
		return;
	ARRAY_MAKE_ROOM(slow->parts, slow->nr_parts, slow->part_capacity);
	slow->parts[slow->nr_parts++] = (struct slow_instances_part){
		.task = work->instances->task,
		.deadline_ns = work->deadline_ns,
		.part = part,
		.cause = cause,
		.extra_ns = llround(extra_ns),
		.share_pct = extra_ns / of_ns * 100,
		.p_value = slow_chance_of_part(&work->each_typical, &work->each_slow, part, cause),
	};
}

/* What only typical ones were blocked on is a part, too: a negative one. */
static void add_blocked_parts(struct collected *slow, const struct task_work *work, double of_ns)
{
	const struct instance_times *usual = &work->typical, *times = &work->slow;

	for (size_t i = 0; i < times->nr_causes; i++) {
		uint32_t cause = times->causes[i].cause;

		add_part(slow, work, PART_BLOCKED, cause,
			 times->causes[i].ns / (double)times->nr -
				 instance_times_blocked_ns(usual, cause) / (double)usual->nr,
			 of_ns);
	}
	for (size_t i = 0; i < usual->nr_causes; i++) {
		uint32_t cause = usual->causes[i].cause;

		if (!instance_times_blocked_ns(times, cause))
			add_part(slow, work, PART_BLOCKED, cause,
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
			add_blocked_parts(slow, work, of_ns);
		else
			add_part(slow, work, (enum instance_part)part, TRACE_NO_STRING,
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

static int compare_begin(const void *a, const void *b)
{
	const struct instance *first = a, *second = b;

	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

/* For how long one of them or more was under way. */
static uint64_t union_ns(const struct instance *instances, size_t nr)
{
	struct instance *by_begin = xcalloc(nr, sizeof(*by_begin));
	uint64_t sum_ns = 0, until_ns = 0;

	memcpy(by_begin, instances, nr * sizeof(*by_begin));
	qsort(by_begin, nr, sizeof(*by_begin), compare_begin);
	for (size_t i = 0; i < nr; i++) {
		uint64_t from_ns = by_begin[i].from_ns > until_ns ? by_begin[i].from_ns : until_ns;

		if (by_begin[i].to_ns > from_ns) {
			sum_ns += by_begin[i].to_ns - from_ns;
			until_ns = by_begin[i].to_ns;
		}
	}
	free(by_begin);
	return sum_ns;
}

/* By how many standard deviations the least of the slow ones is above the median, as the quartiles tell them. */
static double deviations_of_slow(const struct task_work *work)
{
	const struct instance *instances = work->instances;
	double lower_ns = (double)instance_wall_ns(&instances[work->nr / 4]);
	double upper_ns = (double)instance_wall_ns(&instances[work->nr - 1 - work->nr / 4]);
	double above_ns = (double)(instance_wall_ns(&instances[work->first_slow]) -
				   median_ns_of(instances, work->nr));

	return above_ns * QUARTILES_PER_DEVIATION / fmax(upper_ns - lower_ns, 1);
}

static void describe_task(struct slow_instances_task *row, const struct task_work *work)
{
	const struct instance *slowest = &work->instances[work->nr - 1];
	const struct instance *slow = &work->instances[work->first_slow];
	size_t nr_slow = work->nr - work->first_slow;
	uint64_t slow_ns = sum_wall_ns(slow, nr_slow);
	double typical_ns = instance_times_wall_ns(&work->typical) / (double)work->typical.nr;

	*row = (struct slow_instances_task){
		.task = slowest->task,
		.nr_instances = work->nr,
		.nr_slow = nr_slow,
		.deadline_ns = work->deadline_ns,
		.median_ns = median_ns_of(work->instances, work->nr),
		.typical_ns = (uint64_t)llround(typical_ns),
		.slow_ns = slow_ns / nr_slow,
		.extra_ns = (uint64_t)((double)slow_ns - typical_ns * (double)nr_slow),
		.under_way_ns = union_ns(slow, nr_slow),
		.p_value = work->deadline_ns ? 1 :
					       slow_chance_of_number(work->nr, nr_slow,
								     deviations_of_slow(work)),
		.is_counted = instance_split_is_counted(&work->typical, &work->slow),
		.with_kernel = work->reader->with_kernel,
		.typical_ipc = ratio(work->typical.instructions, work->typical.cycles),
		.typical_ghz = ratio(work->typical.cycles, work->typical.ns[INSTANCE_USEFUL]),
		.typical_moves = ratio(work->typical.moves, (double)work->typical.nr),
		.slow_moves = ratio(work->slow.moves, (double)work->slow.nr),
		.slowest_thread = slowest->thread,
		.slowest_from_ns = slowest->from_ns,
		.slowest_to_ns = slowest->to_ns,
	};
}

static void add_slowest(struct collected *slow, const struct task_work *work)
{
	const struct split_instances *each = &work->each_slow;
	size_t nr_shown = 0;

	for (size_t i = 1; i <= each->nr && nr_shown < SLOW_MOST_SHOWN; i++) {
		const struct instance *instance = &work->instances[work->nr - i];

		if (slow->shown_thread != MODEL_NO_THREAD && instance->thread != slow->shown_thread)
			continue;
		add_instance(slow, work, instance, &each->rows[each->nr - i]);
		nr_shown++;
	}
}

static void add_task(struct collected *slow, const struct task_work *work)
{
	const struct split_instances *each = &work->each_slow;
	struct slow_instances_task *row;
	int64_t parts_ns[NR_INSTANCE_PARTS], extra_ns;

	ARRAY_MAKE_ROOM(slow->tasks, slow->nr_tasks, slow->task_capacity);
	row = &slow->tasks[slow->nr_tasks++];
	describe_task(row, work);
	row->first_part = slow->nr_parts;
	row->first_instance = slow->nr_instances;
	extra_ns = instance_split(&work->rates, &work->typical, &work->slow, parts_ns);
	row->most = greatest(parts_ns);
	row->cause = cause_of(work, row->most, &work->slow, &work->instances[work->nr - each->nr],
			      each->nr);
	row->most_share_pct = (double)parts_ns[row->most] / (double)extra_ns * 100;
	add_parts(slow, row, work, parts_ns, (double)extra_ns);
	add_slowest(slow, work);
	row->nr_parts = slow->nr_parts - row->first_part;
	row->nr_shown = slow->nr_instances - row->first_instance;
}

static void split_task(struct collected *slow, struct task_work *work)
{
	size_t nr_met = work->nr;

	if (work->deadline_ns && work->first_slow >= SLOW_LEAST_INSTANCES)
		nr_met = work->first_slow;
	look_at_typical(work, nr_met);
	look_at_slow(work);
	split_each(work, &work->each_typical);
	split_each(work, &work->each_slow);
	add_task(slow, work);
	free(work->each_typical.rows);
	free(work->each_slow.rows);
}

/* @instances of one task, by length. */
static void split_slow(struct collected *slow, const struct instance *instances, size_t nr,
		       uint64_t deadline_ns)
{
	struct task_work work = {
		.reader = slow->reader,
		.deadline_ns = deadline_ns,
		.instances = instances,
		.nr = nr,
	};

	if (nr < SLOW_LEAST_INSTANCES)
		return;
	work.first_slow = deadline_ns ? find_late(instances, nr, deadline_ns) :
					find_slow(instances, nr);
	if (work.first_slow < nr)
		split_task(slow, &work);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct slow_instances_task *first = a, *second = b;

	if (first->extra_ns != second->extra_ns)
		return first->extra_ns > second->extra_ns ? -1 : 1;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	return first->deadline_ns < second->deadline_ns ? -1 :
							  first->deadline_ns > second->deadline_ns;
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

/* @instances of one task, by length: by each of its deadlines, or without. */
static void split_by_deadlines(struct collected *slow, const struct task_stats *stats,
			       const struct deadlines *deadlines, const struct instance *instances,
			       size_t nr)
{
	uint32_t name = stats->tasks[instances->task].name;
	bool has_deadline = false;

	for (size_t i = 0; deadlines && i < deadlines->nr; i++) {
		if (deadlines->rows[i].name != name)
			continue;
		split_slow(slow, instances, nr, deadlines->rows[i].ns);
		has_deadline = true;
	}
	if (!has_deadline)
		split_slow(slow, instances, nr, 0);
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

static struct slow_instances compute(const struct model *model, const struct task_stats *stats,
				     const struct deadlines *deadlines, uint32_t shown_thread)
{
	struct instance_reader reader = instance_reader_new(model);
	struct collected collected = { .reader = &reader, .shown_thread = shown_thread };
	struct slow_instances slow;
	size_t nr, end;
	struct instance *instances = instances_collect(model, stats, TRACE_SPAN_WORK, &nr);

	for (size_t i = 0; i < nr; i = end) {
		for (end = i; end < nr && instances[end].task == instances[i].task; end++)
			;
		split_by_deadlines(&collected, stats, deadlines, &instances[i], end - i);
	}
	slow = put_in_order(&collected);
	if (deadlines)
		look_at_deadlines(&slow, stats, deadlines, instances, nr);
	free(collected.parts);
	free(collected.instances);
	spill_free(instances);
	instance_reader_free(&reader);
	return slow;
}

struct slow_instances slow_instances_compute(const struct model *model,
					     const struct task_stats *stats,
					     const struct deadlines *deadlines)
{
	return compute(model, stats, deadlines, MODEL_NO_THREAD);
}

struct slow_instances slow_instances_of_thread(const struct model *model,
					       const struct task_stats *stats, uint32_t thread)
{
	return compute(model, stats, NULL, thread);
}

bool slow_instances_are_enough(const struct model *model, const struct task_stats *stats,
			       uint32_t task)
{
	size_t nr, nr_of_task = 0;
	struct instance *instances = instances_collect(model, stats, TRACE_SPAN_WORK, &nr);

	for (size_t i = 0; i < nr; i++)
		nr_of_task += instances[i].task == task;
	spill_free(instances);
	return nr_of_task >= SLOW_LEAST_INSTANCES;
}

static void add_instances_at(struct collected *collected, const struct task_work *work,
			     uint64_t at_ns, uint32_t thread)
{
	for (size_t i = 0; i < work->nr; i++) {
		const struct instance *instance = &work->instances[i];
		struct split_instance split;

		if (instance->from_ns > at_ns || instance->to_ns <= at_ns)
			continue;
		if (thread != MODEL_NO_THREAD && instance->thread != thread)
			continue;
		split.times = instance_times_of(work->reader, instance->thread, instance->from_ns,
						instance->to_ns);
		instance_split(&work->rates, &work->typical, &split.times, split.parts_ns);
		add_instance(collected, work, instance, &split);
	}
}

/* Of one task, by length. Without slow ones, its longest teaches what is not typical. */
static void split_at(struct collected *collected, const struct instance *instances, size_t nr,
		     uint64_t at_ns)
{
	struct task_work work = {
		.reader = collected->reader,
		.instances = instances,
		.nr = nr,
		.first_slow = find_slow(instances, nr),
	};

	if (work.first_slow == nr)
		work.first_slow--;
	look_at_typical(&work, nr);
	look_at_slow(&work);
	collected->tasks = xcalloc(1, sizeof(*collected->tasks));
	describe_task(collected->tasks, &work);
	collected->nr_tasks = 1;
	add_instances_at(collected, &work, at_ns, collected->shown_thread);
	free(work.each_typical.rows);
	free(work.each_slow.rows);
}

struct slow_instances slow_instances_at(const struct model *model, const struct task_stats *stats,
					uint32_t task, uint64_t at_ns, uint32_t thread)
{
	struct instance_reader reader = instance_reader_new(model);
	struct collected collected = { .reader = &reader, .shown_thread = thread };
	size_t nr;
	struct instance *instances = instances_collect(model, stats, TRACE_SPAN_WORK, &nr);
	size_t first = LOWER_BOUND(at, 0, nr, instances[at].task < task);
	size_t end = LOWER_BOUND(at, first, nr, instances[at].task == task);

	if (end - first >= SLOW_LEAST_INSTANCES)
		split_at(&collected, instances + first, end - first, at_ns);
	spill_free(instances);
	instance_reader_free(&reader);
	return (struct slow_instances){
		.nr_tasks = collected.nr_tasks,
		.tasks = collected.tasks,
		.nr_instances = collected.nr_instances,
		.instances = collected.instances,
	};
}

void slow_instances_free(struct slow_instances *slow)
{
	free(slow->deadlines);
	free(slow->tasks);
	free(slow->parts);
	free(slow->instances);
}

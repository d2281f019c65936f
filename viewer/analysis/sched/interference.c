// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/interference.h"

#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/sched/sync_points.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define NO_PAIR SIZE_MAX

struct builder {
	const struct model *model;
	struct interference *result;
	struct delays delays;
	size_t *near; /* by CPU: the first slice of the wait before, where the next one's is near */
	uint32_t victim; /* whose waits are gone through; MODEL_NO_THREAD: nobody's yet */
	size_t first_pair; /* the first of its pairs; all behind are its, too */
	size_t *pair_by; /* by thread: the victim's pair with it, or NO_PAIR */
	size_t pair_capacity;
	struct interference_programs by_nobody; /* the victim's, while nobody ran */
	struct pair_table row_numbers;
	size_t row_capacity;
	uint64_t *by_program; /* of one meeting: what its last thread lost to each */
};

bool interference_is_by_others(const struct interference_programs *row)
{
	return row->by != PROGRAM_NOBODY && row->by != row->victim;
}

/* The pair of the builder's victim and @by. */
static struct interference_pair *pair_of(struct builder *builder, uint32_t by)
{
	struct interference *result = builder->result;
	size_t at = builder->pair_by[by];

	if (at != NO_PAIR)
		return &result->pairs[at];
	at = result->nr_pairs;
	if (at == builder->pair_capacity) {
		builder->pair_capacity = grown_capacity(at, at + 1);
		result->pairs = xrealloc_array(result->pairs, builder->pair_capacity,
					       sizeof(*result->pairs));
	}
	builder->pair_by[by] = result->nr_pairs++;
	result->pairs[at] = (struct interference_pair){ .victim = builder->victim, .by = by };
	return &result->pairs[at];
}

static struct interference_programs *row_of(struct builder *builder, uint32_t victim, uint32_t by)
{
	struct interference *result = builder->result;
	size_t at = pair_table_number(&builder->row_numbers, victim, by);

	if (at < result->nr_rows)
		return &result->rows[at];
	if (at == builder->row_capacity) {
		builder->row_capacity = grown_capacity(at, at + 1);
		result->rows = xrealloc_array(result->rows, builder->row_capacity,
					      sizeof(*result->rows));
	}
	result->nr_rows++;
	result->rows[at] = (struct interference_programs){ .victim = victim, .by = by };
	return &result->rows[at];
}

/* What its pairs lost is their programs', too. */
static void finish_victim(struct builder *builder)
{
	const struct interference_programs *by_nobody = &builder->by_nobody;
	const struct interference *result = builder->result;
	const uint32_t *program = result->programs.of_thread;
	struct interference_programs *row;

	for (size_t i = builder->first_pair; i < result->nr_pairs; i++) {
		const struct interference_pair *pair = &result->pairs[i];

		row = row_of(builder, program[pair->victim], program[pair->by]);
		row->times += pair->times;
		row->preempted_ns += pair->preempted_ns;
		row->queued_ns += pair->queued_ns;
		builder->pair_by[pair->by] = NO_PAIR;
	}
	if (!by_nobody->preempted_ns && !by_nobody->queued_ns)
		return;
	row = row_of(builder, program[builder->victim], PROGRAM_NOBODY);
	row->preempted_ns += by_nobody->preempted_ns;
	row->queued_ns += by_nobody->queued_ns;
}

static void begin_victim(struct builder *builder, uint32_t victim)
{
	finish_victim(builder);
	builder->victim = victim;
	builder->first_pair = builder->result->nr_pairs;
	builder->by_nobody = (struct interference_programs){ 0 };
}

static void book_nobody(struct builder *builder, const struct cpu_wait *wait, uint64_t ns)
{
	if (wait->state == STATE_PREEMPTED)
		builder->by_nobody.preempted_ns += ns;
	else
		builder->by_nobody.queued_ns += ns;
}

static void book_wait(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
		      uint64_t to_ns)
{
	struct builder *builder = context;
	bool preempted = wait->state == STATE_PREEMPTED;
	uint64_t ns = to_ns - from_ns;
	struct delay delay = { from_ns, to_ns, PROGRAM_NOBODY };
	struct interference_pair *pair;

	if (by == MODEL_NO_THREAD) {
		delays_add(&builder->delays, wait->thread, &delay);
		book_nobody(builder, wait, ns);
		return;
	}
	delay.by = builder->result->programs.of_thread[by];
	delays_add(&builder->delays, wait->thread, &delay);
	pair = pair_of(builder, by);
	pair->times += preempted && wait->is_first && from_ns == wait->start_ns;
	*(preempted ? &pair->preempted_ns : &pair->queued_ns) += ns;
	if (ns > pair->longest_ns)
		pair->longest_ns = ns;
}

static size_t first_slice_of(struct builder *builder, const struct cpu_wait *wait)
{
	size_t *near = &builder->near[wait->cpu];

	if (wait->cpu < 0 || wait->cpu >= builder->model->nr_cpus)
		return 0;
	*near = cpu_wait_first_slice(builder->model, wait, *near);
	return *near;
}

static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct builder *builder = context;
	uint64_t ns = wait->end_ns - wait->start_ns;
	struct cpu_queue *queue;

	if (wait->thread != builder->victim)
		begin_victim(builder, wait->thread);
	cpu_wait_runners(builder->model, wait, first_slice_of(builder, wait), book_wait, builder);
	if (wait->cpu < 0 || wait->cpu >= builder->result->nr_queues)
		return;
	queue = &builder->result->queues[wait->cpu];
	queue->waits++;
	queue->wait_ns += ns;
	if (ns > queue->longest_ns)
		queue->longest_ns = ns;
	histogram_add(&queue->histogram, ns);
}

/* Goes through all waits. */
static void book_all(struct builder *builder)
{
	size_t nr = builder->model->nr_threads;

	builder->pair_by = xcalloc(nr, sizeof(*builder->pair_by));
	for (size_t i = 0; i < nr; i++)
		builder->pair_by[i] = NO_PAIR;
	builder->near = xcalloc((size_t)builder->model->nr_cpus, sizeof(*builder->near));
	cpu_waits_each(builder->model, take_wait, builder);
	free(builder->near);
	finish_victim(builder);
	delays_end(&builder->delays, builder->model);
	free(builder->pair_by);
}

/* One meeting was later by @late_ns; what was counted of an earlier one is not counted again. */
static void add_late(struct interference_programs *row, const struct sync_point *point,
		     uint64_t late_ns, uint64_t waited_ns)
{
	uint64_t from_ns = point->at_ns - late_ns;

	if (!late_ns)
		return;
	if (from_ns < row->until_ns)
		from_ns = row->until_ns;
	if (from_ns < point->at_ns)
		row->lost_ns += point->at_ns - from_ns;
	row->until_ns = point->at_ns;
	row->lengthened_waits_ns += waited_ns;
	row->nr_late++;
	if (late_ns <= row->worst_ns)
		return;
	row->worst_ns = late_ns;
	row->worst_from_ns = point->since_ns;
	row->worst_to_ns = point->at_ns;
	row->worst_thread = point->last;
}

/* The share of @whole that @part of @all makes. */
static uint64_t share_of(uint64_t whole, uint64_t part, uint64_t all)
{
	return (uint64_t)((double)whole * ((double)part / (double)all));
}

/* What others did is theirs in the shares in which they delayed the thread that came last. */
static void divide_among_others(struct builder *builder, const struct sync_point *point)
{
	const struct programs *programs = &builder->result->programs;
	const struct delays *delays = &builder->delays;
	size_t first = delays_find(delays, point->last, point->since_ns);
	size_t last = first, end = delays->first[point->last + 1];
	uint64_t all_ns = 0;

	for (; last < end && delays->rows[last].from_ns < point->at_ns; last++) {
		const struct delay *delay = &delays->rows[last];

		if (delay_cause(programs, point->last, delay->by) != DELAY_BY_OTHERS)
			continue;
		builder->by_program[delay->by] += delay->to_ns - delay->from_ns;
		all_ns += delay->to_ns - delay->from_ns;
	}
	for (size_t i = first; i < last; i++) {
		uint32_t by = delays->rows[i].by;
		uint64_t ns = by == PROGRAM_NOBODY ? 0 : builder->by_program[by];

		if (!ns)
			continue;
		builder->by_program[by] = 0;
		add_late(row_of(builder, point->program, by), point,
			 share_of(point->late_ns[DELAY_BY_OTHERS], ns, all_ns),
			 share_of(point->waited_ns[DELAY_BY_OTHERS], ns, all_ns));
	}
}

static void take_meeting(void *context, const struct sync_point *point)
{
	struct builder *builder = context;

	divide_among_others(builder, point);
	add_late(row_of(builder, point->program, point->program), point,
		 point->late_ns[DELAY_BY_OWN], point->waited_ns[DELAY_BY_OWN]);
	add_late(row_of(builder, point->program, PROGRAM_NOBODY), point,
		 point->late_ns[DELAY_BY_NOBODY], point->waited_ns[DELAY_BY_NOBODY]);
}

static int compare_sums(uint64_t first, uint64_t second, uint64_t first_id, uint64_t second_id)
{
	if (first != second)
		return first > second ? -1 : 1;
	return first_id < second_id ? -1 : first_id > second_id;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct interference_pair *first = a, *second = b;

	return compare_sums(first->preempted_ns + first->queued_ns,
			    second->preempted_ns + second->queued_ns,
			    (uint64_t)first->victim << 32 | first->by,
			    (uint64_t)second->victim << 32 | second->by);
}

static int compare_rows(const void *a, const void *b)
{
	const struct interference_programs *first = a, *second = b;

	return compare_sums(first->preempted_ns + first->queued_ns,
			    second->preempted_ns + second->queued_ns,
			    (uint64_t)first->victim << 32 | first->by,
			    (uint64_t)second->victim << 32 | second->by);
}

struct interference *interference_compute(const struct model *model)
{
	struct interference *result = xcalloc(1, sizeof(*result));
	struct builder builder = { .model = model, .result = result, .victim = MODEL_NO_THREAD };

	result->programs = programs_compute(model);
	result->nr_queues = model->nr_cpus;
	result->queues = xcalloc((size_t)model->nr_cpus, sizeof(*result->queues));
	builder.delays = delays_new(model, sync_points_threads(model, &result->programs));
	book_all(&builder);
	builder.by_program = xcalloc(result->programs.nr, sizeof(*builder.by_program));
	sync_points_each(model, &result->programs, &builder.delays, take_meeting, &builder);
	if (result->nr_pairs)
		qsort(result->pairs, result->nr_pairs, sizeof(*result->pairs), compare_pairs);
	if (result->nr_rows)
		qsort(result->rows, result->nr_rows, sizeof(*result->rows), compare_rows);
	free(builder.by_program);
	delays_free(&builder.delays);
	pair_table_free(&builder.row_numbers);
	return result;
}

void interference_free(struct interference *interference)
{
	programs_free(&interference->programs);
	free(interference->pairs);
	free(interference->rows);
	free(interference->queues);
	free(interference);
}

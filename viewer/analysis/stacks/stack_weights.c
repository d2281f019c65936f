// SPDX-License-Identifier: GPL-2.0
#include "analysis/stacks/stack_weights.h"

#include <stdlib.h>

#include "model/pmu/pmu.h"
#include "trace/event.h"
#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

const char *const stacks_of_names[NR_STACKS_OF + 1] = {
	[STACKS_OFF_CPU] = "off-cpu",
	[STACKS_ON_CPU] = "on-cpu",
	[STACKS_MISSES] = "misses",
	[STACKS_WAKERS] = "wakers",
};

struct weighing {
	const struct model *model;
	struct stack_weights *weights;
	size_t capacity;
	struct pair_table owners; /* thread and cause */
	struct pair_table stacks; /* user and kernel */
	struct pair_table rows; /* both; its numbers are those of the rows */
};

static void add(struct weighing *weighing, const struct stack_weight *row)
{
	struct stack_weights *weights = weighing->weights;
	size_t owner, stack, at;

	if (!row->user && !row->kernel) {
		weights->weight_without += row->weight;
		return;
	}
	owner = pair_table_number(&weighing->owners, row->thread, row->cause);
	stack = pair_table_number(&weighing->stacks, row->user, row->kernel);
	at = pair_table_number(&weighing->rows, (uint32_t)owner, (uint32_t)stack);
	weights->weight += row->weight;
	weights->nr_points += row->nr;
	if (at < weights->nr) {
		weights->rows[at].weight += row->weight;
		weights->rows[at].nr += row->nr;
		return;
	}
	ARRAY_MAKE_ROOM(weights->rows, weights->nr, weighing->capacity);
	weights->rows[weights->nr++] = *row;
}

/* The cause of the state that begins at @time_ns. */
static uint32_t cause_at(const struct cause_table *causes, uint64_t time_ns)
{
	size_t at = column_find(causes->start_ns, causes->nr, time_ns);

	return at == SIZE_MAX || causes->start_ns[at] != time_ns ? TRACE_NO_STRING :
								   causes->cause[at];
}

/* Where the thread was when it fell asleep at @start_ns. */
static void set_sleeper(struct stack_weight *weight, const struct thread *of, uint64_t start_ns)
{
	const struct stack_point_table *points = &of->stack_points;
	size_t at = column_find(points->time_ns, points->nr, start_ns);

	if (at == SIZE_MAX || points->time_ns[at] != start_ns)
		return;
	weight->user = points->user[at];
	weight->kernel = points->kernel[at];
}

/* Where the one was that ended the sleep [@start_ns, @end_ns]. */
static void set_waker(struct stack_weight *weight, const struct thread *of, uint64_t start_ns,
		      uint64_t end_ns)
{
	const struct waker_stack_table *stacks = &of->waker_stacks;
	size_t at = column_find(stacks->time_ns, stacks->nr, end_ns);

	if (at != SIZE_MAX && stacks->time_ns[at] > start_ns)
		weight->user = stacks->stack[at];
}

static void weigh_off_cpu(struct weighing *weighing, uint32_t thread)
{
	const struct thread *of = &weighing->model->threads[thread];

	for (size_t row = 0; row < of->states.nr; row++) {
		uint64_t start_ns = of->states.start_ns[row];
		uint64_t end_ns = of->states.start_ns[row + 1];
		struct stack_weight weight = {
			.thread = thread,
			.cause = cause_at(&of->causes, start_ns),
			.weight = end_ns - start_ns,
			.nr = 1,
		};

		if (!state_is_asleep(of->states.state[row]))
			continue;
		if (weighing->weights->of == STACKS_WAKERS)
			set_waker(&weight, of, start_ns, end_ns);
		else
			set_sleeper(&weight, of, start_ns);
		add(weighing, &weight);
	}
}

/* The time [@from_ns, @to_ns], in which the thread runs. */
static void weigh_run(struct weighing *weighing, uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct stack_point_table *points = &weighing->model->threads[thread].stack_points;
	size_t at = LOWER_BOUND(row, 0, points->nr, points->time_ns[row] <= from_ns);

	for (; at < points->nr && points->time_ns[at] <= to_ns; at++) {
		add(weighing, &(struct stack_weight){ .thread = thread,
						      .user = points->user[at],
						      .kernel = points->kernel[at],
						      .weight = points->time_ns[at] - from_ns,
						      .nr = 1 });
		from_ns = points->time_ns[at];
	}
	add(weighing, &(struct stack_weight){ .thread = thread, .weight = to_ns - from_ns });
}

static void weigh_on_cpu(struct weighing *weighing, uint32_t thread)
{
	const struct state_table *states = &weighing->model->threads[thread].states;

	for (size_t row = 0; row < states->nr; row++) {
		if (states->state[row] == STATE_RUNNING)
			weigh_run(weighing, thread, states->start_ns[row],
				  states->start_ns[row + 1]);
	}
}

static void weigh_samples(struct weighing *weighing, bool all_threads)
{
	const struct sample_table *samples = &weighing->model->samples;
	const struct pmu_event *event = &weighing->model->pmu_events[weighing->weights->event];

	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t thread = samples->thread[i];
		const struct stack_weight weight = {
			.thread = thread,
			.user = samples->stack[i],
			/* Of instructions, how many a sample stands for is not known. */
			.weight = event->by_ratio ? 1 : samples->period[i],
			.nr = 1,
		};

		if (samples->event[i] == weighing->weights->event && thread != MODEL_NO_THREAD &&
		    (all_threads || weighing->model->threads[thread].in_session))
			add(weighing, &weight);
	}
}

struct stack_weights stack_weights_compute(const struct model *model,
					   const struct stack_weights_options *options)
{
	struct stack_weights weights = { .of = options->of, .event = options->event };
	struct weighing weighing = { .model = model, .weights = &weights };

	if (options->of == STACKS_ON_CPU) {
		uint8_t clock = stack_weights_profile(model);

		weights.is_profile = clock != MODEL_NO_PMU_EVENT;
		weights.event = weights.is_profile ? clock : weights.event;
	}
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (!options->all_threads && !model->threads[i].in_session)
			continue;
		if (stacks_have_causes(options->of))
			weigh_off_cpu(&weighing, i);
		else if (options->of == STACKS_ON_CPU && !weights.is_profile)
			weigh_on_cpu(&weighing, i);
	}
	if (options->of == STACKS_MISSES || weights.is_profile)
		weigh_samples(&weighing, options->all_threads);
	pair_table_free(&weighing.owners);
	pair_table_free(&weighing.stacks);
	pair_table_free(&weighing.rows);
	return weights;
}

void stack_weights_free(struct stack_weights *weights)
{
	free(weights->rows);
}

/* From @frame outwards, into the places before @end; returns the first one. */
static size_t put_stack(const struct frame_table *table, uint32_t frame, uint32_t *frames,
			size_t end)
{
	for (; frame && end; frame = table->parent[frame])
		frames[--end] = frame;
	return end;
}

size_t stack_weight_frames(const struct model *model, const struct stack_weight *row,
			   uint32_t frames[STACKS_MOST_FRAMES])
{
	size_t first = put_stack(&model->frames, row->kernel, frames, STACKS_MOST_FRAMES);
	size_t nr;

	first = put_stack(&model->frames, row->user, frames, first);
	nr = STACKS_MOST_FRAMES - first;
	for (size_t i = 0; i < nr; i++)
		frames[i] = frames[first + i];
	return nr;
}

const char *stack_frame_name(const struct model *model, uint32_t frame)
{
	uint32_t symbol = model->frames.symbol[frame];

	return symbol ? trace_string(model->trace, symbol) : "[stack is not in the trace]";
}

static bool is_clock(const struct model *model, size_t sample)
{
	return model->pmu_events[model->samples.event[sample]].is_clock;
}

/* The event of the first sample with a stack that is of a clock, or is not; else MODEL_NO_PMU_EVENT. */
static uint8_t first_event(const struct model *model, bool of_clock)
{
	const struct sample_table *samples = &model->samples;

	for (size_t i = 0; i < samples->nr; i++) {
		if (samples->stack[i] && is_clock(model, i) == of_clock)
			return samples->event[i];
	}
	return MODEL_NO_PMU_EVENT;
}

uint8_t stack_weights_profile(const struct model *model)
{
	return first_event(model, true);
}

uint8_t stack_weights_default_event(const struct model *model)
{
	uint8_t event = first_event(model, false);

	if (event == MODEL_NO_PMU_EVENT)
		event = stack_weights_profile(model);
	return event == MODEL_NO_PMU_EVENT ? 0 : event;
}

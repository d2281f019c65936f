// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay_plan.h"

#include <stdlib.h>

#include "analysis/base/blocked_waits.h"
#include "analysis/base/findings.h"
#include "analysis/base/row_search.h"
#include "analysis/regions/critical_path.h"
#include "analysis/replay/replay_locks.h"
#include "analysis/replay/replay_points.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

struct builder {
	struct replay_plan *plan;
	const struct model *model;
	const struct regions *regions;
	const struct replay_changes *changes;
	struct replay_scope scope;
	struct lock_spans left_out; /* waits for the lock that nobody waits for */
	struct messages messages;
	struct blocked_waits waits;
	struct replay_locks locks;
	struct replay_points points;
};

/* One thread, as far as it was gone through. */
struct cursor {
	uint32_t thread;
	size_t point;
	size_t wait;
	uint32_t place;
	int16_t cpu;
	double factor; /* of its work, where it is balanced */
	double missing_ns; /* work of the balanced part that it is in, and does not have */
	double due_ns; /* the same, of a part that it has left; done before what others may wait for */
	/* Until here, it was at a barrier, or at the lock, or nobody had sent what it receives. */
	uint64_t skip_until_ns;
	bool is_receiving; /* the last of these */
	size_t barrier; /* to which it came; it does not wait there yet. NO_BARRIER: none */
	size_t gap; /* its steps since an instance of the merged task ended; NO_GAP: none did */
};

#define NO_GAP SIZE_MAX

static void add_step(struct builder *builder, enum replay_step_kind kind, uint32_t place,
		     uint64_t value)
{
	struct replay_plan *plan = builder->plan;

	SPILL_MAKE_ROOM(plan->steps, plan->nr_steps, plan->steps_capacity);
	plan->steps[plan->nr_steps++] =
		(struct replay_step){ .kind = (uint8_t)kind, .place = place, .value = value };
}

/* What follows work at the same place and CPU is one step with it. */
static void add_work(struct builder *builder, const struct cursor *cursor, uint64_t ns)
{
	struct replay_plan *plan = builder->plan;
	struct replay_step *last = plan->nr_steps ? &plan->steps[plan->nr_steps - 1] : NULL;

	if (last && last->kind == STEP_RUN && last->place == cursor->place &&
	    last->cpu == cursor->cpu && plan->nr_steps > plan->threads[plan->nr_threads].first) {
		last->value += ns;
		return;
	}
	add_step(builder, STEP_RUN, cursor->place, ns);
	plan->steps[plan->nr_steps - 1].cpu = cursor->cpu;
}

/*
 * What a thread does in a barrier before it sleeps, or while it spins, others may wait for: it waits after that. Work that it
 * gets of others comes last, as nobody waited for it.
 */
static void wait_at_barrier(struct builder *builder, struct cursor *cursor)
{
	if (cursor->due_ns > 0)
		add_work(builder, cursor, (uint64_t)cursor->due_ns);
	cursor->due_ns = 0;
	if (cursor->barrier == NO_BARRIER)
		return;
	add_step(builder, STEP_MEET, cursor->place, cursor->barrier);
	builder->plan->meeting_sizes[cursor->barrier]++;
	cursor->barrier = NO_BARRIER;
}

static void add_run(struct builder *builder, struct cursor *cursor, uint64_t from_ns,
		    uint64_t to_ns)
{
	if (from_ns < cursor->skip_until_ns)
		from_ns = cursor->skip_until_ns;
	if (from_ns >= to_ns)
		return;
	wait_at_barrier(builder, cursor);
	add_work(builder, cursor, (uint64_t)((double)(to_ns - from_ns) * cursor->factor + 0.5));
}

static uint32_t place_in(struct replay_plan *plan, uint32_t outer, uint32_t name)
{
	size_t at = pair_table_number(&plan->place_numbers, outer, name);

	if (at < plan->nr_places)
		return (uint32_t)at;
	ARRAY_MAKE_ROOM(plan->places, plan->nr_places, plan->places_capacity);
	plan->places[plan->nr_places++] = (struct replay_place){ outer, name };
	return (uint32_t)at;
}

/* Each thread of a balanced region has the mean of their work. One that had none gets it at its end; if all had none, nobody. */
static void begin_part(const struct builder *builder, struct cursor *cursor, uint64_t value)
{
	const struct region *region = &builder->regions->rows[value >> 32];
	const struct region_thread *part = &builder->regions->threads[value & UINT32_MAX];
	double average_ns = region_average_ns(region);
	double useful_ns = (double)part->ns[REGION_USEFUL];

	if (useful_ns > 0 && useful_ns >= 0.01 * average_ns) {
		cursor->factor = average_ns / useful_ns;
		return;
	}
	cursor->missing_ns = average_ns;
}

static void end_part(struct cursor *cursor)
{
	cursor->due_ns += cursor->missing_ns;
	cursor->missing_ns = 0;
	cursor->factor = 1;
}

static void skip_until(struct cursor *cursor, uint64_t time_ns, bool is_receiving)
{
	cursor->skip_until_ns = time_ns;
	cursor->is_receiving = is_receiving;
}

/* What is received in a barrier is the barrier's. One call may receive several messages. */
static bool is_elsewhere(const struct cursor *cursor, uint64_t time_ns)
{
	return time_ns < cursor->skip_until_ns && !cursor->is_receiving;
}

static void receive(struct builder *builder, struct cursor *cursor,
		    const struct replay_point *point)
{
	if (is_elsewhere(cursor, point->time_ns))
		return;
	wait_at_barrier(builder, cursor);
	add_step(builder, STEP_WAIT, cursor->place, point->value);
}

/* Asleep or not, it waits for all that is not sent yet. */
static void receive_unsent(struct cursor *cursor, const struct replay_point *point)
{
	if (!is_elsewhere(cursor, point->time_ns) && point->value > cursor->skip_until_ns)
		skip_until(cursor, point->value, true);
}

static void come_to_barrier(struct builder *builder, struct cursor *cursor, size_t wait)
{
	const struct barriers *barriers = &builder->regions->barriers;
	size_t barrier = barriers->barrier_of[wait];

	/* If it comes from no barrier, what is due is for later: before it waits here. */
	if (cursor->barrier != NO_BARRIER)
		wait_at_barrier(builder, cursor);
	cursor->barrier = barrier;
	skip_until(cursor, barriers->rows[barrier].release_ns, false);
}

static bool is_work_or_wakeup(const struct replay_step *step)
{
	return step->kind == STEP_RUN || step->kind == STEP_WAKE;
}

/* Between two instances of the merged task, unless the thread waited there. */
static void leave_out_gap(struct builder *builder, struct cursor *cursor)
{
	struct replay_plan *plan = builder->plan;
	size_t first = cursor->gap;

	cursor->gap = NO_GAP;
	for (size_t i = first; i < plan->nr_steps; i++) {
		if (!is_work_or_wakeup(&plan->steps[i]))
			return;
	}
	for (size_t i = first; i < plan->nr_steps; i++) {
		if (plan->steps[i].kind == STEP_RUN)
			plan->steps[i].value = 0;
	}
}

static void begin_span(struct builder *builder, struct cursor *cursor, uint32_t name)
{
	if (name == builder->changes->merged && cursor->gap != NO_GAP)
		leave_out_gap(builder, cursor);
	cursor->place = place_in(builder->plan, cursor->place, name);
}

static void end_span(struct builder *builder, struct cursor *cursor)
{
	const struct replay_place *place = &builder->plan->places[cursor->place];

	if (place->name != TRACE_NO_STRING && place->name == builder->changes->merged)
		cursor->gap = builder->plan->nr_steps;
	cursor->place = place->outer;
}

static void pass_point(struct builder *builder, struct cursor *cursor,
		       const struct replay_point *point)
{
	if (point->kind == POINT_ACQUIRE)
		wait_at_barrier(builder, cursor);
	switch ((enum replay_point_kind)point->kind) {
	case POINT_WAKE:
		if (point->time_ns >= cursor->skip_until_ns)
			wait_at_barrier(builder, cursor);
		add_step(builder, STEP_WAKE, cursor->place, point->value);
		break;
	case POINT_ACQUIRE:
		add_step(builder, STEP_LOCK, cursor->place, point->value);
		break;
	case POINT_RELEASE:
		add_step(builder, STEP_UNLOCK, cursor->place, point->value);
		break;
	case POINT_SPAN_BEGIN:
		begin_span(builder, cursor, (uint32_t)point->value);
		break;
	case POINT_SPAN_END:
		end_span(builder, cursor);
		break;
	case POINT_PART_AT_ONCE:
		begin_part(builder, cursor, point->value);
		end_part(cursor);
		break;
	case POINT_PART_BEGIN:
		begin_part(builder, cursor, point->value);
		break;
	case POINT_PART_END:
		end_part(cursor);
		break;
	case POINT_MEET:
		come_to_barrier(builder, cursor, point->value);
		break;
	case POINT_LOCK:
		skip_until(cursor, point->value, false);
		break;
	case POINT_RECEIVE:
		receive(builder, cursor, point);
		break;
	case POINT_UNSENT:
		receive_unsent(cursor, point);
		break;
	}
}

static bool has_point(const struct builder *builder, const struct cursor *cursor, uint64_t until_ns)
{
	return cursor->point < builder->points.nr &&
	       builder->points.rows[cursor->point].thread == cursor->thread &&
	       builder->points.rows[cursor->point].time_ns <= until_ns;
}

static void pass_points(struct builder *builder, struct cursor *cursor, uint64_t until_ns)
{
	while (has_point(builder, cursor, until_ns))
		pass_point(builder, cursor, &builder->points.rows[cursor->point++]);
}

/* On a CPU. */
static void pass_run(struct builder *builder, struct cursor *cursor, uint64_t from_ns,
		     uint64_t to_ns)
{
	while (has_point(builder, cursor, to_ns)) {
		const struct replay_point *point = &builder->points.rows[cursor->point++];

		if (point->time_ns > from_ns) {
			add_run(builder, cursor, from_ns, point->time_ns);
			from_ns = point->time_ns;
		}
		pass_point(builder, cursor, point);
	}
	add_run(builder, cursor, from_ns, to_ns);
}

static void wait_for_unknown(struct builder *builder, const struct cursor *cursor, uint64_t ns)
{
	add_step(builder, STEP_WAIT_UNKNOWN, cursor->place, ns);
	builder->plan->nr_unknown++;
}

/*
 * Asleep in [from_ns, to_ns). What a barrier made it wait is not told again. Whoever sends a message to one who sleeps wakes it,
 * after it began to send.
 */
static void pass_sleep(struct builder *builder, struct cursor *cursor, uint64_t from_ns,
		       uint64_t to_ns)
{
	const struct blocked_waits *waits = &builder->waits;
	size_t end = waits->first[cursor->thread + 1];
	uint64_t wakeup = REPLAY_NO_WAKEUP;

	pass_points(builder, cursor, from_ns);
	while (cursor->wait < end && waits->rows[cursor->wait].to_ns < to_ns)
		cursor->wait++;
	if (cursor->wait < end && waits->rows[cursor->wait].to_ns == to_ns)
		wakeup = builder->points.wakeup_of[cursor->wait];
	wait_at_barrier(builder, cursor);
	if (from_ns < cursor->skip_until_ns) {
		from_ns = cursor->skip_until_ns;
		if (!cursor->is_receiving)
			wakeup = REPLAY_NO_WAKEUP;
	}
	if (from_ns >= to_ns || wakeup == REPLAY_LOCK_WAIT)
		return;
	pass_points(builder, cursor, from_ns);
	if (wakeup == REPLAY_UNKNOWN_WAKEUP)
		wait_for_unknown(builder, cursor, to_ns - from_ns);
	else if (wakeup != REPLAY_NO_WAKEUP)
		add_step(builder, STEP_WAIT, cursor->place, wakeup);
	else
		add_step(builder, STEP_SLEEP, cursor->place, to_ns - from_ns);
}

static void pass_state(struct builder *builder, struct cursor *cursor, size_t row)
{
	const struct state_table *states = &builder->model->threads[cursor->thread].states;
	enum thread_state state = (enum thread_state)states->state[row];
	uint64_t from_ns = states->start_ns[row], to_ns = states->start_ns[row + 1];

	if (state == STATE_RUNNING) {
		cursor->cpu = states->cpu[row];
		pass_run(builder, cursor, from_ns, to_ns);
	} else if (state_is_asleep(state) && row + 1 < states->nr) {
		pass_sleep(builder, cursor, from_ns, to_ns);
	} else if (state == STATE_UNKNOWN && row && row + 1 < states->nr) {
		add_step(builder, STEP_SLEEP, cursor->place, to_ns - from_ns);
	}
}

/* It begins when its creator made it, or when it did. */
static void begin_thread(struct builder *builder, const struct cursor *cursor)
{
	const struct state_table *states = &builder->model->threads[cursor->thread].states;
	size_t row = states->state[0] == STATE_UNKNOWN && states->nr > 1;

	if (builder->points.birth_of[cursor->thread] != REPLAY_NO_WAKEUP)
		add_step(builder, STEP_WAIT, 0, builder->points.birth_of[cursor->thread]);
	else
		add_step(builder, STEP_SLEEP_UNTIL, 0, states->start_ns[row]);
}

static void note_cpus(struct replay_plan *plan, size_t at)
{
	const struct state_table *states = &plan->model->threads[plan->threads[at].thread].states;
	uint64_t *ran_ns = xcalloc((size_t)plan->nr_cpus, sizeof(*ran_ns));
	struct replay_thread *thread = &plan->threads[at];

	for (size_t row = 0; row < states->nr; row++) {
		int cpu = states->cpu[row];

		if (states->state[row] != STATE_RUNNING || cpu < 0 || cpu >= plan->nr_cpus)
			continue;
		plan->may_run[at * (size_t)plan->nr_cpus + (size_t)cpu] = true;
		ran_ns[cpu] += states->start_ns[row + 1] - states->start_ns[row];
		if (ran_ns[cpu] > ran_ns[thread->main_cpu])
			thread->main_cpu = cpu;
	}
	free(ran_ns);
}

static void add_thread(struct builder *builder, uint32_t thread, size_t first_point)
{
	struct replay_plan *plan = builder->plan;
	const struct state_table *states = &builder->model->threads[thread].states;
	struct replay_thread *row = &plan->threads[plan->nr_threads];
	struct cursor cursor = {
		.thread = thread,
		.point = first_point,
		.wait = builder->waits.first[thread],
		.factor = 1,
		.barrier = NO_BARRIER,
		.gap = NO_GAP,
		.cpu = NO_CPU,
	};

	*row = (struct replay_thread){ .thread = thread, .first = plan->nr_steps };
	begin_thread(builder, &cursor);
	for (size_t i = 0; i < states->nr; i++)
		pass_state(builder, &cursor, i);
	pass_points(builder, &cursor, UINT64_MAX);
	wait_at_barrier(builder, &cursor);
	row->nr = plan->nr_steps - row->first;
	note_cpus(plan, plan->nr_threads++);
}

static void add_threads(struct builder *builder)
{
	const struct model *model = builder->model;
	size_t point = 0;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (replay_scope_runs(&builder->scope, i) && model->threads[i].states.nr)
			add_thread(builder, i, point);
		while (point < builder->points.nr && builder->points.rows[point].thread == i)
			point++;
	}
}

static void note_priorities(struct builder *builder)
{
	const struct model *model = builder->model;
	bool *is_real_time = xcalloc(model->nr_threads, sizeof(*is_real_time));

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr; i++)
			is_real_time[slices->thread[i]] |=
				trace_priority_is_real_time(slices->priority[i]);
	}
	for (size_t i = 0; i < builder->plan->nr_threads; i++)
		builder->plan->threads[i].is_real_time =
			is_real_time[builder->plan->threads[i].thread];
	free(is_real_time);
}

/* Who is left out leaves its CPUs to the others. */
static void note_session_cpus(struct replay_plan *plan)
{
	for (int cpu = 0; cpu < plan->nr_cpus; cpu++) {
		const struct slice_table *slices = &plan->model->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr && !plan->is_of_session[cpu]; i++)
			plan->is_of_session[cpu] =
				plan->model->threads[slices->thread[i]].in_session;
	}
}

static void add_loads(struct builder *builder)
{
	const struct model *model = builder->model;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;
		struct replay_cpu *row = &builder->plan->cpus[cpu];

		for (size_t i = 0; i < slices->nr; i++) {
			uint32_t program = builder->plan->programs.of_thread[slices->thread[i]];

			if (model->threads[slices->thread[i]].in_session ||
			    builder->plan->programs.names[program] == builder->changes->without)
				continue;
			ARRAY_MAKE_ROOM(row->loads, row->nr_loads, row->loads_capacity);
			row->loads[row->nr_loads++] = (struct replay_load){ slices->start_ns[i],
									    slices->end_ns[i] };
		}
	}
}

static void find_left_out(struct builder *builder)
{
	if (builder->changes->no_lock == TRACE_NO_STRING)
		return;
	builder->left_out = lock_waits_find(builder->model, &builder->regions->barriers);
	lock_waits_choose(&builder->left_out, builder->changes->no_lock);
}

static void build(struct builder *builder)
{
	find_left_out(builder);
	builder->messages = messages_compute(builder->model);
	builder->waits = blocked_waits_find(builder->model);
	builder->locks = replay_locks_find(builder->model, &builder->waits,
					   &builder->regions->barriers, &builder->left_out);
	builder->plan->nr_locks = builder->locks.nr;
	builder->points = replay_points_find(&builder->scope, &builder->waits, &builder->locks);
	builder->plan->nr_wakeups = builder->points.nr_wakeups;
	add_threads(builder);
	note_session_cpus(builder->plan);
	note_priorities(builder);
	add_loads(builder);
	free(builder->left_out.rows);
	messages_free(&builder->messages);
	replay_locks_free(&builder->locks);
	blocked_waits_free(&builder->waits);
	replay_points_free(&builder->points);
}

struct replay_plan *replay_plan_new(const struct model *model, const struct regions *regions,
				    const struct replay_changes *changes)
{
	struct replay_plan *plan = xcalloc(1, sizeof(*plan));
	struct builder builder = {
		.plan = plan,
		.model = model,
		.regions = regions,
		.changes = changes,
	};
	struct findings session = findings_new(model);

	plan->model = model;
	plan->from_ns = session.session_from_ns;
	critical_path_last_on_cpu(model, &plan->to_ns);
	findings_free(&session);
	plan->nr_cpus = model->nr_cpus;
	plan->cpus = xcalloc((size_t)plan->nr_cpus, sizeof(*plan->cpus));
	plan->is_of_session = xcalloc((size_t)plan->nr_cpus, sizeof(*plan->is_of_session));
	plan->programs = programs_compute(model);
	plan->threads = xcalloc(model->nr_threads, sizeof(*plan->threads));
	plan->may_run = xcalloc(model->nr_threads * (size_t)plan->nr_cpus, sizeof(*plan->may_run));
	plan->nr_meetings = regions->barriers.nr;
	plan->meeting_sizes = xcalloc(plan->nr_meetings, sizeof(*plan->meeting_sizes));
	place_in(plan, 0, TRACE_NO_STRING);
	builder.scope = (struct replay_scope){
		model, regions, changes, &plan->programs, &builder.left_out, &builder.messages
	};
	build(&builder);
	return plan;
}

void replay_plan_free(struct replay_plan *plan)
{
	for (int cpu = 0; cpu < plan->nr_cpus; cpu++)
		free(plan->cpus[cpu].loads);
	free(plan->cpus);
	free(plan->threads);
	spill_free(plan->steps);
	free(plan->places);
	pair_table_free(&plan->place_numbers);
	free(plan->meeting_sizes);
	programs_free(&plan->programs);
	free(plan->is_of_session);
	free(plan->may_run);
	free(plan);
}

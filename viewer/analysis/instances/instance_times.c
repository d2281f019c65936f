// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/instance_times.h"

#include "analysis/events/event_rates.h"
#include "analysis/events/miss_level.h"
#include "analysis/base/row_search.h"
#include "trace/event.h"
#include "util/lower_bound.h"

#define LEAST_COVERED 0.99 /* of the time that counts are asked for */

static bool is_usable(const struct pmu_event *event)
{
	return event->is_counted && !event->error && !event->is_merged;
}

static bool is_of_mode(const struct pmu_event *event, bool user, bool kernel)
{
	return is_usable(event) && event->user == user && event->kernel == kernel;
}

static size_t find_event(const struct model *model, bool (*is_it)(const char *name), bool user,
			 bool kernel)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (is_of_mode(event, user, kernel) &&
		    is_it(trace_string(model->trace, event->name)))
			return i;
	}
	return NO_EVENT;
}

static size_t find_misses(const struct model *model, bool user, bool kernel)
{
	enum miss_level most = MISS_NONE;
	size_t found = NO_EVENT;

	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		enum miss_level level = miss_level_of_event(model, i);

		if (!is_of_mode(&model->pmu_events[i], user, kernel) || level <= most)
			continue;
		most = level;
		found = i;
	}
	return found;
}

static bool add_mode(struct instance_reader *reader, bool user, bool kernel)
{
	struct instance_mode mode = {
		.instructions = find_event(reader->model, event_is_instructions, user, kernel),
		.cycles = find_event(reader->model, event_is_cycles, user, kernel),
		.misses = find_misses(reader->model, user, kernel),
	};

	if (mode.instructions == NO_EVENT || mode.cycles == NO_EVENT)
		return false;
	reader->modes[reader->nr_modes++] = mode;
	reader->with_kernel |= kernel;
	return true;
}

struct instance_reader instance_reader_new(const struct model *model)
{
	struct instance_reader reader = {
		.model = model,
		.waits = wait_spans_compute(model),
		.events = window_events_new(model),
	};

	if (add_mode(&reader, true, true))
		return reader;
	/* The kernel alone is not what useful time is made of. */
	if (add_mode(&reader, true, false))
		add_mode(&reader, false, true);
	return reader;
}

void instance_reader_free(struct instance_reader *reader)
{
	wait_spans_free(&reader->waits);
	window_events_free(&reader->events);
}

/* One more that does not fit is of no cause that is known. */
static void add_cause(struct instance_times *times, uint32_t cause, double ns)
{
	size_t i = 0;

	while (i < times->nr_causes && times->causes[i].cause != cause)
		i++;
	if (i == INSTANCE_MOST_CAUSES) {
		i--;
		times->causes[i].cause = TRACE_NO_STRING;
	}
	if (i == times->nr_causes)
		times->causes[times->nr_causes++].cause = cause;
	times->causes[i].ns += ns;
}

static uint32_t cause_at(const struct cause_table *causes, uint64_t start_ns)
{
	size_t at = LOWER_BOUND(i, 0, causes->nr, causes->start_ns[i] < start_ns);

	return at < causes->nr && causes->start_ns[at] == start_ns ? causes->cause[at] :
								     TRACE_NO_STRING;
}

static uint64_t overlap_ns(const struct slice_table *slices, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum_ns = 0;

	for (size_t i = row_search_after(slices->end_ns, slices->nr, from_ns);
	     i < slices->nr && slices->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = slices->start_ns[i] > from_ns ? slices->start_ns[i] : from_ns;
		uint64_t end_ns = slices->end_ns[i] < to_ns ? slices->end_ns[i] : to_ns;

		sum_ns += end_ns - start_ns;
	}
	return sum_ns;
}

/* On @cpu, outside of wait spans; of several siblings, one is taken to run while any does. */
static void add_siblings(struct instance_times *times, const struct model *model, int cpu,
			 uint64_t from_ns, uint64_t to_ns)
{
	uint64_t sum_ns = 0;

	for (int other = 0; other < model->nr_cpus; other++) {
		if (topology_distance(&model->topology, cpu, other) != SMT_SIBLING)
			continue;
		times->has_sibling = true;
		sum_ns += overlap_ns(&model->cpus[other].slices, from_ns, to_ns);
	}
	times->sibling_ns += (double)(sum_ns < to_ns - from_ns ? sum_ns : to_ns - from_ns);
}

/* What only rows of states tell; @is_waiting: in a wait span. */
static void add_rows(struct instance_times *times, const struct instance_reader *reader,
		     uint32_t thread, uint64_t from_ns, uint64_t to_ns, bool is_waiting)
{
	const struct model *model = reader->model;
	const struct state_table *states = &model->threads[thread].states;

	for (size_t i = row_search_state(states, from_ns);
	     i < states->nr && states->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = states->start_ns[i] > from_ns ? states->start_ns[i] : from_ns;
		uint64_t end_ns = states->start_ns[i + 1] < to_ns ? states->start_ns[i + 1] : to_ns;

		times->moves += states->migrated[i] && states->start_ns[i] >= from_ns;
		if (state_is_asleep(states->state[i]))
			add_cause(times,
				  cause_at(&model->threads[thread].causes, states->start_ns[i]),
				  (double)(end_ns - start_ns));
		else if (states->state[i] == STATE_RUNNING && !is_waiting && states->cpu[i] >= 0)
			add_siblings(times, model, states->cpu[i], start_ns, end_ns);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Outside of wait spans. Returns for how long all was counted, but for misses. */
static uint64_t add_counts(struct instance_times *times, const struct instance_reader *reader,
			   uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t covered_ns = to_ns - from_ns;

	for (size_t i = 0; i < reader->nr_modes; i++) {
		const struct instance_mode *mode = &reader->modes[i];
		struct window_count instructions = window_events_count(&reader->events,
								       mode->instructions, thread,
								       from_ns, to_ns);
		struct window_count cycles = window_events_count(&reader->events, mode->cycles,
								 thread, from_ns, to_ns);

		if (mode->misses != NO_EVENT)
			times->misses += window_events_count(&reader->events, mode->misses, thread,
							     from_ns, to_ns)
						 .count;
		times->instructions += instructions.count;
		times->instructions_variance += instructions.variance;
		times->cycles += cycles.count;
		times->cycles_variance += cycles.variance;
		covered_ns = least(covered_ns, least(instructions.covered_ns, cycles.covered_ns));
	}
	return reader->nr_modes ? covered_ns : 0;
}

/* In wait spans and between them. Returns how much of the latter was counted. */
static uint64_t add_stretches(struct instance_times *times, const struct instance_reader *reader,
			      uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct wait_spans *waits = &reader->waits;
	uint64_t at_ns = from_ns, covered_ns = 0;

	for (size_t i = wait_spans_after(waits, thread, from_ns);
	     i < waits->first[thread + 1] && waits->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = waits->start_ns[i] > from_ns ? waits->start_ns[i] : from_ns;
		uint64_t end_ns = waits->end_ns[i] < to_ns ? waits->end_ns[i] : to_ns;

		add_rows(times, reader, thread, at_ns, start_ns, false);
		covered_ns += add_counts(times, reader, thread, at_ns, start_ns);
		add_rows(times, reader, thread, start_ns, end_ns, true);
		at_ns = end_ns;
	}
	add_rows(times, reader, thread, at_ns, to_ns, false);
	return covered_ns + add_counts(times, reader, thread, at_ns, to_ns);
}

static void add_states(struct instance_times *times, const struct wait_account *account)
{
	static const enum instance_time time_of[NR_THREAD_STATES] = {
		[STATE_UNKNOWN] = INSTANCE_UNKNOWN,
		[STATE_PREEMPTED] = INSTANCE_PREEMPTED,
		[STATE_RUNNABLE] = INSTANCE_WAKEUP,
		[STATE_SLEEPING] = INSTANCE_BLOCKED,
		[STATE_UNINTERRUPTIBLE] = INSTANCE_BLOCKED,
		[STATE_STOPPED] = INSTANCE_BLOCKED,
		[STATE_DEAD] = INSTANCE_UNKNOWN,
	};

	for (int state = 0; state < NR_THREAD_STATES; state++) {
		if (state != STATE_RUNNING)
			times->ns[time_of[state]] +=
				(double)(account->outside_ns[state] + account->inside_ns[state]);
	}
	times->ns[INSTANCE_USEFUL] =
		(double)(account->outside_ns[STATE_RUNNING] - account->outside_stolen_ns);
	times->ns[INSTANCE_SPINNING] =
		(double)(account->inside_ns[STATE_RUNNING] - account->inside_stolen_ns);
	times->ns[INSTANCE_STOLEN] =
		(double)(account->outside_stolen_ns + account->inside_stolen_ns);
}

struct instance_times instance_times_of(const struct instance_reader *reader, uint32_t thread,
					uint64_t from_ns, uint64_t to_ns)
{
	struct instance_times times = { .nr = 1 };
	struct wait_account account;
	uint64_t covered_ns;

	wait_spans_account(&reader->waits, reader->model, thread, from_ns, to_ns, &account);
	add_states(&times, &account);
	covered_ns = add_stretches(&times, reader, thread, from_ns, to_ns);
	times.is_counted = times.instructions > 0 && times.cycles > 0 &&
			   (double)covered_ns >=
				   LEAST_COVERED * (double)account.outside_ns[STATE_RUNNING];
	return times;
}

void instance_times_add(struct instance_times *sum, const struct instance_times *times)
{
	for (int i = 0; i < NR_INSTANCE_TIMES; i++)
		sum->ns[i] += times->ns[i];
	sum->moves += times->moves;
	sum->is_counted = times->is_counted && (sum->is_counted || !sum->nr);
	sum->instructions += times->instructions;
	sum->cycles += times->cycles;
	sum->misses += times->misses;
	sum->instructions_variance += times->instructions_variance;
	sum->cycles_variance += times->cycles_variance;
	sum->has_sibling |= times->has_sibling;
	sum->sibling_ns += times->sibling_ns;
	for (size_t i = 0; i < times->nr_causes; i++)
		add_cause(sum, times->causes[i].cause, times->causes[i].ns);
	sum->nr += times->nr;
}

double instance_times_blocked_ns(const struct instance_times *times, uint32_t cause)
{
	for (size_t i = 0; i < times->nr_causes; i++) {
		if (times->causes[i].cause == cause)
			return times->causes[i].ns;
	}
	return 0;
}

double instance_times_wall_ns(const struct instance_times *times)
{
	double sum_ns = 0;

	for (int i = 0; i < NR_INSTANCE_TIMES; i++)
		sum_ns += times->ns[i];
	return sum_ns;
}

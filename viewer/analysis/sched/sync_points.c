// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/sync_points.h"

#include <stdlib.h>

#include "analysis/tasks/span_walk.h"
#include "util/pair_table.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

#define NO_MEETING SIZE_MAX
#define THE_END UINT32_MAX /* in the place of a wait span's name */
#define OF_A_PROCESS 0x80000000u

struct arrival {
	size_t key; /* of all that may meet */
	uint32_t thread;
	bool is_end;
	uint64_t at_ns;
	uint64_t leaves_ns;
	size_t point;
	uint64_t late_ns[NR_DELAY_CAUSES];
};

/* A meeting as it is found. */
struct gathering {
	struct sync_point point;
	uint64_t would_be_ns[NR_DELAY_CAUSES]; /* the last arrival, if nobody had been late */
};

struct finder {
	const struct model *model;
	const struct programs *programs;
	const struct delays *delays;
	struct pair_table keys;
	uint32_t *domains; /* by thread: within which it meets others */
	size_t nr;
	size_t capacity;
	struct arrival *arrivals;
	size_t nr_gatherings;
	struct gathering *gatherings;
};

static bool has_wait(const struct span_table *spans)
{
	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->kind[i] == TRACE_SPAN_WAIT)
			return true;
	}
	return false;
}

/* Processes of several threads that wait meet within themselves, others within their program. */
static void find_domains(struct finder *finder)
{
	const struct model *model = finder->model;
	uint32_t *nr_waiting = xcalloc(model->nr_threads, sizeof(*nr_waiting));
	struct pair_table processes = { 0 };

	finder->domains = xcalloc(model->nr_threads, sizeof(*finder->domains));
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		if (thread->tgid > 0 && has_wait(&thread->spans))
			nr_waiting[pair_table_number(&processes, (uint32_t)thread->tgid, 0)]++;
	}
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		finder->domains[i] = finder->programs->of_thread[i];
		if (thread->tgid > 0 && thread->spans.nr &&
		    nr_waiting[pair_table_number(&processes, (uint32_t)thread->tgid, 0)] > 1)
			finder->domains[i] = OF_A_PROCESS | (uint32_t)thread->tgid;
	}
	pair_table_free(&processes);
	free(nr_waiting);
}

static void add_arrival(struct finder *finder, uint32_t thread, uint32_t name, uint64_t at_ns,
			uint64_t leaves_ns)
{
	SPILL_MAKE_ROOM(finder->arrivals, finder->nr, finder->capacity);
	finder->arrivals[finder->nr++] = (struct arrival){
		.key = pair_table_number(&finder->keys, finder->domains[thread], name),
		.thread = thread,
		.is_end = name == THE_END,
		.at_ns = at_ns,
		.leaves_ns = leaves_ns,
		.point = NO_MEETING,
	};
}

static uint64_t life_end_ns(const struct model *model, uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;

	if (states->nr && states->state[states->nr - 1] == STATE_DEAD)
		return states->start_ns[states->nr - 1];
	return model->duration_ns;
}

/* Its outermost wait spans; then its end: of its spans, if it has any. */
static void add_arrivals(struct finder *finder, uint32_t thread)
{
	const struct span_table *spans = &finder->model->threads[thread].spans;
	size_t outer = SIZE_MAX;
	uint64_t end_ns = 0;

	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->end_ns[i] > end_ns)
			end_ns = spans->end_ns[i];
		if (spans->kind[i] != TRACE_SPAN_WAIT ||
		    (outer != SIZE_MAX && span_walk_is_inside(spans, i, outer) &&
		     spans->start_ns[i] < spans->end_ns[outer]))
			continue;
		outer = i;
		add_arrival(finder, thread, spans->name[i], spans->start_ns[i], spans->end_ns[i]);
	}
	if (!spans->nr)
		end_ns = life_end_ns(finder->model, thread);
	add_arrival(finder, thread, THE_END, end_ns, UINT64_MAX);
}

static uint64_t on_cpu_ns(const struct model *model, uint32_t thread)
{
	return model->threads[thread].totals.state_ns[STATE_RUNNING];
}

/* Marks, of each program that annotates nothing, the busiest thread. */
static void add_unannotated(const struct model *model, const struct programs *programs, bool *meets)
{
	size_t nr = programs->nr;
	uint32_t *busiest = xcalloc(nr, sizeof(*busiest));
	bool *annotates = xcalloc(nr, sizeof(*annotates));

	for (size_t i = 0; i < nr; i++)
		busiest[i] = MODEL_NO_THREAD;
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		uint32_t program = programs->of_thread[i];

		if (!model->threads[i].in_session)
			continue;
		annotates[program] |= model->threads[i].spans.nr > 0;
		if (busiest[program] == MODEL_NO_THREAD ||
		    on_cpu_ns(model, i) > on_cpu_ns(model, busiest[program]))
			busiest[program] = i;
	}
	for (size_t i = 0; i < nr; i++) {
		if (!annotates[i] && busiest[i] != MODEL_NO_THREAD)
			meets[busiest[i]] = true;
	}
	free(annotates);
	free(busiest);
}

bool *sync_points_threads(const struct model *model, const struct programs *programs)
{
	bool *meets = xcalloc(model->nr_threads, sizeof(*meets));

	for (size_t i = 0; i < model->nr_threads; i++)
		meets[i] = model->threads[i].in_session && model->threads[i].spans.nr;
	add_unannotated(model, programs, meets);
	return meets;
}

static int compare_times(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_by_key(const void *a, const void *b)
{
	const struct arrival *first = a, *second = b;

	if (first->key != second->key)
		return first->key < second->key ? -1 : 1;
	if (first->at_ns != second->at_ns)
		return compare_times(first->at_ns, second->at_ns);
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static int compare_by_thread(const void *a, const void *b)
{
	const struct arrival *first = a, *second = b;

	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	if (first->at_ns != second->at_ns)
		return compare_times(first->at_ns, second->at_ns);
	return (int)first->is_end - (int)second->is_end;
}

static int compare_gatherings(const void *a, const void *b)
{
	const struct gathering *first = a, *second = b;

	return compare_times(first->point.at_ns, second->point.at_ns);
}

/* [from, to) of the arrivals by key came together. */
static void gather_arrivals(struct finder *finder, size_t from, size_t to)
{
	struct arrival *arrivals = finder->arrivals;
	const struct arrival *last = &arrivals[to - 1];

	if (to - from < 2 && !last->is_end)
		return;
	for (size_t i = from; i < to; i++)
		arrivals[i].point = finder->nr_gatherings;
	finder->gatherings[finder->nr_gatherings++].point = (struct sync_point){
		.program = finder->programs->of_thread[last->thread],
		.is_end = last->is_end,
		.nr_threads = to - from,
		.last = last->thread,
		.at_ns = last->at_ns,
	};
}

/* Who arrives when the first has left already is of the next meeting. */
static void gather_all(struct finder *finder)
{
	struct arrival *arrivals = finder->arrivals;
	size_t from = 0;
	uint64_t leaves_ns = UINT64_MAX;

	for (size_t i = 0; i < finder->nr; i++) {
		if (i &&
		    (arrivals[i].key != arrivals[i - 1].key || arrivals[i].at_ns >= leaves_ns)) {
			gather_arrivals(finder, from, i);
			from = i;
			leaves_ns = UINT64_MAX;
		}
		if (arrivals[i].leaves_ns < leaves_ns)
			leaves_ns = arrivals[i].leaves_ns;
	}
	if (finder->nr)
		gather_arrivals(finder, from, finder->nr);
}

static void add_lateness(const struct finder *finder, struct arrival *arrival, uint64_t since_ns)
{
	const struct delays *delays = finder->delays;
	size_t end = delays->first[arrival->thread + 1];

	for (size_t i = delays_find(delays, arrival->thread, since_ns);
	     since_ns < arrival->at_ns && i < end && delays->rows[i].from_ns < arrival->at_ns;
	     i++) {
		const struct delay *delay = &delays->rows[i];
		uint64_t from_ns = delay->from_ns > since_ns ? delay->from_ns : since_ns;
		uint64_t to_ns = delay->to_ns < arrival->at_ns ? delay->to_ns : arrival->at_ns;

		arrival->late_ns[delay_cause(finder->programs, arrival->thread, delay->by)] +=
			to_ns - from_ns;
	}
}

/* How late each thread was, from meeting to meeting. */
static void find_lateness(struct finder *finder)
{
	uint64_t since_ns = 0;

	for (size_t i = 0; i < finder->nr; i++) {
		struct arrival *arrival = &finder->arrivals[i];
		struct sync_point *point;

		if (!i || arrival->thread != finder->arrivals[i - 1].thread)
			since_ns = 0;
		if (arrival->point == NO_MEETING)
			continue;
		point = &finder->gatherings[arrival->point].point;
		add_lateness(finder, arrival, since_ns);
		if (point->last == arrival->thread)
			point->since_ns = since_ns;
		since_ns = point->at_ns;
	}
}

static void find_last(struct finder *finder)
{
	for (size_t i = 0; i < finder->nr; i++) {
		const struct arrival *arrival = &finder->arrivals[i];
		struct gathering *gathering;

		if (arrival->point == NO_MEETING)
			continue;
		gathering = &finder->gatherings[arrival->point];
		for (int cause = 0; cause < NR_DELAY_CAUSES; cause++) {
			uint64_t would_be_ns = arrival->at_ns - arrival->late_ns[cause];

			if (would_be_ns > gathering->would_be_ns[cause])
				gathering->would_be_ns[cause] = would_be_ns;
		}
	}
	for (size_t i = 0; i < finder->nr_gatherings; i++) {
		struct gathering *gathering = &finder->gatherings[i];

		for (int cause = 0; cause < NR_DELAY_CAUSES; cause++)
			gathering->point.late_ns[cause] = gathering->point.at_ns -
							  gathering->would_be_ns[cause];
	}
}

/* Who had come waited from then, or from when all would have been there, for the last. */
static void find_waited(struct finder *finder)
{
	for (size_t i = 0; i < finder->nr; i++) {
		const struct arrival *arrival = &finder->arrivals[i];
		struct gathering *gathering;

		if (arrival->point == NO_MEETING || arrival->is_end)
			continue;
		gathering = &finder->gatherings[arrival->point];
		for (int cause = 0; cause < NR_DELAY_CAUSES; cause++) {
			uint64_t from_ns = gathering->would_be_ns[cause];

			if (arrival->at_ns > from_ns)
				from_ns = arrival->at_ns;
			gathering->point.waited_ns[cause] += gathering->point.at_ns - from_ns;
		}
	}
}

void sync_points_each(const struct model *model, const struct programs *programs,
		      const struct delays *delays,
		      void (*take)(void *context, const struct sync_point *point), void *context)
{
	struct finder finder = { .model = model, .programs = programs, .delays = delays };

	find_domains(&finder);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (delays->meets[i])
			add_arrivals(&finder, i);
	}
	finder.gatherings = spill_zeroed(finder.nr, sizeof(*finder.gatherings));
	if (finder.nr)
		qsort(finder.arrivals, finder.nr, sizeof(*finder.arrivals), compare_by_key);
	gather_all(&finder);
	if (finder.nr)
		qsort(finder.arrivals, finder.nr, sizeof(*finder.arrivals), compare_by_thread);
	find_lateness(&finder);
	find_last(&finder);
	find_waited(&finder);
	if (finder.nr_gatherings)
		qsort(finder.gatherings, finder.nr_gatherings, sizeof(*finder.gatherings),
		      compare_gatherings);
	for (size_t i = 0; i < finder.nr_gatherings; i++)
		take(context, &finder.gatherings[i].point);
	pair_table_free(&finder.keys);
	free(finder.domains);
	spill_free(finder.arrivals);
	spill_free(finder.gatherings);
}

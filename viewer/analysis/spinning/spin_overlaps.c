// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/spin_overlaps.h"

#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "util/xalloc.h"

/* A thread begins or ends to spin on a CPU, or to want it. */
struct edge {
	uint64_t time_ns;
	size_t wait; /* in which it spins; NO_WAIT: it wants the CPU */
	uint32_t thread;
	int cpu;
	bool is_end;
};

#define NO_WAIT SIZE_MAX

struct edges {
	const struct model *model;
	const struct barriers *barriers;
	const uint64_t *spun_ns;
	size_t nr;
	size_t capacity;
	struct edge *rows;
};

/* What holds on a CPU at some time. */
struct cpu_now {
	size_t wait; /* in which a thread spins; NO_WAIT: none does */
	size_t nr_waiting;
	size_t capacity;
	uint32_t *waiting;
	uint64_t since_ns;
};

static void add_edges(struct edges *edges, const struct edge *begin, uint64_t end_ns)
{
	struct edge end = *begin;

	if (begin->time_ns >= end_ns)
		return;
	end.time_ns = end_ns;
	end.is_end = true;
	ARRAY_MAKE_ROOM(edges->rows, edges->nr, edges->capacity);
	edges->rows[edges->nr++] = *begin;
	ARRAY_MAKE_ROOM(edges->rows, edges->nr, edges->capacity);
	edges->rows[edges->nr++] = end;
}

/* Where a slice's thread spins. */
static void add_slice(struct edges *edges, int cpu, size_t slice)
{
	const struct slice_table *slices = &edges->model->cpus[cpu].slices;
	const struct wait_spans *waits = &edges->barriers->waits;
	uint32_t thread = slices->thread[slice];
	uint64_t from_ns = slices->start_ns[slice], to_ns = slices->end_ns[slice];

	for (size_t i = wait_spans_after(waits, thread, from_ns);
	     i < waits->first[thread + 1] && waits->start_ns[i] < to_ns; i++) {
		uint64_t end_ns = barriers_wait_end_ns(edges->barriers, i);
		struct edge begin = {
			.time_ns = waits->start_ns[i] > from_ns ? waits->start_ns[i] : from_ns,
			.wait = i,
			.thread = thread,
			.cpu = cpu,
		};

		if (edges->spun_ns[i])
			add_edges(edges, &begin, end_ns < to_ns ? end_ns : to_ns);
	}
}

static void add_slices(struct edges *edges, int cpu)
{
	const struct slice_table *slices = &edges->model->cpus[cpu].slices;
	const struct wait_spans *waits = &edges->barriers->waits;

	for (size_t i = 0; i < slices->nr; i++) {
		uint32_t thread = slices->thread[i];

		if (waits->first[thread] < waits->first[thread + 1])
			add_slice(edges, cpu, i);
	}
}

/* Where the thread has work to do while it is in the queue. */
static void take_queued(void *context, const struct cpu_wait *queued)
{
	struct edges *edges = context;
	const struct wait_spans *waits = &edges->barriers->waits;
	struct edge begin = {
		.time_ns = queued->start_ns,
		.wait = NO_WAIT,
		.thread = queued->thread,
		.cpu = queued->cpu,
	};

	if (queued->cpu < 0 || queued->cpu >= edges->model->nr_cpus)
		return;
	for (size_t i = wait_spans_after(waits, queued->thread, queued->start_ns);
	     i < waits->first[queued->thread + 1] && waits->start_ns[i] < queued->end_ns; i++) {
		uint64_t end_ns = barriers_wait_end_ns(edges->barriers, i);

		add_edges(edges, &begin, waits->start_ns[i]);
		if (end_ns > begin.time_ns)
			begin.time_ns = end_ns;
	}
	add_edges(edges, &begin, queued->end_ns);
}

/* What ends goes before what begins. */
static int compare_edges(const void *a, const void *b)
{
	const struct edge *first = a, *second = b;

	if (first->cpu != second->cpu)
		return first->cpu < second->cpu ? -1 : 1;
	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	if (first->is_end != second->is_end)
		return first->is_end ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void forget_waiting(struct cpu_now *now, uint32_t thread)
{
	size_t i = 0;

	while (now->waiting[i] != thread)
		i++;
	now->waiting[i] = now->waiting[--now->nr_waiting];
}

static void pass_edge(struct cpu_now *now, const struct edge *edge)
{
	if (edge->wait != NO_WAIT) {
		now->wait = edge->is_end ? NO_WAIT : edge->wait;
	} else if (edge->is_end) {
		forget_waiting(now, edge->thread);
	} else {
		ARRAY_MAKE_ROOM(now->waiting, now->nr_waiting, now->capacity);
		now->waiting[now->nr_waiting++] = edge->thread;
	}
	now->since_ns = edge->time_ns;
}

void spin_overlaps_each(const struct model *model, const struct barriers *barriers,
			const uint64_t *spun_ns,
			void (*take)(void *context, const struct spin_overlap *overlap),
			void *context)
{
	struct edges edges = { .model = model, .barriers = barriers, .spun_ns = spun_ns };
	struct cpu_now now = { .wait = NO_WAIT };

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		add_slices(&edges, cpu);
	/* Nobody waits for one who spins where nobody does. */
	if (!edges.nr)
		return;
	cpu_waits_each(model, take_queued, &edges);
	qsort(edges.rows, edges.nr, sizeof(*edges.rows), compare_edges);
	for (size_t i = 0; i < edges.nr; i++) {
		const struct edge *edge = &edges.rows[i];
		struct spin_overlap overlap = {
			.wait = now.wait,
			.cpu = edge->cpu,
			.from_ns = now.since_ns,
			.to_ns = edge->time_ns,
			.nr_waiting = now.nr_waiting,
			.waiting = now.waiting,
		};

		/* On each CPU, all that began has ended before the next one's turn. */
		if (now.wait != NO_WAIT && now.nr_waiting && overlap.from_ns < overlap.to_ns)
			take(context, &overlap);
		pass_edge(&now, edge);
	}
	free(now.waiting);
	free(edges.rows);
}

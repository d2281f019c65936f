// SPDX-License-Identifier: GPL-2.0
#include "thinned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/states/silent.h"
#include "model/threads/threads.h"
#include "util/xalloc.h"

#define MAX_TID (1 << 22)
#define MAX_CPUS 64

void events_add(struct event_list *list, const struct trace_event *event)
{
	if (list->nr == list->capacity) {
		list->capacity = grown_capacity(list->capacity, list->nr + 1);
		list->events = xrealloc_array(list->events, list->capacity, sizeof(*list->events));
	}
	list->events[list->nr++] = *event;
}

void events_free(struct event_list *list)
{
	free(list->events);
	*list = (struct event_list){ 0 };
}

struct event_list events_of_file(const char *path)
{
	struct event_list list = { 0 };
	struct trace_event event;
	struct trace *trace;
	int got;

	if (trace_open(path, &trace))
		exit(1);
	while ((got = trace_next(trace, &event)) > 0) {
		/* These point into the trace. */
		if (event.kind == TRACE_SLICE_COUNTS || event.kind == TRACE_CPU_TOPOLOGY)
			continue;
		if (event.kind == TRACE_SAMPLE)
			event.sample.nr_regs = 0;
		events_add(&list, &event);
	}
	if (got)
		exit(1);
	trace_close(trace);
	return list;
}

static bool counts_down(int *left, int k)
{
	if (--*left)
		return false;
	*left = k;
	return true;
}

/* Whether anything is left that shows, were it left out, that event @at is missing. */
static bool *can_be_missed(const struct event_list *all)
{
	bool *can = xcalloc(all->nr + 1, sizeof(*can)), *runs = xcalloc(MAX_TID, sizeof(*runs));
	bool switches[MAX_CPUS] = { false };

	for (size_t at = all->nr; at-- > 0;) {
		const struct trace_event *event = &all->events[at];

		if (event->kind == TRACE_WAKEUP)
			can[at] = runs[event->wakeup.wakee_tid];
		if (event->kind != TRACE_SWITCH)
			continue;
		can[at] = switches[event->cpu];
		switches[event->cpu] = true;
		runs[event->sw.next_tid] = true;
	}
	free(runs);
	return can;
}

struct event_list events_thinned(const struct event_list *all, enum thinning thinning, int k)
{
	bool *can = can_be_missed(all);
	struct event_list list = { 0 };
	int left[MAX_CPUS];

	for (int i = 0; i < MAX_CPUS; i++)
		left[i] = k;
	for (size_t i = 0; i < all->nr; i++) {
		const struct trace_event *event = &all->events[i];
		bool drop = false;

		if (thinning == WHOLE_CPU)
			drop = event->cpu == k;
		else if (thinning == EVERY_SWITCH && event->kind == TRACE_SWITCH)
			drop = counts_down(&left[event->cpu], k) && can[i];
		else if (thinning == EVERY_WAKEUP && event->kind == TRACE_WAKEUP)
			drop = counts_down(&left[0], k) && can[i];
		if (!drop)
			events_add(&list, event);
	}
	free(can);
	return list;
}

/* What a file tells beforehand. */
static void find_silent_cpus(struct model_builder *builder, const struct event_list *list)
{
	builder_need_cpu(builder, MAX_CPUS - 1);
	for (int cpu = 0; cpu < MAX_CPUS; cpu++)
		builder->cpus[cpu].is_silent = true;
	for (size_t i = 0; i < list->nr; i++)
		builder->cpus[list->events[i].cpu].is_silent = false;
	for (size_t i = 0; i < list->nr; i++)
		silent_note(builder, &list->events[i]);
	silent_settle(builder, list->nr ? list->events[list->nr - 1].time_ns : 0);
}

struct model *model_of(const struct event_list *list)
{
	struct model_builder builder;

	model_builder_init(&builder, NULL);
	find_silent_cpus(&builder, list);
	for (size_t i = 0; i < list->nr; i++)
		model_builder_feed(&builder, &list->events[i]);
	return model_builder_finish(&builder);
}

/* A row of one model, looked up in the other one; times are the trace's. */
struct claim {
	int32_t tid;
	uint64_t from_ns;
	uint64_t to_ns;
	uint8_t state;
	int16_t cpu;
};

/* Whether @thread may have been in that state at @at_ns, and until when it was in its own. */
static bool supports(const struct model *full, size_t thread, const struct claim *claim,
		     uint64_t at_ns, uint64_t *until_ns)
{
	const struct state_table *states = &full->threads[thread].states;
	size_t row = SIZE_MAX;

	*until_ns = full->start_ns + (states->nr ? states->start_ns[0] : full->duration_ns);
	if (at_ns >= full->start_ns)
		row = column_find(states->start_ns, states->nr, at_ns - full->start_ns);
	if (row == SIZE_MAX)
		return true;
	*until_ns = full->start_ns + states->start_ns[row + 1];
	if (row + 1 == states->nr && *until_ns <= at_ns)
		*until_ns = UINT64_MAX;
	return states->state[row] == STATE_UNKNOWN ||
	       (states->state[row] == claim->state &&
		(claim->state != STATE_RUNNING || states->cpu[row] == claim->cpu));
}

/* For how long none of those that had this tid was in that state. */
static uint64_t refuted_ns(const struct model *full, const struct claim *claim)
{
	uint64_t sum_ns = 0, until_ns, next_ns;

	for (uint64_t at_ns = claim->from_ns; at_ns < claim->to_ns; at_ns = next_ns) {
		bool supported = false;

		next_ns = claim->to_ns;
		for (size_t i = 0; i < full->nr_threads; i++) {
			if (full->threads[i].tid != claim->tid)
				continue;
			supported |= supports(full, i, claim, at_ns, &until_ns);
			if (until_ns > at_ns && until_ns < next_ns)
				next_ns = until_ns;
		}
		if (!supported)
			sum_ns += next_ns - at_ns;
	}
	return sum_ns;
}

static void add_claim(struct claims *claims, const struct model *full, const struct claim *claim)
{
	uint64_t wrong_ns;

	claims->life_ns += claim->to_ns - claim->from_ns;
	if (claim->state == STATE_UNKNOWN) {
		claims->unknown_ns += claim->to_ns - claim->from_ns;
		return;
	}
	wrong_ns = refuted_ns(full, claim);
	claims->refuted_ns += wrong_ns;
	claims->refuted_by_state_ns[claim->state] += wrong_ns;
	if (wrong_ns && getenv("SHOW_REFUTED"))
		printf("# tid %d claims %s on %d in [%llu, %llu): refuted for %llu ns\n",
		       claim->tid, thread_state_name(claim->state), claim->cpu,
		       (unsigned long long)claim->from_ns, (unsigned long long)claim->to_ns,
		       (unsigned long long)wrong_ns);
}

struct claims claims_of(const struct model *thinned, const struct model *full)
{
	struct claims claims = { 0 };

	for (size_t i = 0; i < thinned->nr_threads; i++) {
		const struct state_table *states = &thinned->threads[i].states;

		for (size_t row = 0; row < states->nr; row++) {
			struct claim claim = {
				.tid = thinned->threads[i].tid,
				.from_ns = thinned->start_ns + states->start_ns[row],
				.to_ns = thinned->start_ns + states->start_ns[row + 1],
				.state = states->state[row],
				.cpu = states->cpu[row],
			};

			add_claim(&claims, full, &claim);
		}
	}
	return claims;
}

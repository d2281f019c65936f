// SPDX-License-Identifier: GPL-2.0
#include "convert/flows.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

static const struct flow_target no_target = { .cpu = -1, .slice = FLOW_NO_SLICE };

/* The number of times that are before @time_ns: the first row that is not. */
static size_t first_not_before(const uint64_t *times_ns, size_t nr, uint64_t time_ns)
{
	return LOWER_BOUND(row, 0, nr, times_ns[row] < time_ns);
}

/* The slice of @thread on @cpu that begins at @start_ns. */
static struct flow_target find_slice(const struct model *model, uint32_t thread, int cpu,
				     uint64_t start_ns)
{
	const struct slice_table *slices;
	size_t row;

	if (cpu < 0 || cpu >= model->nr_cpus)
		return no_target;
	slices = &model->cpus[cpu].slices;
	row = first_not_before(slices->start_ns, slices->nr, start_ns);
	for (; row < slices->nr && slices->start_ns[row] == start_ns; row++) {
		if (slices->thread[row] == thread)
			return (struct flow_target){ .cpu = cpu, .slice = row };
	}
	return no_target;
}

/* The row that begins as the thread is woken; of a new thread, which waits from its creation on, the
 * first one. SIZE_MAX: the wakeup changed nothing. */
static size_t find_woken(const struct state_table *states, uint64_t time_ns)
{
	size_t row = first_not_before(states->start_ns, states->nr, time_ns);

	for (; row < states->nr && states->start_ns[row] == time_ns; row++) {
		if (states->state[row] == STATE_RUNNABLE)
			return row;
	}
	if (states->nr && states->state[0] == STATE_RUNNABLE && states->start_ns[0] <= time_ns &&
	    (states->nr == 1 || time_ns < states->start_ns[1]))
		return 0;
	return SIZE_MAX;
}

struct flow_target flow_find_target(const struct model *model, size_t wakeup)
{
	uint32_t wakee = model->wakeups.wakee[wakeup];
	const struct state_table *states = &model->threads[wakee].states;
	size_t row = find_woken(states, model->wakeups.time_ns[wakeup]);

	if (row == SIZE_MAX)
		return no_target;
	/* It may be moved from queue to queue before it runs. */
	while (row < states->nr && states->state[row] == STATE_RUNNABLE)
		row++;
	if (row == states->nr || states->state[row] != STATE_RUNNING)
		return no_target;
	return find_slice(model, wakee, states->cpu[row], states->start_ns[row]);
}

/* The slice in which @thread ran at @time_ns. */
static struct flow_target find_running(const struct model *model, uint32_t thread, uint64_t time_ns)
{
	const struct state_table *states = &model->threads[thread].states;
	size_t row = first_not_before(states->start_ns, states->nr, time_ns + 1);

	/* More than one may reach up to that time, of which all but one begin there. */
	while (row--) {
		if (states->state[row] == STATE_RUNNING)
			return find_slice(model, thread, states->cpu[row], states->start_ns[row]);
		if (states->start_ns[row] < time_ns)
			break;
	}
	return no_target;
}

static int compare_ends(const void *left, const void *right)
{
	const struct flow_end *a = left, *b = right;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->slice != b->slice)
		return a->slice < b->slice ? -1 : 1;
	if (a->is_start != b->is_start)
		return a->is_start ? 1 : -1;
	return a->wakeup < b->wakeup ? -1 : a->wakeup > b->wakeup;
}

static struct flow_end flow_end(size_t wakeup, struct flow_target at, bool is_start)
{
	return (struct flow_end){ .wakeup = (uint32_t)wakeup,
				  .slice = (uint32_t)at.slice,
				  .cpu = (int16_t)at.cpu,
				  .is_start = is_start };
}

struct flows flows_find(const struct model *model)
{
	const struct wakeup_table *wakeups = &model->wakeups;
	struct flows flows = { .ends = xcalloc(2 * wakeups->nr + 1, sizeof(*flows.ends)) };

	for (size_t i = 0; i < wakeups->nr; i++) {
		struct flow_target from, to;

		if (wakeups->waker[i] == MODEL_NO_THREAD)
			continue;
		from = find_running(model, wakeups->waker[i], wakeups->time_ns[i]);
		to = flow_find_target(model, i);
		if (from.slice == FLOW_NO_SLICE || to.slice == FLOW_NO_SLICE)
			continue;
		flows.ends[flows.nr++] = flow_end(i, from, true);
		flows.ends[flows.nr++] = flow_end(i, to, false);
	}
	qsort(flows.ends, flows.nr, sizeof(*flows.ends), compare_ends);
	return flows;
}

void flows_free(struct flows *flows)
{
	free(flows->ends);
	*flows = (struct flows){ 0 };
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/cpu_waits.h"

#include "model/states.h"

static bool is_queued(const struct state_column *states, size_t row)
{
	return state_is_queued((enum thread_state)states->state[row]);
}

static void each_of_thread(const struct model *model, uint32_t thread,
			   void (*take)(void *context, const struct cpu_wait *wait), void *context)
{
	const struct state_column *states = &model->threads[thread].states;

	for (size_t row = 0; row < states->nr; row++) {
		struct cpu_wait wait = {
			.thread = thread,
			.cpu = states->cpu[row],
			.state = (enum thread_state)states->state[row],
			.is_first = !row || !is_queued(states, row - 1),
			.start_ns = states->start_ns[row],
			.end_ns = states->start_ns[row + 1],
		};

		if (is_queued(states, row) && wait.start_ns < wait.end_ns)
			take(context, &wait);
	}
}

void cpu_waits_each(const struct model *model,
		    void (*take)(void *context, const struct cpu_wait *wait), void *context)
{
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			each_of_thread(model, thread, take, context);
	}
}

/* The first slice that ends after @time_ns. */
static size_t first_slice(const struct slice_column *slices, uint64_t time_ns)
{
	size_t low = 0, high = slices->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (slices->end_ns[middle] > time_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void cpu_wait_runners(const struct model *model, const struct cpu_wait *wait,
		      void (*take)(void *context, const struct cpu_wait *wait, uint32_t by,
				   uint64_t from_ns, uint64_t to_ns),
		      void *context)
{
	static const struct slice_column none;
	const struct slice_column *slices = &none;
	uint64_t at_ns = wait->start_ns;
	size_t slice, last;

	if (wait->cpu >= 0 && wait->cpu < model->nr_cpus)
		slices = &model->cpus[wait->cpu].slices;
	slice = first_slice(slices, at_ns);
	last = slice + CPU_WAIT_MAX_RUNNERS;
	for (; slice < slices->nr && slice < last && slices->start_ns[slice] < wait->end_ns;
	     slice++) {
		uint64_t from_ns = slices->start_ns[slice], to_ns = slices->end_ns[slice];

		if (from_ns > at_ns)
			take(context, wait, MODEL_NO_THREAD, at_ns, from_ns);
		else
			from_ns = at_ns;
		if (to_ns > wait->end_ns)
			to_ns = wait->end_ns;
		take(context, wait, slices->thread[slice], from_ns, to_ns);
		at_ns = to_ns;
	}
	if (at_ns < wait->end_ns)
		take(context, wait, MODEL_NO_THREAD, at_ns, wait->end_ns);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/cpu_waits.h"

#include "analysis/base/row_search.h"
#include "model/states/states.h"

static bool is_queued(const struct state_table *states, size_t row)
{
	return state_is_queued((enum thread_state)states->state[row]);
}

/* The slices of the CPU in whose queue threads wait. */
static const struct slice_table *slices_of(const struct model *model, int cpu)
{
	static const struct slice_table none;

	return cpu >= 0 && cpu < model->nr_cpus ? &model->cpus[cpu].slices : &none;
}

/* Inlined, so that a walk over all rows calls nothing but @take. */
static inline __attribute__((always_inline)) void
wait_of_row(const struct state_table *states, uint32_t thread, size_t row, uint64_t least_ns,
	    void (*take)(void *context, const struct cpu_wait *wait), void *context)
{
	struct cpu_wait wait;

	if (!is_queued(states, row) || states->start_ns[row + 1] < states->start_ns[row] + least_ns)
		return;
	wait = (struct cpu_wait){
		.thread = thread,
		.cpu = states->cpu[row],
		.state = (enum thread_state)states->state[row],
		.is_first = !row || !is_queued(states, row - 1),
		.start_ns = states->start_ns[row],
		.end_ns = states->start_ns[row + 1],
	};
	take(context, &wait);
}

void cpu_waits_each_long(const struct model *model, uint64_t least_ns,
			 void (*take)(void *context, const struct cpu_wait *wait), void *context)
{
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		const struct state_table *states = &model->threads[thread].states;
		size_t nr = model->threads[thread].in_session ? states->nr : 0;

		for (size_t row = 0; row < nr; row++)
			wait_of_row(states, thread, row, least_ns, take, context);
	}
}

void cpu_waits_each(const struct model *model,
		    void (*take)(void *context, const struct cpu_wait *wait), void *context)
{
	cpu_waits_each_long(model, 1, take, context);
}

size_t cpu_wait_first_slice(const struct model *model, const struct cpu_wait *wait, size_t near)
{
	const struct slice_table *slices = slices_of(model, wait->cpu);

	return row_search_after_near(slices->end_ns, slices->nr, wait->start_ns, near);
}

void cpu_wait_runners(const struct model *model, const struct cpu_wait *wait, size_t first_slice,
		      void (*take)(void *context, const struct cpu_wait *wait, uint32_t by,
				   uint64_t from_ns, uint64_t to_ns),
		      void *context)
{
	const struct slice_table *slices = slices_of(model, wait->cpu);
	uint64_t at_ns = wait->start_ns;
	size_t last = first_slice + CPU_WAIT_MAX_RUNNERS;

	for (size_t slice = first_slice;
	     slice < slices->nr && slice < last && slices->start_ns[slice] < wait->end_ns;
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

// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/system_calls.h"

#include <stdlib.h>

#include "analysis/stats/distribution.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

#define NO_PLACE UINT32_MAX
#define MOST_ERRORS 4095 /* the kernel's MAX_ERRNO */

/* The lengths of all calls of one name. */
struct lengths {
	size_t nr;
	size_t capacity;
	uint64_t *ns;
};

struct builder {
	const struct model *model;
	size_t nr_names;
	uint32_t *place_of; /* by string id: index of the call */
	size_t nr;
	size_t capacity;
	struct system_call *calls;
	size_t lengths_capacity;
	struct lengths *lengths; /* beside calls */
};

static void need_name(struct builder *builder, uint32_t name)
{
	size_t nr = builder->nr_names;

	if (name < nr)
		return;
	builder->nr_names = grown_capacity(nr, (size_t)name + 1);
	builder->place_of = xrealloc_array(builder->place_of, builder->nr_names,
					   sizeof(*builder->place_of));
	for (; nr < builder->nr_names; nr++)
		builder->place_of[nr] = NO_PLACE;
}

static uint32_t place_of(struct builder *builder, uint32_t name)
{
	need_name(builder, name);
	if (builder->place_of[name] != NO_PLACE)
		return builder->place_of[name];
	builder->place_of[name] = (uint32_t)builder->nr;
	ARRAY_MAKE_ROOM(builder->lengths, builder->nr, builder->lengths_capacity);
	ARRAY_MAKE_ROOM(builder->calls, builder->nr, builder->capacity);
	builder->lengths[builder->nr] = (struct lengths){ 0 };
	builder->calls[builder->nr++] = (struct system_call){ .name = name };
	return builder->place_of[name];
}

static void add_length(struct lengths *lengths, uint64_t ns)
{
	SPILL_MAKE_ROOM(lengths->ns, lengths->nr, lengths->capacity);
	lengths->ns[lengths->nr++] = ns;
}

static void add_time(struct system_call *call, enum thread_state state, uint64_t ns)
{
	if (state == STATE_RUNNING)
		call->on_cpu_ns += ns;
	else if (state == STATE_PREEMPTED || state == STATE_RUNNABLE)
		call->waiting_ns += ns;
	else if (state_is_asleep(state))
		call->blocked_ns += ns;
}

/* What the thread did in a call. @row is the state in which it begins, and goes on from call to call. */
static void add_states(struct system_call *call, const struct state_table *states, size_t *row,
		       uint64_t from_ns, uint64_t to_ns)
{
	while (*row + 1 < states->nr && states->start_ns[*row + 1] <= from_ns)
		++*row;
	for (size_t at = *row; at < states->nr && states->start_ns[at] < to_ns; at++) {
		uint64_t start_ns = states->start_ns[at], end_ns = states->start_ns[at + 1];

		start_ns = start_ns > from_ns ? start_ns : from_ns;
		end_ns = end_ns < to_ns ? end_ns : to_ns;
		if (end_ns > start_ns)
			add_time(call, states->state[at], end_ns - start_ns);
	}
}

static void add_call(struct builder *builder, uint32_t thread, size_t row, size_t *state)
{
	const struct thread *t = &builder->model->threads[thread];
	const struct kernel_slice_table *slices = &t->kernel_slices;
	uint64_t from_ns = slices->start_ns[row], to_ns = slices->end_ns[row];
	uint32_t place = place_of(builder, slices->name[row]);
	struct system_call *call = &builder->calls[place];

	call->calls++;
	call->errors += slices->value[row] < 0 && slices->value[row] >= -MOST_ERRORS;
	call->cut += slices->flags[row] & (KERNEL_OPEN_BEGIN | KERNEL_OPEN_END) ? 1 : 0;
	call->total_ns += to_ns - from_ns;
	add_length(&builder->lengths[place], to_ns - from_ns);
	add_states(call, &t->states, state, from_ns, to_ns);
	if (call->calls > 1 && to_ns - from_ns <= call->max_ns)
		return;
	call->max_ns = to_ns - from_ns;
	call->thread = thread;
	call->longest_from_ns = from_ns;
	call->longest_to_ns = to_ns;
}

static void add_thread(struct builder *builder, uint32_t thread)
{
	const struct kernel_slice_table *slices = &builder->model->threads[thread].kernel_slices;
	size_t state = 0;

	for (size_t row = 0; row < slices->nr; row++) {
		if (slices->kind[row] == TRACE_KERNEL_SYSCALL)
			add_call(builder, thread, row, &state);
	}
}

static int compare_calls(const void *a, const void *b)
{
	const struct system_call *first = a, *second = b;

	if (first->total_ns != second->total_ns)
		return first->total_ns > second->total_ns ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

struct system_calls system_calls_compute(const struct model *model)
{
	struct builder builder = { .model = model };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			add_thread(&builder, i);
	}
	for (size_t i = 0; i < builder.nr; i++) {
		struct lengths *lengths = &builder.lengths[i];

		builder.calls[i].median_ns = distribution_of(lengths->ns, lengths->nr, 0).median;
		spill_free(lengths->ns);
	}
	free(builder.lengths);
	free(builder.place_of);
	if (builder.nr)
		qsort(builder.calls, builder.nr, sizeof(*builder.calls), compare_calls);
	return (struct system_calls){ .nr = builder.nr, .calls = builder.calls };
}

void system_calls_free(struct system_calls *system_calls)
{
	free(system_calls->calls);
	*system_calls = (struct system_calls){ 0 };
}

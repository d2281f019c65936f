// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/cpu_holders.h"

#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/base/row_search.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

struct holder {
	uint32_t name; /* TRACE_NO_STRING: nobody, or unknown */
	uint64_t ns;
};

struct holders {
	const struct model *model;
	struct pair_table numbers; /* of names */
	size_t nr;
	size_t capacity;
	struct holder *rows;
};

static void take_runner(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
			uint64_t to_ns)
{
	struct holders *holders = context;
	uint32_t name = by == MODEL_NO_THREAD ? TRACE_NO_STRING : holders->model->threads[by].comm;
	size_t number = pair_table_number(&holders->numbers, name, 0);

	(void)wait;
	if (number == holders->nr) {
		ARRAY_MAKE_ROOM(holders->rows, holders->nr, holders->capacity);
		holders->rows[holders->nr++] = (struct holder){ .name = name };
	}
	holders->rows[number].ns += to_ns - from_ns;
}

static void add_waits(struct holders *holders, const struct instance *instance,
		      enum thread_state state)
{
	const struct state_table *states = &holders->model->threads[instance->thread].states;

	for (size_t row = row_search_state(states, instance->from_ns);
	     row < states->nr && states->start_ns[row] < instance->to_ns; row++) {
		uint64_t start_ns = states->start_ns[row], end_ns = states->start_ns[row + 1];
		struct cpu_wait wait = {
			.thread = instance->thread,
			.cpu = states->cpu[row],
			.state = state,
			.start_ns = start_ns > instance->from_ns ? start_ns : instance->from_ns,
			.end_ns = end_ns < instance->to_ns ? end_ns : instance->to_ns,
		};

		if (states->state[row] == state)
			cpu_wait_runners(holders->model, &wait,
					 cpu_wait_first_slice(holders->model, &wait, 0),
					 take_runner, holders);
	}
}

uint32_t cpu_holder_of(const struct model *model, const struct instance *instances, size_t nr,
		       enum thread_state state)
{
	struct holders holders = { .model = model };
	struct holder most = { .name = TRACE_NO_STRING };

	for (size_t i = 0; i < nr; i++)
		add_waits(&holders, &instances[i], state);
	for (size_t i = 0; i < holders.nr; i++) {
		if (holders.rows[i].ns > most.ns)
			most = holders.rows[i];
	}
	pair_table_free(&holders.numbers);
	free(holders.rows);
	return most.name;
}

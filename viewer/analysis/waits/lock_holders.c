// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_holders.h"

#include <stdlib.h>

#include "analysis/base/row_search.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

/* What is waited for in the sleep that begins then. */
static uint32_t cause_from(const struct cause_table *causes, uint64_t start_ns)
{
	size_t at = LOWER_BOUND(row, 0, causes->nr, causes->start_ns[row] < start_ns);

	return at < causes->nr && causes->start_ns[at] == start_ns ? causes->cause[at] :
								     TRACE_NO_STRING;
}

static struct lock_holding *holding_of(struct lock_holders *holders, enum thread_state state,
				       uint32_t cause)
{
	size_t at = holders->first + pair_table_number(&holders->numbers, state, cause);

	if (at == holders->nr) {
		ARRAY_MAKE_ROOM(holders->rows, holders->nr, holders->capacity);
		holders->rows[holders->nr++] = (struct lock_holding){ .state = state,
								      .cause = cause };
	}
	return &holders->rows[at];
}

static void add_state(struct lock_holders *holders, uint32_t holder, enum thread_state state,
		      uint32_t cause, uint64_t from_ns, uint64_t to_ns)
{
	struct lock_holding *holding;

	if (from_ns >= to_ns)
		return;
	holding = holding_of(holders, state, cause);
	holding->ns += to_ns - from_ns;
	if (to_ns - from_ns <= holding->longest_ns)
		return;
	holding->longest_ns = to_ns - from_ns;
	holding->longest_from_ns = from_ns;
	holding->longest_to_ns = to_ns;
	holding->longest_holder = holder;
}

void lock_holders_add(struct lock_holders *holders, const struct model *model, uint32_t holder,
		      uint64_t from_ns, uint64_t to_ns)
{
	const struct thread *thread = &model->threads[holder];
	const struct state_table *states = &thread->states;

	for (size_t row = row_search_state(states, from_ns);
	     row < states->nr && states->start_ns[row] < to_ns; row++) {
		enum thread_state state = states->state[row];
		uint64_t start_ns = states->start_ns[row], end_ns = states->start_ns[row + 1];
		uint32_t cause = TRACE_NO_STRING;

		if (state_is_asleep(state)) {
			state = STATE_SLEEPING;
			cause = cause_from(&thread->causes, start_ns);
		}
		if (start_ns > from_ns) {
			add_state(holders, holder, STATE_UNKNOWN, TRACE_NO_STRING, from_ns,
				  start_ns);
			from_ns = start_ns;
		}
		end_ns = end_ns < to_ns ? end_ns : to_ns;
		add_state(holders, holder, state, cause, from_ns, end_ns);
		from_ns = end_ns;
	}
	add_state(holders, holder, STATE_UNKNOWN, TRACE_NO_STRING, from_ns, to_ns);
}

const struct lock_holding *lock_holders_finish(struct lock_holders *holders, uint32_t lock)
{
	const struct lock_holding *most = NULL;

	for (size_t i = holders->first; i < holders->nr; i++) {
		holders->rows[i].lock = lock;
		if (!most || holders->rows[i].ns > most->ns)
			most = &holders->rows[i];
	}
	holders->first = holders->nr;
	pair_table_free(&holders->numbers);
	holders->numbers = (struct pair_table){ 0 };
	return most;
}

static int compare_holdings(const void *a, const void *b)
{
	const struct lock_holding *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	if (first->longest_from_ns != second->longest_from_ns)
		return first->longest_from_ns < second->longest_from_ns ? -1 : 1;
	return first->state < second->state ? -1 : first->state > second->state;
}

void lock_holders_sort(struct lock_holders *holders)
{
	if (holders->nr)
		qsort(holders->rows, holders->nr, sizeof(*holders->rows), compare_holdings);
}

void lock_holders_free(struct lock_holders *holders)
{
	free(holders->rows);
	pair_table_free(&holders->numbers);
}

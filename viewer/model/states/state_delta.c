// SPDX-License-Identifier: GPL-2.0
#include "model/states/state_delta.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "util/xalloc.h"

/* The edit that is being made: a new one if rows have been kept since. */
static struct state_edit *add_edit(struct state_delta *thread)
{
	if (thread->nr && !thread->edits[thread->nr - 1].nr_kept)
		return &thread->edits[thread->nr - 1];
	ARRAY_MAKE_ROOM(thread->edits, thread->nr, thread->capacity);
	thread->edits[thread->nr] = (struct state_edit){ 0 };
	return &thread->edits[thread->nr++];
}

void state_delta_keep(struct state_delta *thread, uint64_t nr)
{
	if (!nr)
		return;
	if (!thread->nr)
		add_edit(thread);
	thread->edits[thread->nr - 1].nr_kept += nr;
	thread->nr_kept += nr;
}

void state_delta_leave_out(struct state_delta *thread)
{
	add_edit(thread)->nr_left_out++;
}

void state_delta_put_in(struct state_delta *thread, uint64_t start_ns, enum thread_state state,
			int cpu)
{
	state_table_add(&thread->rows, start_ns, state, cpu, false);
	add_edit(thread)->nr_put_in++;
}

/* If all rows are kept, no edit is needed. */
void state_delta_finish(struct state_delta *thread)
{
	if (thread->nr == 1 && !thread->edits[0].nr_put_in && !thread->edits[0].nr_left_out)
		thread->nr = 0;
}

void state_delta_free(struct state_delta *thread)
{
	free(thread->edits);
	state_table_free(&thread->rows);
	*thread = (struct state_delta){ 0 };
}

// SPDX-License-Identifier: GPL-2.0
#include "model/edits.h"

#include <stdlib.h>

#include "model/columns.h"
#include "util/xalloc.h"

/* The edit that is being made: a new one if rows have been kept since. */
static struct state_edit *change(struct thread_edits *thread)
{
	if (thread->nr && !thread->edits[thread->nr - 1].nr_kept)
		return &thread->edits[thread->nr - 1];
	if (thread->nr == thread->capacity) {
		thread->capacity = grown_capacity(thread->capacity, thread->nr + 1);
		thread->edits = xrealloc_array(thread->edits, thread->capacity,
					       sizeof(*thread->edits));
	}
	thread->edits[thread->nr] = (struct state_edit){ 0 };
	return &thread->edits[thread->nr++];
}

void edits_keep(struct thread_edits *thread, uint64_t nr)
{
	if (!nr)
		return;
	if (!thread->nr)
		change(thread);
	thread->edits[thread->nr - 1].nr_kept += nr;
	thread->nr_kept += nr;
}

void edits_leave_out(struct thread_edits *thread)
{
	change(thread)->nr_left_out++;
}

void edits_put_in(struct thread_edits *thread, uint64_t start_ns, enum thread_state state, int cpu)
{
	states_add(&thread->told, start_ns, state, cpu, false);
	change(thread)->nr_put_in++;
}

/* What is kept from the first row to the last needs no telling. */
void edits_finish(struct thread_edits *thread)
{
	if (thread->nr == 1 && !thread->edits[0].nr_put_in && !thread->edits[0].nr_left_out)
		thread->nr = 0;
}

void edits_free(struct thread_edits *thread)
{
	free(thread->edits);
	states_free(&thread->told);
	*thread = (struct thread_edits){ 0 };
}

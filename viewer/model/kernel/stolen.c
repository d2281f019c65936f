// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/stolen.h"

#include <stdlib.h>

#include "model/model.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

void stolen_time_free(struct stolen_time *stolen)
{
	free(stolen->parts);
	*stolen = (struct stolen_time){ 0 };
}

static void add_part(struct stolen_time *stolen, uint64_t start_ns, uint64_t end_ns)
{
	const struct stolen_part *last = stolen->nr ? &stolen->parts[stolen->nr - 1] : NULL;
	uint64_t before_ns = last ? last->before_ns + last->end_ns - last->start_ns : 0;

	ARRAY_MAKE_ROOM(stolen->parts, stolen->nr, stolen->capacity);
	stolen->parts[stolen->nr++] = (struct stolen_part){ start_ns, end_ns, before_ns };
}

/* What interrupts tell, CPU by CPU. */
static struct stolen_time *gather(const struct model *model)
{
	struct stolen_time *told = xcalloc(model->nr_threads + 1, sizeof(*told));

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct interrupt_table *rows = &model->cpus[cpu].interrupts;

		for (size_t i = 0; i < rows->nr; i++) {
			if (rows->flags[i] & INTERRUPT_STEALS)
				add_part(&told[rows->thread[i]], rows->start_ns[i],
					 rows->end_ns[i]);
		}
	}
	return told;
}

static int compare_parts(const void *a, const void *b)
{
	const struct stolen_part *first = a, *second = b;

	return first->start_ns < second->start_ns ? -1 : first->start_ns > second->start_ns;
}

static uint64_t state_end(const struct state_table *states, size_t row, uint64_t duration_ns)
{
	return row + 1 < states->nr ? states->start_ns[row + 1] : duration_ns;
}

/* That thread's, as far as it ran: where switches are missing, an interrupt may tell more. */
static void settle(struct thread *thread, struct stolen_time *told, uint64_t duration_ns)
{
	const struct state_table *states = &thread->states;
	uint64_t until_ns = 0;
	size_t row = 0;

	qsort(told->parts, told->nr, sizeof(*told->parts), compare_parts);
	for (size_t i = 0; i < told->nr; i++) {
		uint64_t start_ns = told->parts[i].start_ns, end_ns = told->parts[i].end_ns;

		if (start_ns < until_ns)
			start_ns = until_ns;
		while (row < states->nr && state_end(states, row, duration_ns) <= start_ns)
			row++;
		for (size_t at = row; at < states->nr && states->start_ns[at] < end_ns; at++) {
			uint64_t from_ns = states->start_ns[at];
			uint64_t to_ns = state_end(states, at, duration_ns);

			from_ns = from_ns > start_ns ? from_ns : start_ns;
			to_ns = to_ns < end_ns ? to_ns : end_ns;
			if (states->state[at] == STATE_RUNNING && from_ns < to_ns)
				add_part(&thread->stolen, from_ns, to_ns);
		}
		until_ns = end_ns > until_ns ? end_ns : until_ns;
	}
}

void stolen_prepare(struct model *model)
{
	struct stolen_time *told;

	if (!model->has_interrupts)
		return;
	told = gather(model);
	for (size_t i = 0; i < model->nr_threads; i++) {
		stolen_time_free(&model->threads[i].stolen);
		if (told[i].nr)
			settle(&model->threads[i], &told[i], model->duration_ns);
		stolen_time_free(&told[i]);
	}
	free(told);
}

/* How much was taken before @time_ns. */
static uint64_t taken_before(const struct stolen_time *stolen, uint64_t time_ns)
{
	size_t first = LOWER_BOUND(row, 0, stolen->nr, stolen->parts[row].start_ns < time_ns);
	const struct stolen_part *part;

	if (!first)
		return 0;
	part = &stolen->parts[first - 1];
	return part->before_ns + (part->end_ns < time_ns ? part->end_ns : time_ns) - part->start_ns;
}

uint64_t stolen_between(const struct stolen_time *stolen, uint64_t from_ns, uint64_t to_ns)
{
	if (!stolen->nr || from_ns >= to_ns)
		return 0;
	return taken_before(stolen, to_ns) - taken_before(stolen, from_ns);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/programs.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

struct leader {
	int32_t tid;
	uint32_t thread;
};

static int compare_leaders(const void *a, const void *b)
{
	const struct leader *first = a, *second = b;

	if (first->tid != second->tid)
		return first->tid < second->tid ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static struct leader *sorted_by_tid(const struct model *model)
{
	struct leader *leaders = xcalloc(model->nr_threads, sizeof(*leaders));

	for (uint32_t i = 0; i < model->nr_threads; i++)
		leaders[i] = (struct leader){ model->threads[i].tid, i };
	qsort(leaders, model->nr_threads, sizeof(*leaders), compare_leaders);
	return leaders;
}

/* The last thread with that number, or @otherwise. */
static uint32_t find_leader(const struct leader *leaders, size_t nr, int32_t tid,
			    uint32_t otherwise)
{
	size_t end = LOWER_BOUND(row, 0, nr, leaders[row].tid <= tid);

	return end && leaders[end - 1].tid == tid ? leaders[end - 1].thread : otherwise;
}

static uint32_t name_of(const struct model *model, const struct leader *leaders, uint32_t thread)
{
	const struct thread *own = &model->threads[thread];
	int32_t tgid = own->tgid;

	if (!tgid)
		return own->kind ? own->kind : own->comm;
	return model->threads[find_leader(leaders, model->nr_threads, tgid, thread)].comm;
}

struct programs programs_compute(const struct model *model)
{
	struct programs programs = {
		.names = xcalloc(model->nr_threads, sizeof(*programs.names)),
		.of_thread = xcalloc(model->nr_threads, sizeof(*programs.of_thread)),
	};
	struct leader *leaders = sorted_by_tid(model);
	struct pair_table numbers = { 0 };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		uint32_t name = name_of(model, leaders, i);
		size_t number = pair_table_number(&numbers, name, 0);

		programs.names[number] = name;
		programs.of_thread[i] = (uint32_t)number;
	}
	programs.nr = numbers.nr;
	pair_table_free(&numbers);
	free(leaders);
	return programs;
}

void programs_free(struct programs *programs)
{
	free(programs->names);
	free(programs->of_thread);
}

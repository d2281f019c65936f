// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/lock_waits.h"

#include "analysis/waits/lock_futexes.h"

struct lock_spans lock_waits_find(const struct model *model, const struct barriers *barriers)
{
	const struct wait_spans *told = &barriers->waits;
	struct lock_spans waits = { 0 };

	for (size_t i = 0; i < told->nr; i++) {
		const struct lock_span wait = {
			.name = told->name[i],
			.thread = told->thread[i],
			.start_ns = told->start_ns[i],
			.end_ns = told->end_ns[i],
		};

		if (barriers->barrier_of[i] == NO_BARRIER &&
		    lock_name_is(trace_string(model->trace, wait.name)))
			lock_spans_add(&waits, &wait);
	}
	lock_spans_add_futexes(&waits, model);
	return waits;
}

void lock_waits_choose(struct lock_spans *waits, uint32_t name)
{
	size_t nr = 0;

	for (size_t i = 0; i < waits->nr; i++) {
		if (waits->rows[i].name == name)
			waits->rows[nr++] = waits->rows[i];
	}
	waits->nr = nr;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/blocked_waits.h"

#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

struct search {
	const struct model *model;
	struct by_thread wakeups; /* by wakee */
	struct blocked_waits *found;
	size_t nr;
	size_t capacity;
};

bool blocked_waits_have_causes(const struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].causes.nr)
			return true;
	}
	return false;
}

/* By the wakeup at its end. */
static void find_waker(const struct search *search, struct blocked_wait *wait)
{
	const struct wakeup_table *wakeups = &search->model->wakeups;
	const size_t *rows = search->wakeups.rows;
	size_t end = search->wakeups.first[wait->thread + 1];
	size_t at = LOWER_BOUND(i, search->wakeups.first[wait->thread], end,
				wakeups->time_ns[rows[i]] < wait->to_ns);

	wait->waker = BLOCKED_WAIT_WAKER_UNKNOWN;
	wait->waker_cpu = -1;
	if (at == end || wakeups->time_ns[rows[at]] != wait->to_ns)
		return;
	/* The CPU that runs the wakee may tell of the wakeup, for one that another CPU asked of it. */
	if (wakeups->waker[rows[at]] == MODEL_NO_THREAD && !search->model->has_wakings)
		return;
	wait->waker = wakeups->waker[rows[at]];
	wait->waker_cpu = wakeups->cpu[rows[at]];
}

static void find_of_thread(struct search *search, uint32_t thread)
{
	const struct state_table *states = &search->model->threads[thread].states;
	const struct cause_table *causes = &search->model->threads[thread].causes;
	size_t at = 0;

	for (size_t row = 0; row < states->nr; row++) {
		struct blocked_wait wait = { .thread = thread,
					     .holder = MODEL_NO_THREAD,
					     .from_ns = states->start_ns[row],
					     .to_ns = states->start_ns[row + 1] };

		if (!state_is_asleep(states->state[row]))
			continue;
		while (at < causes->nr && causes->start_ns[at] < wait.from_ns)
			at++;
		if (at < causes->nr && causes->start_ns[at] == wait.from_ns) {
			wait.cause = causes->cause[at];
			wait.frames = causes->frames[at];
			wait.system_call = causes->system_call[at];
			wait.object = causes->object[at];
			wait.object_id = causes->object_id[at];
			wait.holder = causes->holder[at];
		}
		find_waker(search, &wait);
		SPILL_MAKE_ROOM(search->found->rows, search->nr, search->capacity);
		search->found->rows[search->nr++] = wait;
	}
}

struct blocked_waits blocked_waits_find(const struct model *model)
{
	struct blocked_waits waits = {
		.first = xcalloc(model->nr_threads + 1, sizeof(*waits.first)),
	};
	struct search search = {
		.model = model,
		.wakeups = by_thread_group(model, model->wakeups.wakee, model->wakeups.nr),
		.found = &waits,
	};

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		find_of_thread(&search, thread);
		waits.first[thread + 1] = search.nr;
	}
	by_thread_free(&search.wakeups);
	return waits;
}

void blocked_waits_free(struct blocked_waits *waits)
{
	free(waits->first);
	spill_free(waits->rows);
	*waits = (struct blocked_waits){ 0 };
}

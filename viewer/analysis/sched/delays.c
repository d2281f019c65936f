// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/delays.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

enum delay_cause delay_cause(const struct programs *programs, uint32_t thread, uint32_t by)
{
	if (by == PROGRAM_NOBODY)
		return DELAY_BY_NOBODY;
	return by == programs->of_thread[thread] ? DELAY_BY_OWN : DELAY_BY_OTHERS;
}

struct delays delays_new(const struct model *model, bool *meets)
{
	struct delays delays = {
		.first = xcalloc(model->nr_threads + 1, sizeof(*delays.first)),
		.meets = meets,
	};

	return delays;
}

/* What goes on where the last one of the thread ends, by the same program, is one with it. */
static bool extend_last(struct delays *delays, uint32_t thread, const struct delay *delay)
{
	struct delay *last = delays->nr ? &delays->rows[delays->nr - 1] : NULL;

	if (!last || delays->first[thread + 1] != delays->nr || last->by != delay->by ||
	    last->to_ns != delay->from_ns)
		return false;
	last->to_ns = delay->to_ns;
	return true;
}

void delays_add(struct delays *delays, uint32_t thread, const struct delay *delay)
{
	if (!delays->meets[thread] || extend_last(delays, thread, delay))
		return;
	SPILL_MAKE_ROOM(delays->rows, delays->nr, delays->capacity);
	delays->rows[delays->nr++] = *delay;
	delays->first[thread + 1] = delays->nr;
}

void delays_end(struct delays *delays, const struct model *model)
{
	/* Threads without any begin where the one before ends. */
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (delays->first[i + 1] < delays->first[i])
			delays->first[i + 1] = delays->first[i];
	}
}

void delays_free(struct delays *delays)
{
	spill_free(delays->rows);
	free(delays->first);
	free(delays->meets);
}

size_t delays_find(const struct delays *delays, uint32_t thread, uint64_t time_ns)
{
	return LOWER_BOUND(row, delays->first[thread], delays->first[thread + 1],
			   delays->rows[row].to_ns <= time_ns);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/delays.h"

#include <stdlib.h>

#include "analysis/cpu_waits.h"
#include "util/xalloc.h"

struct collector {
	const struct model *model;
	const struct programs *programs;
	struct delays *delays;
};

enum delay_cause delay_cause(const struct programs *programs, uint32_t thread, uint32_t by)
{
	if (by == PROGRAM_NOBODY)
		return DELAY_BY_NOBODY;
	return by == programs->of_thread[thread] ? DELAY_BY_OWN : DELAY_BY_OTHERS;
}

/* What goes on where the last one of the thread ends, by the same program, is one with it. */
static bool extend(struct delays *delays, uint32_t thread, uint32_t program, uint64_t from_ns,
		   uint64_t to_ns)
{
	struct delay *last = delays->nr ? &delays->rows[delays->nr - 1] : NULL;

	if (!last || delays->first[thread + 1] != delays->nr || last->by != program ||
	    last->to_ns != from_ns)
		return false;
	last->to_ns = to_ns;
	return true;
}

static void add(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
		uint64_t to_ns)
{
	const struct collector *collector = context;
	struct delays *delays = collector->delays;
	uint32_t program = by == MODEL_NO_THREAD ? PROGRAM_NOBODY :
						   collector->programs->of_thread[by];

	if (extend(delays, wait->thread, program, from_ns, to_ns))
		return;
	if (delays->nr == delays->capacity) {
		delays->capacity = grown_capacity(delays->capacity, delays->nr + 1);
		delays->rows = xrealloc_array(delays->rows, delays->capacity,
					      sizeof(*delays->rows));
	}
	delays->rows[delays->nr++] = (struct delay){
		.from_ns = from_ns,
		.to_ns = to_ns,
		.by = program,
	};
	delays->first[wait->thread + 1] = delays->nr;
}

static void take_wait(void *context, const struct cpu_wait *wait)
{
	const struct collector *collector = context;

	cpu_wait_runners(collector->model, wait, add, context);
}

struct delays delays_of(const struct model *model, const struct programs *programs)
{
	struct delays delays = { .first = xcalloc(model->nr_threads + 1, sizeof(*delays.first)) };
	struct collector collector = { model, programs, &delays };

	cpu_waits_each(model, take_wait, &collector);
	/* Threads without any begin where the one before ends. */
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (delays.first[i + 1] < delays.first[i])
			delays.first[i + 1] = delays.first[i];
	}
	return delays;
}

void delays_free(struct delays *delays)
{
	free(delays->rows);
	free(delays->first);
}

size_t delays_find(const struct delays *delays, uint32_t thread, uint64_t time_ns)
{
	size_t low = delays->first[thread], high = delays->first[thread + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (delays->rows[middle].to_ns > time_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

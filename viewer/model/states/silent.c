// SPDX-License-Identifier: GPL-2.0
#include "model/states/silent.h"

#include "model/threads/tids.h"

/* A thread that was queued less than this before the end may not have run yet. */
#define LEAST_DARK_NS 10000000

static void note_use(struct model_builder *builder, int cpu, uint64_t time_ns)
{
	struct cpu_build *on;

	if (cpu < 0 || cpu >= builder->model->nr_cpus)
		return;
	on = &builder->cpus[cpu];
	if (!on->is_silent || on->is_used)
		return;
	on->is_used = true;
	on->used_ns = time_ns;
}

void silent_note(struct model_builder *builder, const struct trace_event *event)
{
	if (event->kind == TRACE_WAKEUP && tid_is_valid(event->wakeup.wakee_tid)) {
		note_use(builder, event->wakeup.target_cpu, event->time_ns);
	} else if (event->kind == TRACE_MIGRATE && tid_is_valid(event->migrate.moved_tid)) {
		note_use(builder, event->migrate.from_cpu, event->time_ns);
		note_use(builder, event->migrate.to_cpu, event->time_ns);
	}
}

void silent_settle(struct model_builder *builder, uint64_t last_ns)
{
	for (int cpu = 0; cpu < builder->model->nr_cpus; cpu++) {
		struct cpu_build *on = &builder->cpus[cpu];

		on->is_dark = on->is_used && last_ns >= on->used_ns + LEAST_DARK_NS;
		builder->nr_dark += on->is_dark;
	}
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the running thread that each event names against the model.
 *
 * The kernel writes the running thread (common_pid) into each event, also in interrupts. A switch
 * names the thread that leaves. If that is not the thread that entered last, a switch is missing:
 * some kernels do not record all switches out of idle, and filters drop some. The event is right.
 * The state of the CPU since its last event is then unknown.
 *
 * Events of kinds that are not decoded name the running thread, too. But an event that was written
 * with interrupts off may be in the middle of a switch: its common_pid is the leaving thread, and
 * so it names a running thread even if the switch itself is missing. So such an event is only used
 * to refute. It never proves that a thread runs. It does not refute the thread that left last
 * either, until another thread was seen on the CPU.
 */
#ifndef ANNOT_MODEL_EVIDENCE_H
#define ANNOT_MODEL_EVIDENCE_H

#include "model/threads/threads.h"

/*
 * Like evidence_take(), for an event that names another thread than the model has, or when the
 * model has none.
 */
RARE bool evidence_weigh(struct model_builder *builder, const struct trace_event *event);

/*
 * Sets the runner of the event's CPU to the thread that @event names. Call before anything else
 * uses @event. Returns false if the event does not name the running thread.
 */
static inline bool evidence_take(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t runner = builder->cpus[event->cpu].runner;

	if (thread_runs_as(builder, runner, event->tid) || (runner == RUNNER_IDLE && !event->tid))
		return true;
	return evidence_weigh(builder, event);
}

/* Takes from a TRACE_OTHER, or an interrupt, what it tells of the runner. */
void evidence_feed_other(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_EVIDENCE_H */

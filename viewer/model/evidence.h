/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who an event says runs on its CPU, against whom the model believes there.
 *
 * The kernel writes into each event who runs (common_pid), in interrupts, too; a switch says who leaves.
 * Where that is somebody else than entered last, a switch is missing: some kernels do not record all
 * switches out of idle, filters leave some out. The event is right, and what was believed since the CPU's
 * last one is not known.
 *
 * Events of kinds that are not looked into tell as much. But one that was written with interrupts off may
 * stand in the middle of a switch: that is told before it is done, and who leaves is named up to its end,
 * as one that runs if the switch itself is missing. So such an event only refutes: it never tells that
 * somebody runs, nor, of who left last, that he does not until somebody else was seen there.
 */
#ifndef ANNOT_MODEL_EVIDENCE_H
#define ANNOT_MODEL_EVIDENCE_H

#include "model/threads.h"

/* As evidence_take(), of an event that names somebody else than was believed, if anybody was. */
RARE bool evidence_weigh(struct model_builder *builder, const struct trace_event *event);

/*
 * Before anything else is made of @event: who runs on its CPU is whom it names. False: it does not tell
 * who runs there.
 */
static inline bool evidence_take(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t runner = builder->cpus[event->cpu].runner;

	if (thread_runs_as(builder, runner, event->tid) || (runner == RUNNER_IDLE && !event->tid))
		return true;
	return evidence_weigh(builder, event);
}

/* All that is to be made of a TRACE_OTHER. */
void evidence_feed_other(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_EVIDENCE_H */

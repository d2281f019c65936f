/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts while a model is built.
 */
#ifndef ANNOT_MODEL_INTERRUPTS_H
#define ANNOT_MODEL_INTERRUPTS_H

#include "model/builder_state.h"
#include "util/rare.h"

/* The begin or end of one, from which the runner was learnt already. */
void interrupts_feed(struct model_builder *builder, const struct trace_event *event);

/* A CPU interrupts others: those have a reason. */
void interrupts_note_send(struct model_builder *builder, const struct trace_event *event);

/* What was sent to the CPU may have come unseen. */
void interrupts_forget_sends(struct model_builder *builder, int cpu);

/* Nothing that was open on the CPU goes on. */
RARE void interrupts_cut_open(struct model_builder *builder, int cpu);

static inline void interrupts_cut(struct model_builder *builder, int cpu)
{
	if (builder->cpus[cpu].interrupts.nr_open)
		interrupts_cut_open(builder, cpu);
}

void interrupts_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_INTERRUPTS_H */

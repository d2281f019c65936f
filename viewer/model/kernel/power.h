/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Idle states and frequencies of CPUs while a model is built.
 *
 * The begin of an idle state may be missing: the CPU was idle since the last that is known of it, in a state that is not
 * known. An offline CPU is in a state of its own. A frequency holds until the next one is told. Where events may be lost that would tell it, it is not known.
 */
#ifndef ANNOT_MODEL_POWER_H
#define ANNOT_MODEL_POWER_H

#include "model/builder_state.h"
#include "util/rare.h"

/* An event of either, from which the runner was learnt already. */
void power_feed(struct model_builder *builder, const struct trace_event *event);

/* A step of hotplug, of whichever CPU. */
void power_feed_hotplug(struct model_builder *builder, const struct trace_event *event);

/* The CPU is in no idle state from @until_ns on. */
RARE void power_cut_idle(struct model_builder *builder, int cpu, uint64_t until_ns);

/* Something runs on the CPU, or ran until now. */
static inline void power_leave_idle(struct model_builder *builder, int cpu)
{
	if (builder->cpus[cpu].power.is_idle)
		power_cut_idle(builder, cpu, builder->now_ns);
	builder->cpus[cpu].power.awake_ns = builder->now_ns;
}

/* Events of the CPU since @since_ns are lost: what they told of frequencies is not known. */
void power_lose_frequencies(struct model_builder *builder, int cpu, uint64_t since_ns);

void power_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_POWER_H */

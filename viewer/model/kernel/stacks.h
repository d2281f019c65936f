/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks: at which points of a thread's time one was recorded, and the tree of their frames.
 *
 * A stack may come long before or after what names it, and so may the mappings that tell which file an address is in.
 * So the points have ids while events come in, and the frames are made after the last event.
 */
#ifndef ANNOT_MODEL_STACKS_H
#define ANNOT_MODEL_STACKS_H

#include "model/model.h"

struct model_builder;

/* Where a stack was used first: an address means something in one process at one time. */
struct stack_use {
	bool is_used;
	uint32_t thread;
	uint64_t time_ns;
};

struct stack_build {
	size_t capacity;
	struct stack_use *uses; /* by stack */
};

/* A stack that follows the event that it belongs to, on the same CPU. */
void stacks_feed(struct model_builder *builder, const struct trace_event *event);

/* @thread was in @stack of its program at @time_ns; 0: nobody knows. */
void stacks_add_user(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		     uint32_t stack);

/* A sample that names its stack. */
void stacks_feed_sample(struct model_builder *builder, const struct trace_event *event);

/* TRACE_WAKER_STACK. */
void stacks_feed_waker(struct model_builder *builder, const struct trace_event *event);

/* Makes model.frames. Call after mappings_finish(). */
void stacks_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_STACKS_H */

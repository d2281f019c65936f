/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies an interval of a model's tables, for some of its threads and CPUs.
 */
#ifndef ANNOT_MODEL_CLIP_H
#define ANNOT_MODEL_CLIP_H

#include "model/model.h"

struct clip {
	uint64_t from_ns;
	uint64_t to_ns;
	bool to_end; /* to_ns is the end of the trace; events at to_ns are included */
	size_t nr_index;
	const uint32_t *index; /* new index of each thread, or MODEL_NO_THREAD */
	size_t nr_threads; /* number of new threads */
	bool chosen; /* threads were asked for by name: what is of none is left out */
	const bool *cpus; /* whether each CPU is included; NULL: all are */
	struct state_checkpoint *totals; /* totals of each new thread; clipped rows are added */
};

/* Whether the clip contains any part of [@start_ns, @end_ns). */
static inline bool clip_has(const struct clip *clip, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns >= clip->to_ns && !clip->to_end)
		return false;
	return end_ns > clip->from_ns || start_ns >= clip->from_ns;
}

/* Whether the clip may contain rows of a window. The window includes both its ends. */
static inline bool clip_has_window(const struct clip *clip, uint64_t from_ns, uint64_t to_ns)
{
	return to_ns >= clip->from_ns && (from_ns < clip->to_ns || clip->to_end);
}

/* The thread's new index, or MODEL_NO_THREAD. */
static inline uint32_t clip_thread(const struct clip *clip, uint32_t thread)
{
	return thread < clip->nr_index ? clip->index[thread] : MODEL_NO_THREAD;
}

/* Whether the clip contains what happened while that thread ran; MODEL_NO_THREAD: idle, or not known. */
static inline bool clip_wants_runner(const struct clip *clip, uint32_t thread)
{
	if (thread == MODEL_NO_THREAD)
		return !clip->chosen;
	return clip_thread(clip, thread) != MODEL_NO_THREAD;
}

static inline bool clip_wants_cpu(const struct clip *clip, int cpu)
{
	return !clip->cpus || (cpu >= 0 && clip->cpus[cpu]);
}

/*
 * Returns the clipped tables in a new model; free it with model_free(). Its threads and CPUs have
 * only their tables. @model does not change.
 */
struct model *clip_model(const struct clip *clip, const struct model *model);

#endif /* ANNOT_MODEL_CLIP_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cuts a stretch out of a model's columns, of some threads and CPUs.
 */
#ifndef ANNOT_MODEL_CLIP_H
#define ANNOT_MODEL_CLIP_H

#include "model/model.h"

struct clip {
	uint64_t from_ns;
	uint64_t to_ns;
	bool to_end; /* to_ns is the end of the trace, whose last events belong to it */
	size_t nr_index;
	const uint32_t *index; /* of each thread: its new one, or MODEL_NO_THREAD */
	size_t nr_threads; /* new ones */
	const bool *cpus; /* those wanted; NULL: all */
	struct state_checkpoint *totals; /* of each new thread; what is clipped is added */
};

/* Whether something of [@start_ns, @end_ns] lies in it. */
static inline bool clip_has(const struct clip *clip, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns >= clip->to_ns && !clip->to_end)
		return false;
	return end_ns > clip->from_ns || start_ns >= clip->from_ns;
}

/* Whether a window may have something in it. Its ends belong to it. */
static inline bool clip_has_window(const struct clip *clip, uint64_t from_ns, uint64_t to_ns)
{
	return to_ns >= clip->from_ns && (from_ns < clip->to_ns || clip->to_end);
}

/* The thread's new index, or MODEL_NO_THREAD. */
static inline uint32_t clip_thread(const struct clip *clip, uint32_t thread)
{
	return thread < clip->nr_index ? clip->index[thread] : MODEL_NO_THREAD;
}

static inline bool clip_wants_cpu(const struct clip *clip, int cpu)
{
	return !clip->cpus || (cpu >= 0 && clip->cpus[cpu]);
}

/*
 * What is left of @model's columns, in a new one that model_free() frees. Of its threads and CPUs, it
 * has the columns only. Nothing of @model is changed.
 */
struct model *clip_model(const struct clip *clip, const struct model *model);

#endif /* ANNOT_MODEL_CLIP_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of something belongs to each call stack:
 *
 * - off-cpu: the time that threads were blocked, by the stacks with which they left their CPU, and by what they
 *   waited for (the cause tables).
 * - on-cpu: of a profile (annot record -F), the periods of its samples, which are ns. Else the time on a CPU up to each point at
 *   which a stack is known, from the point before or from when the thread was switched in. With stacks at switches only, a slice
 *   belongs to the stack at its end.
 * - misses: the periods of the samples of one event; of IBS, whose samples are no counts, the samples.
 * - wakers: the time that threads were blocked, by the stacks of those who woke them up, and by what they waited for.
 *
 * Times that no stack belongs to are told apart.
 */
#ifndef ANNOT_ANALYSIS_STACK_WEIGHTS_H
#define ANNOT_ANALYSIS_STACK_WEIGHTS_H

#include <stdbool.h>

#include "model/model.h"

enum stacks_of {
	STACKS_OFF_CPU,
	STACKS_ON_CPU,
	STACKS_MISSES,
	STACKS_WAKERS,
	NR_STACKS_OF,
};

/* "off-cpu", "on-cpu", "misses", "wakers", NULL. */
extern const char *const stacks_of_names[NR_STACKS_OF + 1];

/* Whether it is the time off the CPU, of which causes are known. */
static inline bool stacks_have_causes(enum stacks_of of)
{
	return of == STACKS_OFF_CPU || of == STACKS_WAKERS;
}

#define STACKS_MOST_FRAMES 512

struct stack_weight {
	uint32_t thread;
	uint32_t cause; /* string id, of off-cpu and wakers; TRACE_NO_STRING: not known */
	uint32_t user; /* rows of model.frames; 0: none */
	uint32_t kernel;
	uint64_t weight; /* ns; of misses, events or, by ratio, samples */
	uint64_t nr; /* how many stretches of time, or samples */
};

struct stack_weights {
	enum stacks_of of;
	uint8_t event; /* of misses, and of a profile */
	bool is_profile; /* the time on a CPU is estimated from samples of it */
	size_t nr;
	struct stack_weight *rows; /* in the order of first appearance */
	uint64_t weight; /* of all rows */
	uint64_t nr_points; /* of all rows */
	uint64_t weight_without; /* without a stack */
};

struct stack_weights_options {
	enum stacks_of of;
	uint8_t event; /* of misses: index into model.pmu_events */
	bool all_threads; /* also those outside the session */
};

/* free it with stack_weights_free(). */
struct stack_weights stack_weights_compute(const struct model *model,
					   const struct stack_weights_options *options);
void stack_weights_free(struct stack_weights *weights);

/*
 * The frames of a row, the outermost first: rows of model.frames, those of the kernel behind those of the program. At
 * most STACKS_MOST_FRAMES: the outermost ones beyond are left out. Returns their number.
 */
size_t stack_weight_frames(const struct model *model, const struct stack_weight *row,
			   uint32_t frames[STACKS_MOST_FRAMES]);

/* The string of a frame's function; it says so if the stack is not in the trace. */
const char *stack_frame_name(const struct model *model, uint32_t frame);

/* The sampled clock whose samples have stacks; MODEL_NO_PMU_EVENT if there is none. */
uint8_t stack_weights_profile(const struct model *model);

/* The event of which there are samples with stacks, a clock only if there is no other; 0 if there is none. */
uint8_t stack_weights_default_event(const struct model *model);

#endif /* ANNOT_ANALYSIS_STACK_WEIGHTS_H */

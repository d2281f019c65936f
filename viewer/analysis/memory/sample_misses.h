/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples are of accesses that missed the first-level cache, and how many misses each stands for.
 *
 * Of an event of misses, as PEBS samples it, each sample is one, and stands for its period. Where samples are of instructions,
 * whatever they did (AMD's IBS: struct pmu_event's by_ratio), those are misses whose data came from beyond L1. How many
 * each stands for follows by ratio:
 * - of n samples k missed, and i instructions were counted in the same modes: i * k / n misses, i / n for each;
 * - else, of k samples of loads that missed, where the core's own counter has m misses of L1 in the same modes: m / k.
 * Neither the sampling period nor what the kernel did not deliver is in it. If the CPU drops what did not miss the last level
 * (is_filtered), neither is known.
 */
#ifndef ANNOT_SAMPLE_MISSES_H
#define ANNOT_SAMPLE_MISSES_H

#include "analysis/events/miss_level.h"
#include "analysis/tasks/task_stats.h"

struct sample_misses {
	const struct model *model;
	enum miss_level *levels; /* of each of the model's events */
	double *each; /* of those by ratio: the misses of one sample; NAN: not known */
};

/* sample_misses_free() frees what is in it. Cost: O(samples). */
struct sample_misses sample_misses_compute(const struct model *model,
					   const struct task_stats *stats);
void sample_misses_free(struct sample_misses *misses);

/* Whether the access, a load or a store, found its data beyond L1. False: it did not, or the sample does not say. */
bool sample_misses_came_from_beyond(const struct sample_misses *misses, size_t sample);

/* Whether it is a load that missed L1. */
bool sample_misses_is_load(const struct sample_misses *misses, size_t sample);

/* How many misses the sample, which is one, stands for; NAN: not known. */
double sample_misses_number(const struct sample_misses *misses, size_t sample);

/*
 * The instructions that a sample of @event stands for, which are those of @figures / @nr_samples; NAN: none were counted, or the
 * samples are no part of them that could be known. @figures are of all events of one task, or of all threads.
 */
double sample_misses_instructions(const struct model *model, size_t event,
				  const struct event_figures *figures, uint64_t nr_samples);

#endif /* ANNOT_SAMPLE_MISSES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was measured, while the trace is read: which events the indices in it mean at the moment,
 * and what became of their counters on each CPU.
 *
 * A set of events is told anew whenever it is put to use, so the same text means the same event; a
 * set that begins with another one has replaced the one before. What was measured of an event that
 * nobody told of, because that was lost, is kept under a name made up for it.
 */
#ifndef ANNOT_MODEL_PMU_H
#define ANNOT_MODEL_PMU_H

#include <uapi/annot.h>

#include "model/model.h"

#define MODEL_NO_PMU_EVENT UINT8_MAX
#define MODEL_MAX_PMU_EVENTS MODEL_NO_PMU_EVENT
#define MODEL_MAX_COUNTERS 32 /* the bits of slice_count_table.invalid */

struct model_builder;
struct thread_build;

/* One event of the set on one CPU. */
struct pmu_on_cpu {
	uint8_t event; /* the model's */
	bool running;
	bool in_gap;
	uint8_t gap_state;
	uint64_t gap_start_ns;
};

struct pmu_cpu {
	struct pmu_on_cpu events[ANNOT_EVENTS_MAX];
};

/* An event that was made up, and what the trace later told that it is. */
struct pmu_pair {
	uint8_t made_up;
	uint8_t told;
};

struct pmu_build {
	/* Of each index: the model's event, or MODEL_NO_PMU_EVENT; once there is a set. */
	uint8_t event_of[ANNOT_EVENTS_MAX];
	bool has_set;
	uint16_t only_states; /* bit i: nothing but states of index i has come so far */
	/* The places in a row of the counts that a slice comes with, all of them, or without those
	 * that the kernel refused: which it is, their number tells. */
	uint8_t counters[ANNOT_EVENTS_MAX];
	uint32_t nr_counters;
	uint8_t measured[ANNOT_EVENTS_MAX];
	uint32_t nr_measured;
	/* The events made up for counts that came before their set was told, in the order in which
	 * a slice has them; and for how many of these it has been told since. */
	uint8_t made_up[ANNOT_EVENTS_MAX];
	uint32_t nr_made_up;
	uint32_t nr_told;
	struct pmu_pair pairs[MODEL_MAX_COUNTERS];
	uint32_t nr_pairs;
	int nr_cpus;
	struct pmu_cpu *cpus;
};

void feed_pmu_event(struct model_builder *builder, const struct trace_event *event);
void feed_sample(struct model_builder *builder, const struct trace_event *event);
void feed_slice_counts(struct model_builder *builder, const struct trace_event *event);
void feed_pmu_state(struct model_builder *builder, const struct trace_event *event);

/*
 * The thread has annotated at @time_ns: counts that were to be until then are so. Returns when it
 * was, which what it counted may tell better.
 */
uint64_t pmu_cut_counts(struct model_builder *builder, struct thread_build *build,
			uint64_t time_ns);

/* The trace is over: gaps end, and totals are all there or not. */
void pmu_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_PMU_H */

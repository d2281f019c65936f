/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PMU events during the build: which event each index means now, and the state of its counter on
 * each CPU.
 *
 * A set of events is described again each time it is started. The same text means the same event. A
 * set that begins with a different event replaces the set before. If the description of an event
 * was lost, its measurements are kept under a made-up name.
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

/* A made-up event, and the real one that the trace described later. */
struct pmu_pair {
	uint8_t made_up;
	uint8_t told;
};

struct pmu_build {
	/* The model's event of each index, or MODEL_NO_PMU_EVENT; valid if has_set. */
	uint8_t event_of[ANNOT_EVENTS_MAX];
	bool has_set;
	uint16_t only_states; /* bit i: index i has had only state changes so far */
	/*
	 * Columns of the counts in the records of a slice: of all counted events, or of those that
	 * the kernel accepted. The number of counts in a record says which.
	 */
	uint8_t counters[ANNOT_EVENTS_MAX];
	uint32_t nr_counters;
	uint8_t measured[ANNOT_EVENTS_MAX];
	uint32_t nr_measured;
	/*
	 * Made-up events for counts that came before their set was described, in the order of a
	 * slice's counts; nr_described of them have been described since.
	 */
	uint8_t made_up[ANNOT_EVENTS_MAX];
	uint32_t nr_made_up;
	uint32_t nr_described;
	struct pmu_pair pairs[MODEL_MAX_COUNTERS];
	uint32_t nr_pairs;
	int nr_cpus;
	struct pmu_cpu *cpus;
};

/* Adds an event, to be described. Returns its index, or MODEL_NO_PMU_EVENT where there is no room for more. */
uint8_t pmu_add_event(struct model *model, bool is_counted);
void pmu_describe_event(struct pmu_event *row, const struct trace_event *event);

void feed_pmu_event(struct model_builder *builder, const struct trace_event *event);
void feed_sample(struct model_builder *builder, const struct trace_event *event);
void feed_slice_counts(struct model_builder *builder, const struct trace_event *event);
void feed_pmu_state(struct model_builder *builder, const struct trace_event *event);

/*
 * The thread annotated at @time_ns: ends the counts that end with this annotation. Returns the time
 * of the annotation, which the counts may give more exactly.
 */
uint64_t pmu_cut_counts(struct model_builder *builder, struct thread_build *build,
			uint64_t time_ns);

/* At the end of the trace: ends open gaps, and checks whether all CPUs reported their totals. */
void pmu_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_PMU_H */

// SPDX-License-Identifier: GPL-2.0
#include "model/pmu/pmu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/window/permutation.h"
#include "model/pmu/pmu_merge.h"
#include "model/window/table_copy.h"
#include "model/threads/threads.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

static void begin_gap(struct pmu_on_cpu *on, uint8_t state, uint64_t start_ns)
{
	if (on->in_gap)
		return;
	on->in_gap = true;
	on->gap_state = state;
	on->gap_start_ns = start_ns;
}

static void end_gap(struct model_builder *builder, struct pmu_on_cpu *on, int cpu)
{
	if (!on->in_gap)
		return;
	on->in_gap = false;
	pmu_gap_table_add(&builder->model->pmu_gaps, on->gap_start_ns, builder->now_ns, cpu,
			  on->event, on->gap_state);
}

/* The start may have been lost: then the length gives it. */
static void unthrottle_event(struct model_builder *builder, struct pmu_on_cpu *on, int cpu,
			     uint64_t length_ns)
{
	uint64_t now_ns = builder->now_ns;

	begin_gap(on, ANNOT_PMU_THROTTLED, length_ns < now_ns ? now_ns - length_ns : 0);
	end_gap(builder, on, cpu);
}

/* Nothing of the set will come any more. */
static void end_set(struct model_builder *builder)
{
	struct pmu_build *pmu = &builder->pmu;

	for (int cpu = 0; cpu < pmu->nr_cpus; cpu++) {
		for (int index = 0; index < ANNOT_EVENTS_MAX; index++) {
			struct pmu_on_cpu *on = &pmu->cpus[cpu].events[index];

			end_gap(builder, on, cpu);
			if (on->running)
				builder->model->pmu_events[on->event].has_total = false;
			on->running = false;
		}
	}
}

static void begin_set(struct model_builder *builder)
{
	struct pmu_build *pmu = &builder->pmu;

	end_set(builder);
	memset(pmu->event_of, MODEL_NO_PMU_EVENT, sizeof(pmu->event_of));
	pmu->has_set = true;
	pmu->only_states = 0;
	/* Descriptions of another set do not belong to this one. */
	if (pmu->nr_described)
		pmu->nr_made_up = 0;
	pmu->nr_described = 0;
}

/* The event that @index means, or MODEL_NO_PMU_EVENT. */
static uint8_t event_of(const struct pmu_build *pmu, uint8_t index)
{
	return pmu->has_set ? pmu->event_of[index] : MODEL_NO_PMU_EVENT;
}

static void make_counted(struct model *model, size_t at)
{
	model->pmu_events[at].is_counted = true;
	model->pmu_events[at].counter = model->slice_counts.nr_counters;
	slice_count_table_widen(&model->slice_counts);
}

uint8_t pmu_add_event(struct model *model, bool is_counted)
{
	size_t at = model->nr_pmu_events;

	if (at == MODEL_MAX_PMU_EVENTS ||
	    (is_counted && model->slice_counts.nr_counters == MODEL_MAX_COUNTERS))
		return MODEL_NO_PMU_EVENT;
	if (column_is_full(at))
		model->pmu_events = column_grow(model->pmu_events, at, sizeof(*model->pmu_events));
	model->pmu_events[at] = (struct pmu_event){ .enough_ns = UINT64_MAX };
	if (is_counted)
		make_counted(model, at);
	model->nr_pmu_events++;
	return (uint8_t)at;
}

/* An event without a description. */
static uint8_t make_up_event(struct model *model, bool is_counted, unsigned int index)
{
	uint8_t at = pmu_add_event(model, is_counted);
	char name[32];

	snprintf(name, sizeof(name), "%s %u", is_counted ? "counter" : "event", index);
	if (at != MODEL_NO_PMU_EVENT && model->trace)
		model->pmu_events[at].name = trace_intern(model->trace, name);
	return at;
}

static uint8_t find_event(const struct model *model, uint32_t text)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (model->pmu_events[i].text == text)
			return (uint8_t)i;
	}
	return MODEL_NO_PMU_EVENT;
}

/* Which counts of a slice come in which order. */
static void arrange_counters(struct pmu_build *pmu, const struct model *model)
{
	pmu->nr_counters = 0;
	pmu->nr_measured = 0;
	for (int i = 0; i < ANNOT_EVENTS_MAX; i++) {
		const struct pmu_event *event;

		if (pmu->event_of[i] == MODEL_NO_PMU_EVENT)
			continue;
		event = &model->pmu_events[pmu->event_of[i]];
		if (!event->is_counted)
			continue;
		pmu->counters[pmu->nr_counters++] = (uint8_t)event->counter;
		if (!event->error)
			pmu->measured[pmu->nr_measured++] = (uint8_t)event->counter;
	}
}

void pmu_describe_event(struct pmu_event *row, const struct trace_event *event)
{
	row->name = event->pmu_event.name;
	row->text = event->pmu_event.text;
	row->is_software = event->pmu_event.is_software;
	row->is_clock = event->pmu_event.is_clock;
	row->by_ratio = event->pmu_event.by_ratio;
	row->is_shared = event->pmu_event.is_shared;
	row->is_filtered = event->pmu_event.is_filtered;
	row->threshold_cycles = event->pmu_event.threshold_cycles;
	row->user = event->pmu_event.user;
	row->kernel = event->pmu_event.kernel;
	row->precise_asked = event->pmu_event.precise_asked;
	row->precise = event->pmu_event.precise;
	row->error = event->pmu_event.error;
	row->period = event->pmu_event.period;
}

/* @before was made up for the event at @index, which is described now. */
static bool is_made_up_for(const struct pmu_build *pmu, const struct model *model, uint8_t before,
			   uint8_t index, bool is_counted)
{
	if (before == MODEL_NO_PMU_EVENT || model->pmu_events[before].text != TRACE_NO_STRING)
		return false;
	if (pmu->only_states & 1u << index)
		return !is_counted || model->slice_counts.nr_counters < MODEL_MAX_COUNTERS;
	return model->pmu_events[before].is_counted == is_counted;
}

/* As many as there are columns of counts can be made up. */
static void pair_with_made_up(struct pmu_build *pmu, uint8_t told)
{
	if (pmu->nr_described < pmu->nr_made_up && pmu->nr_pairs < MODEL_MAX_COUNTERS)
		pmu->pairs[pmu->nr_pairs++] = (struct pmu_pair){ pmu->made_up[pmu->nr_described++],
								 told };
}

void feed_pmu_event(struct model_builder *builder, const struct trace_event *event)
{
	struct pmu_build *pmu = &builder->pmu;
	struct model *model = builder->model;
	uint8_t index = event->pmu_event.event;
	uint8_t known = find_event(model, event->pmu_event.text);
	uint8_t before = event_of(pmu, index);

	if (known != MODEL_NO_PMU_EVENT && known == before)
		return;
	/* What was made up for it gets its name; else it begins another set, if it is the first. */
	if (known == MODEL_NO_PMU_EVENT &&
	    is_made_up_for(pmu, model, before, index, event->pmu_event.is_counted)) {
		known = before;
		if (event->pmu_event.is_counted && !model->pmu_events[known].is_counted)
			make_counted(model, known);
		pmu->only_states &= (uint16_t) ~(1u << index);
	} else if (!pmu->has_set || (!index && before != MODEL_NO_PMU_EVENT))
		begin_set(builder);
	if (known == MODEL_NO_PMU_EVENT)
		known = pmu_add_event(model, event->pmu_event.is_counted);
	if (known != MODEL_NO_PMU_EVENT)
		pmu_describe_event(&model->pmu_events[known], event);
	pmu->event_of[index] = known;
	if (event->pmu_event.is_counted && known != MODEL_NO_PMU_EVENT)
		pair_with_made_up(pmu, known);
	arrange_counters(pmu, model);
}

/*
 * Like event_of(), but makes up an event if there is none: a sampled one, until its description
 * comes.
 */
static uint8_t need_event(struct model_builder *builder, uint8_t index, bool by_state)
{
	struct pmu_build *pmu = &builder->pmu;

	if (!pmu->has_set)
		begin_set(builder);
	if (pmu->event_of[index] == MODEL_NO_PMU_EVENT) {
		pmu->event_of[index] = make_up_event(builder->model, false, index);
		pmu->only_states |= (uint16_t)(1u << index);
	}
	if (!by_state)
		pmu->only_states &= (uint16_t) ~(1u << index);
	return pmu->event_of[index];
}

/* The thread that was interrupted, or leaves. */
static uint32_t thread_on(struct model_builder *builder, const struct trace_event *event)
{
	return thread_get(builder, event->tid);
}

void feed_sample(struct model_builder *builder, const struct trace_event *event)
{
	uint8_t at = need_event(builder, event->sample.event, false);

	if (at != MODEL_NO_PMU_EVENT)
		sample_table_add(&builder->model->samples, builder->now_ns,
				 thread_on(builder, event), at, event);
}

/*
 * When @thread, or idle, began the slice that it is in, or that was cut last; now, if that is not
 * known.
 */
static uint64_t counted_since(const struct model_builder *builder, int cpu, uint32_t thread)
{
	const struct cpu_build *on = &builder->cpus[cpu];
	uint32_t runner = thread == MODEL_NO_THREAD ? RUNNER_IDLE : thread;

	if (on->runner != runner)
		return builder->now_ns;
	return on->since_ns > on->counted_ns ? on->since_ns : on->counted_ns;
}

/*
 * Counts that an annotation ends reach up to it. The annotation is next to them in the trace:
 * before them if it is a begin, otherwise after them.
 */
static uint64_t counted_until(struct model_builder *builder, uint32_t thread,
			      const struct trace_event *event)
{
	uint8_t ended_by = event->counts.ended_by;
	struct thread_build *build;

	if (thread == MODEL_NO_THREAD)
		return builder->now_ns;
	build = &builder->threads[thread];
	build->row_to_end = SIZE_MAX;
	if (ended_by == ANNOT_ENDED_BY_END) {
		build->row_to_end = builder->model->slice_counts.nr;
		build->row_is_sure = event->counts.in_batch;
	}
	return ended_by == ANNOT_ENDED_BY_BEGIN ? build->spans.last_ns : builder->now_ns;
}

uint64_t pmu_cut_counts(struct model_builder *builder, struct thread_build *build, uint64_t time_ns)
{
	struct slice_count_table *counts = &builder->model->slice_counts;
	size_t row = build->row_to_end;
	struct cpu_build *on;

	if (row == SIZE_MAX)
		return time_ns;
	build->row_to_end = SIZE_MAX;
	on = &builder->cpus[counts->cpu[row]];
	/* How long ago it was is not known to the nanosecond; what it counted is its own. */
	if (build->row_is_sure && time_ns <= counts->start_ns[row] &&
	    counts->start_ns[row] < builder->now_ns)
		time_ns = counts->start_ns[row] + 1;
	/* It was lost, and the thread has left. */
	if (time_ns < counts->start_ns[row] || on->since_ns > counts->end_ns[row])
		return time_ns;
	counts->end_ns[row] = time_ns;
	on->counted_ns = time_ns;
	return time_ns;
}

static void make_up_counters(struct model_builder *builder, uint32_t nr)
{
	struct pmu_build *pmu = &builder->pmu;
	struct model *model = builder->model;

	pmu->nr_made_up = 0;
	pmu->nr_described = 0;
	for (uint32_t i = 0; i < nr; i++) {
		uint8_t at = make_up_event(model, true, i);

		if (at == MODEL_NO_PMU_EVENT)
			return;
		pmu->measured[pmu->nr_measured++] = (uint8_t)model->pmu_events[at].counter;
		pmu->made_up[pmu->nr_made_up++] = at;
	}
}

void feed_slice_counts(struct model_builder *builder, const struct trace_event *event)
{
	struct slice_count_table *column = &builder->model->slice_counts;
	struct pmu_build *pmu = &builder->pmu;
	uint32_t nr = event->counts.nr, thread, *invalid;
	uint64_t start_ns, end_ns, *row;
	const uint8_t *counters;

	if (!pmu->nr_counters && !pmu->nr_measured)
		make_up_counters(builder, nr);
	counters = nr == pmu->nr_counters ? pmu->counters : pmu->measured;
	if (nr != pmu->nr_counters && nr != pmu->nr_measured) {
		builder->model->nr_odd_counts++;
		return;
	}
	thread = thread_on(builder, event);
	start_ns = counted_since(builder, event->cpu, thread);
	end_ns = counted_until(builder, thread, event);
	if (end_ns < start_ns)
		end_ns = start_ns;
	row = slice_count_table_add(column, start_ns, end_ns, thread, event->cpu);
	builder->cpus[event->cpu].counted_ns = end_ns;
	invalid = &column->invalid[column->nr - 1];
	for (uint32_t i = 0; i < nr; i++) {
		row[counters[i]] = event->counts.counts[i];
		if (!(event->counts.invalid & 1u << i))
			*invalid &= ~(1u << counters[i]);
	}
}

static struct pmu_on_cpu *on_cpu(struct pmu_build *pmu, int cpu, uint8_t index)
{
	if (cpu >= pmu->nr_cpus) {
		size_t nr = (size_t)cpu + 1;

		pmu->cpus = xrealloc_array(pmu->cpus, nr, sizeof(*pmu->cpus));
		memset(pmu->cpus + pmu->nr_cpus, 0,
		       (nr - (size_t)pmu->nr_cpus) * sizeof(*pmu->cpus));
		pmu->nr_cpus = cpu + 1;
	}
	return &pmu->cpus[cpu].events[index];
}

static void stop_event(struct model_builder *builder, struct pmu_on_cpu *on, int cpu,
		       uint64_t total)
{
	struct pmu_event *event = &builder->model->pmu_events[on->event];

	end_gap(builder, on, cpu);
	on->running = false;
	event->has_total = !event->by_ratio;
	event->total += total;
}

void feed_pmu_state(struct model_builder *builder, const struct trace_event *event)
{
	uint8_t at = need_event(builder, event->pmu.event, true);
	struct pmu_on_cpu *on = on_cpu(&builder->pmu, event->cpu, event->pmu.event);
	struct pmu_event *row;

	if (at == MODEL_NO_PMU_EVENT)
		return;
	if (!on->in_gap && !on->running)
		on->event = at;
	row = &builder->model->pmu_events[at];
	switch (event->pmu.state) {
	case ANNOT_PMU_STARTED:
		end_gap(builder, on, event->cpu);
		on->running = true;
		break;
	case ANNOT_PMU_STOPPED:
		stop_event(builder, on, event->cpu, event->pmu.value);
		break;
	case ANNOT_PMU_THROTTLED:
		begin_gap(on, ANNOT_PMU_THROTTLED, builder->now_ns);
		break;
	case ANNOT_PMU_UNTHROTTLED:
		unthrottle_event(builder, on, event->cpu, event->pmu.value);
		break;
	case ANNOT_PMU_FAILED:
		begin_gap(on, ANNOT_PMU_FAILED, builder->now_ns);
		break;
	case ANNOT_PMU_LOST_SAMPLES:
		row->nr_lost += event->pmu.value;
		break;
	case ANNOT_PMU_LIMIT_REACHED:
		if (builder->now_ns < row->enough_ns)
			row->enough_ns = builder->now_ns;
		break;
	}
}

/* They came in the order of their ends. */
static void sort_gaps(struct pmu_gap_table *gaps)
{
	size_t *rows = permutation_by(gaps->start_ns, gaps->nr);

	pmu_gap_table_permute(gaps, rows);
	spill_free(rows);
}

void pmu_finish(struct model_builder *builder)
{
	end_set(builder);
	/* Windows that were closed know it by its number. */
	pmu_merge_all(builder->model, &builder->pmu, builder->windows && builder->windows->from_ns);
	sort_gaps(&builder->model->pmu_gaps);
	/* Rows that windows have been given stay where they are until the last one was. */
	if (!builder->windows || !builder->windows->keeps)
		pmu_sort_counts(&builder->model->slice_counts);
	free(builder->pmu.cpus);
}

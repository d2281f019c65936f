// SPDX-License-Identifier: GPL-2.0
#include "model/pmu/group_counts.h"

#include <stdlib.h>

#include "model/builder.h"
#include "model/pmu/group_switches.h"
#include "model/pmu/pmu.h"
#include "model/table_rows.h"
#include "model/threads/threads.h"
#include "trace/lines/group_line.h"
#include "util/xalloc.h"

/* Counters end a little before the recording does. */
#define USUAL_END_NS 10000000

static bool is_believed(struct group_build *groups, const struct trace_event *event)
{
	if (!groups->teller_tid)
		groups->teller_tid = event->tid;
	return event->tid == groups->teller_tid;
}

static struct group_counters *need_group(struct group_build *groups, uint8_t group)
{
	if (group >= groups->nr_groups) {
		uint32_t nr = group + 1u;

		groups->groups = xrealloc_array(groups->groups, nr, sizeof(*groups->groups));
		while (groups->nr_groups < nr)
			groups->groups[groups->nr_groups++] = (struct group_counters){ 0 };
	}
	return &groups->groups[group];
}

static bool is_same(const struct pmu_event *row, const struct trace_event *event)
{
	return row->is_counted && row->name == event->pmu_event.name &&
	       row->user == event->pmu_event.user && row->kernel == event->pmu_event.kernel &&
	       !row->error && !event->pmu_event.error;
}

/* Two groups may have the same event. */
static uint8_t need_event(struct model *model, const struct trace_event *event)
{
	uint8_t at;

	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (is_same(&model->pmu_events[i], event))
			return (uint8_t)i;
	}
	at = pmu_add_event(model, true);
	if (at != MODEL_NO_PMU_EVENT)
		pmu_describe_event(&model->pmu_events[at], event);
	return at;
}

/* They come in the order of their counts. Of one that was refused there are no counts. */
void group_counts_feed_event(struct model_builder *builder, const struct trace_event *event)
{
	struct group_counters *group;
	uint8_t at;

	if (!is_believed(&builder->groups, event))
		return;
	group = need_group(&builder->groups, event->pmu_event.group - 1);
	if (!event->pmu_event.error && group->nr == TRACE_GROUP_MOST_COUNTS)
		return;
	at = need_event(builder->model, event);
	if (at != MODEL_NO_PMU_EVENT && !event->pmu_event.error)
		group->events[group->nr++] = at;
}

static const struct group_counters *find_group(struct model_builder *builder,
					       const struct trace_event *event)
{
	if (!is_believed(&builder->groups, event) ||
	    event->group.group >= builder->groups.nr_groups ||
	    !builder_need_cpu(builder, event->group.cpu))
		return NULL;
	return &builder->groups.groups[event->group.group];
}

static void add_row(struct model_builder *builder, const struct group_counters *group,
		    const struct trace_group_row *from, uint64_t start_ns, uint64_t end_ns, int cpu)
{
	struct model *model = builder->model;
	uint64_t *row = slice_count_table_add(&model->slice_counts, start_ns, end_ns,
					      thread_get(builder, from->tid), cpu);

	for (uint32_t i = 0; i < from->nr; i++) {
		uint32_t counter = model->pmu_events[group->events[i]].counter;

		row[counter] = from->counts[i];
		model->slice_counts.invalid[model->slice_counts.nr - 1] &= ~(1u << counter);
	}
	builder->groups.has_new_rows = true;
}

static void add_gap(struct model *model, const struct group_counters *group, uint64_t start_ns,
		    uint64_t end_ns, int cpu)
{
	for (uint32_t i = 0; i < group->nr && start_ns < end_ns; i++)
		pmu_gap_table_add(&model->pmu_gaps, start_ns, end_ns, cpu, group->events[i],
				  PMU_GAP_UNREAD);
}

/*
 * Rows of a CPU follow each other without a break: where one does not begin at the end of the one before, a line was lost. Which group had
 * its turn then is not known. Returns when the row begins.
 */
static uint64_t follow_on(struct model_builder *builder, struct group_cpu *of, uint64_t told_ns,
			  int cpu)
{
	if (of->told_ns == told_ns)
		return of->end_ns;
	for (uint32_t i = 0; of->has_rows && i < builder->groups.nr_groups; i++)
		add_gap(builder->model, &builder->groups.groups[i], of->end_ns, told_ns, cpu);
	return told_ns;
}

static void feed_row(struct model_builder *builder, const struct group_counters *group,
		     struct trace_group_row *row, uint64_t told_ns, int cpu)
{
	struct group_cpu *of = group_switches_of(&builder->groups, cpu);
	uint64_t start_ns = follow_on(builder, of, told_ns, cpu), end_ns;

	of->has_rows = true;
	of->told_ns = told_ns + row->length_ns;
	if (row->tid < 0)
		row->tid = group_switches_runner(of, of->told_ns, row->is_tick);
	end_ns = row->is_tick ? of->told_ns : group_switches_find(of, of->told_ns, row->tid);
	of->end_ns = end_ns > start_ns ? end_ns : start_ns;
	if (of->end_ns > builder->now_ns)
		of->end_ns = builder->now_ns;
	if (row->nr && row->nr != group->nr)
		builder->model->nr_odd_counts++;
	else if (row->tid >= 0)
		add_row(builder, group, row, start_ns, of->end_ns, cpu);
	else
		add_gap(builder->model, group, start_ns, of->end_ns, cpu);
}

/* What was counted before the trace began is not of it. */
void group_counts_feed_rows(struct model_builder *builder, const struct trace_event *event)
{
	const struct group_counters *group = find_group(builder, event);
	uint64_t at_ns = event->group.start_ns, begin_ns = builder->model->start_ns;
	struct scan_text rows = event->group.rows;
	struct trace_group_row row;

	while (group && group_line_next(&rows, &row)) {
		if (at_ns >= begin_ns)
			feed_row(builder, group, &row, at_ns - begin_ns, event->group.cpu);
		at_ns += row.length_ns;
	}
}

void group_counts_note_switch(struct model_builder *builder, const struct trace_event *event)
{
	if (builder->groups.nr_groups)
		group_switches_note(&builder->groups, event->cpu, builder->now_ns, event->tid);
}

void group_counts_feed_gap(struct model_builder *builder, const struct trace_event *event)
{
	const struct group_counters *group = find_group(builder, event);
	uint64_t begin_ns = builder->model->start_ns;
	struct group_cpu *of;

	if (!group || event->group.start_ns < begin_ns)
		return;
	of = group_switches_of(&builder->groups, event->group.cpu);
	add_gap(builder->model, group,
		follow_on(builder, of, event->group.start_ns - begin_ns, event->group.cpu),
		event->group.end_ns - begin_ns, event->group.cpu);
	of->has_rows = true;
	of->told_ns = of->end_ns = event->group.end_ns - begin_ns;
}

/* Threads ran on a CPU behind its last row: it may have been off line when the counters were opened. */
static void add_end(struct model_builder *builder, int cpu)
{
	const struct group_cpu *of = group_switches_of(&builder->groups, cpu);
	uint64_t last_ns = of->nr ? of->switches[of->nr - 1].time_ns : 0;

	if (last_ns < of->end_ns + USUAL_END_NS)
		return;
	for (uint32_t i = 0; i < builder->groups.nr_groups; i++)
		add_gap(builder->model, &builder->groups.groups[i], of->end_ns,
			builder->model->duration_ns, cpu);
}

void group_counts_finish(struct model_builder *builder)
{
	for (int cpu = 0; builder->groups.nr_groups && cpu < builder->model->nr_cpus; cpu++)
		add_end(builder, cpu);
	group_switches_free(&builder->groups);
	free(builder->groups.groups);
	builder->groups = (struct group_build){ 0 };
}

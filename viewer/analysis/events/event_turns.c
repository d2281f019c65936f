// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/event_turns.h"

#include <stdlib.h>

#include "util/xalloc.h"

static size_t nr_shared_events(const struct model *model)
{
	size_t nr = 0;

	for (size_t event = 0; event < model->nr_pmu_events; event++)
		nr += model->pmu_events[event].is_shared;
	return nr;
}

struct turn_sums *event_turns_hand_out(const struct model *model, struct event_figures *figures,
				       size_t nr_owners)
{
	size_t nr_shared = nr_shared_events(model);
	struct turn_sums *sums, *next;

	if (!nr_shared)
		return NULL;
	sums = xcalloc(nr_owners * nr_shared, sizeof(*sums));
	next = sums;
	for (size_t i = 0; i < nr_owners * model->nr_pmu_events; i++) {
		if (model->pmu_events[i % model->nr_pmu_events].is_shared)
			figures[i].turns = next++;
	}
	return sums;
}

static void add_to_turns(const struct slice_count_table *counts, struct slice_part part,
			 double count, bool is_invalid, struct turn_sums *turns)
{
	uint64_t slice_ns = counts->end_ns[part.row] - counts->start_ns[part.row];
	struct turn_part own = {
		.thread = counts->thread[part.row],
		.at_ns = part.at_ns,
		.ns = (uint64_t)(part.share * (double)slice_ns),
	};

	if (is_invalid)
		turn_sums_pass(turns, own);
	else
		turn_sums_count(turns, own, part.share * count);
}

void event_add_count(const struct model *model, size_t event, struct slice_part part,
		     struct event_figures *figures)
{
	const struct slice_count_table *counts = &model->slice_counts;
	uint32_t counter = model->pmu_events[event].counter;
	double count = (double)counts->counts[part.row * counts->nr_counters + counter];
	bool is_invalid = counts->invalid[part.row] & 1u << counter;

	figures->nr_incomplete += is_invalid;
	if (figures->turns)
		add_to_turns(counts, part, count, is_invalid, figures->turns);
	/* A part of the slice was counted, of which nobody knows how long it was. */
	if (figures->turns && is_invalid)
		return;
	event_add_share(figures, part.share, count);
	/* Where a counter never ran, what it counted is not 0 but unknown. */
	figures->measured = figures->measured || count > 0 || !is_invalid;
}

void event_turns_close(const struct model *model, struct event_figures *figures)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (figures[event].turns)
			turn_sums_close(figures[event].turns);
	}
}

static void take_estimate(struct event_figures *figures)
{
	struct turn_estimate estimate = turn_estimate_of(figures->turns);

	figures->count = estimate.count;
	figures->measured = estimate.nr_turns > 0;
}

void event_turns_settle(struct event_figures *figures)
{
	double share;

	if (!figures->turns)
		return;
	turn_sums_close(figures->turns);
	take_estimate(figures);
	share = turn_estimate_of(figures->turns).share;
	if (share > 0)
		figures->shared /= share;
}

void event_turns_add(struct event_figures *sum, const struct event_figures *part)
{
	if (!sum->turns)
		return;
	turn_sums_add(sum->turns, part->turns);
	take_estimate(sum);
}

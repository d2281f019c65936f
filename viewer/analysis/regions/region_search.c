// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/region_search.h"

#include <stdlib.h>

#include "analysis/base/team.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Of each wait at a barrier: its thread's one before; NO_BARRIER: there is none. */
static size_t *waits_before(const struct barriers *barriers, size_t nr_threads)
{
	const struct wait_spans *waits = &barriers->waits;
	size_t *before = xcalloc(waits->nr, sizeof(*before));

	for (size_t thread = 0; thread < nr_threads; thread++) {
		size_t last = NO_BARRIER;

		for (size_t i = waits->first[thread]; i < waits->first[thread + 1]; i++) {
			before[i] = last;
			if (barriers->barrier_of[i] != NO_BARRIER)
				last = i;
		}
	}
	return before;
}

/* When @thread began what it does last before @time_ns. */
static uint64_t begin_before(const struct top_spans *tops, uint32_t thread, uint64_t time_ns)
{
	size_t first = tops->first[thread], at = top_spans_after(tops, thread, time_ns);

	if (at == tops->first[thread + 1] || tops->start_ns[at] >= time_ns) {
		if (at == first)
			return time_ns;
		at--;
	}
	while (at > first && tops->name[at - 1] == tops->name[at])
		at--;
	return tops->start_ns[at];
}

/*
 * A thread that joins teams has nothing to do, or works alone, from one team's end to the next one's begin: its part
 * begins with its first span since @since_ns, if one is before @wait_ns. UINT64_MAX: one spans both.
 */
static uint64_t begin_of_team(const struct top_spans *tops, uint32_t thread, uint64_t since_ns,
			      uint64_t wait_ns)
{
	size_t at = top_spans_after(tops, thread, since_ns);

	if (at == tops->first[thread + 1] || tops->start_ns[at] < since_ns ||
	    tops->start_ns[at] > wait_ns)
		return UINT64_MAX;
	return tops->start_ns[at];
}

static struct region_part part_before(const struct region_search *search, size_t wait,
				      size_t wait_before)
{
	const struct barriers *barriers = search->barriers;
	const struct wait_spans *waits = &barriers->waits;
	struct region_part part = {
		.thread = waits->thread[wait],
		.to_ns = waits->start_ns[wait],
	};
	uint64_t begin_ns = UINT64_MAX;

	if (wait_before == NO_BARRIER)
		begin_ns = begin_before(search->tops, part.thread, part.to_ns);
	else if (search->model->threads[part.thread].joins_teams)
		begin_ns = begin_of_team(search->tops, part.thread, waits->end_ns[wait_before],
					 part.to_ns);
	if (begin_ns != UINT64_MAX) {
		part.from_ns = begin_ns;
		part.released_ns = begin_ns;
	} else {
		part.from_ns = waits->end_ns[wait_before];
		part.released_ns = barriers->rows[barriers->barrier_of[wait_before]].release_ns;
	}
	return part;
}

static void find_between_barriers(const struct region_search *search)
{
	const struct barriers *barriers = search->barriers;
	size_t *before = waits_before(barriers, search->model->nr_threads);
	struct region_part *parts = xcalloc(search->model->nr_threads, sizeof(*parts));

	for (size_t i = 0; i < barriers->nr; i++) {
		const struct barrier *barrier = &barriers->rows[i];

		for (size_t j = 0; j < barrier->nr; j++) {
			size_t wait = barriers->members[barrier->first + j];

			parts[j] = part_before(search, wait, before[wait]);
		}
		search->on_region(search->context, i, parts, barrier->nr);
	}
	free(parts);
	free(before);
}

/* The time in which a thread's regions are between barriers. */
struct phases {
	uint64_t from_ns;
	uint64_t to_ns;
};

static struct phases phases_of(const struct region_search *search, uint32_t thread)
{
	const struct barriers *barriers = search->barriers;
	const struct wait_spans *waits = &barriers->waits;
	struct phases phases = { .from_ns = UINT64_MAX };

	for (size_t i = waits->first[thread]; i < waits->first[thread + 1]; i++) {
		if (barriers->barrier_of[i] == NO_BARRIER)
			continue;
		if (phases.from_ns == UINT64_MAX)
			phases.from_ns = begin_before(search->tops, thread, waits->start_ns[i]);
		phases.to_ns = waits->end_ns[i];
	}
	return phases;
}

/* What threads do outside their phases. */
static size_t take_stretches(const struct region_search *search, struct interval *intervals)
{
	const struct top_spans *tops = search->tops;
	size_t nr = 0;

	for (uint32_t thread = 0; thread < search->model->nr_threads; thread++) {
		struct phases phases = phases_of(search, thread);

		for (size_t i = tops->first[thread]; i < tops->first[thread + 1]; i++) {
			if (tops->start_ns[i] < phases.to_ns && tops->end_ns[i] > phases.from_ns)
				continue;
			intervals[nr++] = (struct interval){
				.name = tops->name[i],
				.thread = thread,
				.start_ns = tops->start_ns[i],
				.end_ns = tops->end_ns[i],
				.row = i,
			};
		}
	}
	return nr;
}

/* The parts of the threads in a region that is being gathered. */
struct gathering {
	struct region_part *parts;
	size_t nr;
	size_t *part_of; /* by thread: 1 + its place in parts */
};

static void gather_interval(struct gathering *gathering, const struct interval *interval)
{
	size_t *place = &gathering->part_of[interval->thread];

	if (!*place) {
		*place = ++gathering->nr;
		gathering->parts[*place - 1] = (struct region_part){
			.thread = interval->thread,
			.released_ns = interval->start_ns,
			.from_ns = interval->start_ns,
		};
	}
	if (interval->end_ns > gathering->parts[*place - 1].to_ns)
		gathering->parts[*place - 1].to_ns = interval->end_ns;
}

static void report_region(const struct region_search *search, struct gathering *gathering)
{
	if (gathering->nr > 1)
		search->on_region(search->context, NO_BARRIER, gathering->parts, gathering->nr);
	for (size_t i = 0; i < gathering->nr; i++)
		gathering->part_of[gathering->parts[i].thread] = 0;
	gathering->nr = 0;
}

static void find_overlapping(const struct region_search *search)
{
	struct interval *intervals = spill_zeroed(search->tops->nr, sizeof(*intervals));
	size_t nr = take_stretches(search, intervals), nr_threads = search->model->nr_threads;
	struct gathering gathering = {
		.parts = xcalloc(nr_threads, sizeof(*gathering.parts)),
		.part_of = xcalloc(nr_threads, sizeof(*gathering.part_of)),
	};
	uint64_t end_ns = 0;

	team_sort(search->model, intervals, nr);
	for (size_t i = 0; i < nr; i++) {
		bool is_new = !i || !team_is_same(&intervals[i - 1], &intervals[i]);

		if (is_new || intervals[i].start_ns >= end_ns) {
			report_region(search, &gathering);
			end_ns = 0;
		}
		gather_interval(&gathering, &intervals[i]);
		if (intervals[i].end_ns > end_ns)
			end_ns = intervals[i].end_ns;
	}
	report_region(search, &gathering);
	free(gathering.parts);
	free(gathering.part_of);
	spill_free(intervals);
}

void region_search_each(const struct region_search *search)
{
	find_between_barriers(search);
	find_overlapping(search);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/barriers.h"

#include <stdlib.h>

#include "analysis/base/team.h"
#include "model/account.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* The last to come waits for at most this share of the longest waits. */
#define MOST_LAST_SHARE (1.0 / 3)

struct search {
	const struct model *model;
	struct barriers *found;
	const struct interval *intervals; /* all wait spans, by team */
	size_t *met; /* by thread: 1 + the meeting it was in last */
	size_t meeting;
	size_t nr_members;
};

/* Ends the meeting of stretches[first] to [end - 1]: a row, if it is one of two and more. */
static void add_meeting(struct search *search, size_t first, size_t end)
{
	struct barriers *found = search->found;
	struct barrier *barrier = &found->rows[found->nr];

	search->meeting++;
	if (end - first < 2)
		return;
	barrier->first = search->nr_members;
	barrier->nr = end - first;
	barrier->release_ns = search->intervals[end - 1].start_ns;
	for (size_t i = first; i < end; i++) {
		const struct interval *interval = &search->intervals[i];

		/* Where CPUs have no common clock, the last one seems to arrive behind that. */
		if (interval->end_ns < barrier->release_ns)
			barrier->release_ns = interval->end_ns;
		found->members[search->nr_members++] = interval->row;
	}
	found->nr++;
}

/* The meetings of one team's stretches, which are in order of their starts. */
static void find_meetings(struct search *search, size_t first, size_t end)
{
	uint64_t first_end_ns = UINT64_MAX;
	size_t begin = first;

	for (size_t i = first; i < end; i++) {
		const struct interval *interval = &search->intervals[i];

		if ((!interval->team_number && interval->start_ns > first_end_ns) ||
		    search->met[interval->thread] == search->meeting + 1) {
			add_meeting(search, begin, i);
			begin = i;
			first_end_ns = UINT64_MAX;
		}
		search->met[interval->thread] = search->meeting + 1;
		if (interval->end_ns < first_end_ns)
			first_end_ns = interval->end_ns;
	}
	add_meeting(search, begin, end);
}

/* How a thread waited: where another ran in its place, it did not. */
struct waited {
	double asleep_ns;
	double spun_ns;
};

static struct waited how_it_waited(const struct search *search, size_t wait)
{
	const struct wait_spans *waits = &search->found->waits;
	struct thread_account account;

	model_account(search->model, waits->thread[wait], waits->start_ns[wait],
		      waits->end_ns[wait], &account);
	return (struct waited){
		.asleep_ns = (double)(account.state_ns[STATE_SLEEPING] +
				      account.state_ns[STATE_UNINTERRUPTIBLE]),
		.spun_ns = (double)account.state_ns[STATE_RUNNING],
	};
}

static size_t longest_wait(const struct barriers *found, const struct barrier *barrier)
{
	const struct wait_spans *waits = &found->waits;
	size_t longest = found->members[barrier->first];

	for (size_t i = 1; i < barrier->nr; i++) {
		size_t wait = found->members[barrier->first + i];

		if (waits->end_ns[wait] - waits->start_ns[wait] >
		    waits->end_ns[longest] - waits->start_ns[longest])
			longest = wait;
	}
	return longest;
}

static void add_waited(struct waited *sum, struct waited waited)
{
	sum->asleep_ns += waited.asleep_ns;
	sum->spun_ns += waited.spun_ns;
}

/* If the longest waits were slept through, what was spun is not waiting, but coming and going. */
static bool are_barriers(struct waited last, struct waited longest)
{
	if (longest.asleep_ns >= longest.spun_ns)
		return last.asleep_ns <= MOST_LAST_SHARE * longest.asleep_ns;
	return last.asleep_ns + last.spun_ns <= MOST_LAST_SHARE * longest.spun_ns;
}

/* Takes the meetings of @interval's team, from row @first on, back, if they are no barriers. */
static void judge_meetings(struct search *search, const struct interval *interval, size_t first)
{
	struct barriers *found = search->found;
	struct waited last = { 0 }, longest = { 0 };

	if (interval->team_number)
		return;
	for (size_t i = first; i < found->nr; i++) {
		const struct barrier *barrier = &found->rows[i];

		add_waited(&last,
			   how_it_waited(search, found->members[barrier->first + barrier->nr - 1]));
		add_waited(&longest, how_it_waited(search, longest_wait(found, barrier)));
	}
	if (found->nr > first && !are_barriers(last, longest)) {
		search->nr_members = found->rows[first].first;
		found->nr = first;
	}
}

static int64_t team_number(const struct span_table *spans, size_t row)
{
	return spans->flags[row] & SPAN_OF_TEAM ? spans->value[row] : 0;
}

static struct interval *stretches_of(const struct model *model, const struct wait_spans *waits)
{
	struct interval *intervals = spill_zeroed(waits->nr, sizeof(*intervals));

	for (size_t i = 0; i < waits->nr; i++) {
		intervals[i] = (struct interval){
			.name = waits->name[i],
			.thread = waits->thread[i],
			.start_ns = waits->start_ns[i],
			.end_ns = waits->end_ns[i],
			.row = i,
			.team_number = team_number(&model->threads[waits->thread[i]].spans,
						   waits->row[i]),
		};
	}
	return intervals;
}

static int compare_releases(const void *a, const void *b)
{
	const struct barrier *first = a, *second = b;

	if (first->release_ns != second->release_ns)
		return first->release_ns < second->release_ns ? -1 : 1;
	return first->first < second->first ? -1 : first->first > second->first;
}

static void refer_to_barriers(struct barriers *found)
{
	for (size_t i = 0; i < found->waits.nr; i++)
		found->barrier_of[i] = NO_BARRIER;
	for (size_t i = 0; i < found->nr; i++) {
		for (size_t j = 0; j < found->rows[i].nr; j++)
			found->barrier_of[found->members[found->rows[i].first + j]] = i;
	}
}

struct barriers barriers_compute(const struct model *model)
{
	struct barriers found = { .waits = wait_spans_compute(model) };
	struct interval *intervals = stretches_of(model, &found.waits);
	struct search search = { .model = model, .found = &found, .intervals = intervals };
	size_t nr = found.waits.nr, end;

	found.rows = spill_zeroed(nr / 2 + 1, sizeof(*found.rows));
	found.members = spill_zeroed(nr, sizeof(*found.members));
	found.barrier_of = spill_zeroed(nr, sizeof(*found.barrier_of));
	search.met = xcalloc(model->nr_threads, sizeof(*search.met));
	team_sort(model, intervals, nr);
	for (size_t i = 0; i < nr; i = end) {
		size_t first_meeting = found.nr;

		for (end = i + 1; end < nr && team_is_same(&intervals[i], &intervals[end]); end++)
			;
		find_meetings(&search, i, end);
		judge_meetings(&search, &intervals[i], first_meeting);
	}
	qsort(found.rows, found.nr, sizeof(*found.rows), compare_releases);
	refer_to_barriers(&found);
	free(search.met);
	spill_free(intervals);
	return found;
}

void barriers_free(struct barriers *barriers)
{
	wait_spans_free(&barriers->waits);
	spill_free(barriers->rows);
	spill_free(barriers->members);
	spill_free(barriers->barrier_of);
	*barriers = (struct barriers){ 0 };
}

uint64_t barriers_wait_end_ns(const struct barriers *barriers, size_t wait)
{
	uint64_t end_ns = barriers->waits.end_ns[wait];
	size_t barrier = barriers->barrier_of[wait];

	if (barrier == NO_BARRIER || barriers->rows[barrier].release_ns > end_ns)
		return end_ns;
	return barriers->rows[barrier].release_ns;
}

uint32_t barrier_last(const struct barriers *barriers, const struct barrier *barrier)
{
	return barriers->waits.thread[barriers->members[barrier->first + barrier->nr - 1]];
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/spinning.h"

#include <stdlib.h>

#include "analysis/spinning/spin_overlaps.h"
#include "analysis/spinning/spin_waits.h"
#include "analysis/sched/sync_points.h"
#include "util/xalloc.h"

/* What a thread would have had of a CPU on which another one spun. */
struct share {
	uint32_t thread;
	uint32_t row; /* of the waits in which that spun */
	uint64_t from_ns;
	uint64_t to_ns;
};

struct builder {
	const struct model *model;
	const struct barriers *barriers;
	const struct wait_groups *groups;
	struct spinning *result;
	size_t nr_shares;
	size_t shares_capacity;
	struct share *shares;
	struct delays delays;
	uint64_t *by_row; /* of one meeting: what its last thread lost to each */
};

static void count_cpu_time(struct spinning *result, const struct model *model)
{
	result->cpu_ns = xcalloc(result->programs.nr, sizeof(*result->cpu_ns));
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			result->cpu_ns[result->programs.of_thread[i]] +=
				model->threads[i].totals.state_ns[STATE_RUNNING];
	}
}

static void show(struct spin_row *row, bool is_wanted, uint64_t ns, uint64_t from_ns,
		 uint64_t to_ns, uint32_t thread)
{
	row->is_wanted = is_wanted;
	row->shown_ns = ns;
	row->shown_from_ns = from_ns;
	row->shown_to_ns = to_ns;
	row->shown_thread = thread;
	row->shown_waiting = MODEL_NO_THREAD;
	row->shown_cpu = -1;
}

static void add_wait(struct builder *builder, size_t wait)
{
	const struct wait_spans *waits = &builder->barriers->waits;
	struct spin_row *row = &builder->result->rows[builder->groups->of_wait[wait]];
	uint64_t start_ns = waits->start_ns[wait], end_ns = waits->end_ns[wait];
	uint64_t spun_ns = builder->result->wait_spun_ns[wait];

	row->nr_threads += !row->waits || row->last_thread != waits->thread[wait];
	row->last_thread = waits->thread[wait];
	row->waits++;
	row->spun_waits += spun_ns > 0;
	row->wait_ns += end_ns - start_ns;
	row->spun_ns += spun_ns;
	if (spun_ns > row->shown_ns)
		show(row, false, spun_ns, start_ns, end_ns, waits->thread[wait]);
}

static void add_waits(struct builder *builder)
{
	struct spinning *result = builder->result;

	result->nr = builder->groups->nr;
	result->rows = xcalloc(result->nr, sizeof(*result->rows));
	for (size_t i = 0; i < result->nr; i++)
		result->rows[i].group = builder->groups->rows[i];
	for (size_t i = 0; i < builder->barriers->waits.nr; i++)
		add_wait(builder, i);
}

static void take_overlap(void *context, const struct spin_overlap *overlap)
{
	struct builder *builder = context;
	uint32_t at = builder->groups->of_wait[overlap->wait];
	struct spin_row *row = &builder->result->rows[at];
	uint64_t ns = overlap->to_ns - overlap->from_ns;

	row->wanted_ns += ns;
	if (!row->is_wanted || ns > row->shown_ns) {
		show(row, true, ns, overlap->from_ns, overlap->to_ns,
		     builder->barriers->waits.thread[overlap->wait]);
		row->shown_waiting = overlap->waiting[0];
		row->shown_cpu = overlap->cpu;
	}
	for (size_t i = 0; i < overlap->nr_waiting; i++) {
		ARRAY_MAKE_ROOM(builder->shares, builder->nr_shares, builder->shares_capacity);
		builder->shares[builder->nr_shares++] = (struct share){
			.thread = overlap->waiting[i],
			.row = at,
			.from_ns = overlap->from_ns,
			.to_ns = overlap->from_ns + ns / overlap->nr_waiting,
		};
	}
}

static int compare_shares(const void *a, const void *b)
{
	const struct share *first = a, *second = b;

	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

/* No program has a row's number here: every delay is by others. */
static uint32_t by_of_row(const struct builder *builder, uint32_t row)
{
	return (uint32_t)builder->result->programs.nr + row;
}

static void make_delays(struct builder *builder)
{
	const struct model *model = builder->model;

	builder->delays = delays_new(model, sync_points_threads(model, &builder->result->programs));
	if (builder->nr_shares)
		qsort(builder->shares, builder->nr_shares, sizeof(*builder->shares),
		      compare_shares);
	for (size_t i = 0; i < builder->nr_shares; i++) {
		const struct share *share = &builder->shares[i];
		struct delay delay = { share->from_ns, share->to_ns,
				       by_of_row(builder, share->row) };

		delays_add(&builder->delays, share->thread, &delay);
	}
	delays_end(&builder->delays, model);
}

/* A meeting was later by @late_ns; what was counted of an earlier one is not counted again. */
static void add_late(struct spin_row *row, uint64_t at_ns, uint64_t late_ns)
{
	uint64_t from_ns = at_ns - late_ns;

	if (from_ns < row->until_ns)
		from_ns = row->until_ns;
	if (from_ns < at_ns)
		row->lost_ns += at_ns - from_ns;
	row->until_ns = at_ns;
}

/* Divided in the shares in which the thread that came last was delayed. */
static void take_meeting(void *context, const struct sync_point *point)
{
	struct builder *builder = context;
	const struct delays *delays = &builder->delays;
	size_t first = delays_find(delays, point->last, point->since_ns), last = first;
	uint32_t base = by_of_row(builder, 0);
	uint64_t all_ns = 0;

	for (; last < delays->first[point->last + 1] && delays->rows[last].from_ns < point->at_ns;
	     last++) {
		uint64_t ns = delays->rows[last].to_ns - delays->rows[last].from_ns;

		builder->by_row[delays->rows[last].by - base] += ns;
		all_ns += ns;
	}
	for (size_t i = first; i < last; i++) {
		uint32_t at = delays->rows[i].by - base;
		double share = all_ns ? (double)builder->by_row[at] / (double)all_ns : 0;

		if (builder->by_row[at])
			add_late(&builder->result->rows[at], point->at_ns,
				 (uint64_t)((double)point->late_ns[DELAY_BY_OTHERS] * share));
		builder->by_row[at] = 0;
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct spin_row *first = a, *second = b;

	if (first->spun_ns != second->spun_ns)
		return first->spun_ns > second->spun_ns ? -1 : 1;
	if (first->group.name != second->group.name)
		return first->group.name < second->group.name ? -1 : 1;
	return first->group.place < second->group.place ? -1 :
							  first->group.place > second->group.place;
}

/* Those in which nobody spun are left out. */
static void sort_rows(struct spinning *result)
{
	if (result->nr)
		qsort(result->rows, result->nr, sizeof(*result->rows), compare_rows);
	while (result->nr && !result->rows[result->nr - 1].spun_ns)
		result->nr--;
}

struct spinning spinning_compute(const struct model *model, const struct barriers *barriers)
{
	struct spinning result = { .programs = programs_compute(model) };
	struct wait_groups groups = wait_groups_compute(model, &result.programs, &barriers->waits);
	struct builder builder = {
		.model = model, .barriers = barriers, .groups = &groups, .result = &result
	};

	count_cpu_time(&result, model);
	result.wait_spun_ns = spin_waits_compute(model, &barriers->waits);
	add_waits(&builder);
	builder.by_row = xcalloc(result.nr, sizeof(*builder.by_row));
	spin_overlaps_each(model, barriers, result.wait_spun_ns, take_overlap, &builder);
	make_delays(&builder);
	sync_points_each(model, &result.programs, &builder.delays, take_meeting, &builder);
	sort_rows(&result);
	delays_free(&builder.delays);
	wait_groups_free(&groups);
	free(builder.by_row);
	free(builder.shares);
	return result;
}

void spinning_free(struct spinning *spinning)
{
	programs_free(&spinning->programs);
	free(spinning->cpu_ns);
	free(spinning->wait_spun_ns);
	free(spinning->rows);
}

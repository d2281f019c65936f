// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/wait_groups.h"

#include <stdlib.h>

#include "analysis/tasks/span_walk.h"
#include "model/table_rows.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

struct grouping {
	const struct model *model;
	struct wait_groups *groups;
	struct span_walk walk;
	uint32_t
		before; /* name of the last outermost work span that has ended; or TRACE_NO_STRING */
	struct pair_table names; /* program, name */
	struct pair_table places; /* number of these, place */
};

static void note_ended(void *context, const struct open_span *span)
{
	struct grouping *grouping = context;
	const struct span_table *spans = &grouping->model->threads[grouping->walk.thread].spans;

	if (!grouping->walk.nr_open && spans->kind[span->span] == TRACE_SPAN_WORK)
		grouping->before = spans->name[span->span];
}

/* The innermost work span that is open, began before wait span @wait, and does not end before it. */
static uint32_t place_within(const struct grouping *grouping, size_t wait)
{
	const struct span_table *spans = &grouping->model->threads[grouping->walk.thread].spans;

	for (size_t i = grouping->walk.nr_open; i-- > 0;) {
		size_t span = grouping->walk.open[i].span;

		if (span < wait && spans->kind[span] == TRACE_SPAN_WORK &&
		    spans->end_ns[span] >= spans->end_ns[wait])
			return spans->name[span];
	}
	return TRACE_NO_STRING;
}

static uint32_t group_number(struct grouping *grouping, const struct wait_group *group)
{
	struct wait_groups *groups = grouping->groups;
	size_t named = pair_table_number(&grouping->names, group->program, group->name);
	size_t at = pair_table_number(&grouping->places, (uint32_t)named,
				      group->place << 1 | group->is_after);

	if (at == groups->nr) {
		if (column_is_full(at))
			groups->rows = column_grow(groups->rows, at, sizeof(*groups->rows));
		groups->rows[groups->nr++] = *group;
	}
	return (uint32_t)at;
}

static void group_thread(struct grouping *grouping, const struct programs *programs,
			 const struct wait_spans *waits, uint32_t thread)
{
	span_walk_start(&grouping->walk, thread);
	grouping->before = TRACE_NO_STRING;
	for (size_t i = waits->first[thread]; i < waits->first[thread + 1]; i++) {
		struct wait_group group = {
			.program = programs->of_thread[thread],
			.name = waits->name[i],
		};

		span_walk_to(&grouping->walk, waits->start_ns[i]);
		group.place = place_within(grouping, waits->row[i]);
		if (group.place == TRACE_NO_STRING && grouping->before != TRACE_NO_STRING) {
			group.place = grouping->before;
			group.is_after = true;
		}
		grouping->groups->of_wait[i] = group_number(grouping, &group);
	}
}

struct wait_groups wait_groups_compute(const struct model *model, const struct programs *programs,
				       const struct wait_spans *waits)
{
	struct wait_groups groups = { .of_wait = xcalloc(waits->nr, sizeof(*groups.of_wait)) };
	struct grouping grouping = { .model = model, .groups = &groups };

	span_walk_init(&grouping.walk, model, NULL);
	grouping.walk.on_end = note_ended;
	grouping.walk.context = &grouping;
	for (uint32_t thread = 0; thread < model->nr_threads; thread++)
		group_thread(&grouping, programs, waits, thread);
	span_walk_free(&grouping.walk);
	pair_table_free(&grouping.names);
	pair_table_free(&grouping.places);
	return groups;
}

void wait_groups_free(struct wait_groups *groups)
{
	free(groups->rows);
	free(groups->of_wait);
	*groups = (struct wait_groups){ 0 };
}

const char *wait_group_link(const struct wait_group *group)
{
	if (group->place == TRACE_NO_STRING)
		return "";
	return group->is_after ? " after " : " in ";
}

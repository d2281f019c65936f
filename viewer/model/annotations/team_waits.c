// SPDX-License-Identifier: GPL-2.0
#include "model/annotations/team_waits.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "util/hash.h"
#include "util/xalloc.h"

/* Teams of a process are numbered one after the other: those that are open at a time have slots of their own. */
static struct team_mark *mark_slot(struct team_build *teams, int32_t tgid, uint32_t mark,
				   int64_t value)
{
	size_t base = hash_slot((uint64_t)(uint32_t)tgid << 32 | mark, TEAM_MARKS_KEPT - 1);

	return &teams->marks[(base + (size_t)value) & (TEAM_MARKS_KEPT - 1)];
}

static bool is_mark_of(const struct team_mark *made, int32_t tgid, uint32_t mark, int64_t value)
{
	return made->tgid == tgid && made->mark == mark && made->value == value;
}

static int32_t process_of_thread(const struct model_builder *builder, uint32_t thread)
{
	const struct thread *row = &builder->model->threads[thread];

	return row->tgid ? row->tgid : row->tid;
}

static void end_wait(struct span_table *spans, const struct team_wait *wait, uint64_t time_ns)
{
	uint64_t end_ns = time_ns < wait->until_ns ? time_ns : wait->until_ns;

	if (end_ns < spans->start_ns[wait->row])
		end_ns = spans->start_ns[wait->row];
	spans->end_ns[wait->row] = end_ns;
}

/* The mark is missing. */
static void end_oldest_wait(struct team_wait_list *list, struct span_table *spans, uint64_t now_ns)
{
	end_wait(spans, &list->waits[0], now_ns);
	spans->flags[list->waits[0].row] |= SPAN_OPEN_END;
	memmove(list->waits, list->waits + 1, --list->nr * sizeof(*list->waits));
}

static void add_waiting(struct team_build *teams, uint32_t thread)
{
	ARRAY_MAKE_ROOM(teams->waiting, teams->nr_waiting, teams->waiting_capacity);
	teams->waiting[teams->nr_waiting++] = thread;
}

void team_wait_begin(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		     const struct trace_event *begin, const struct team_name *name)
{
	struct thread_build *build = &builder->threads[thread];
	struct span_table *spans = &builder->model->threads[thread].spans;
	struct team_wait_list *list = &build->spans.team_waits;
	struct trace_event shown = *begin;
	struct team_wait wait = { .mark = name->mark,
				  .value = begin->annot.value,
				  .until_ns = UINT64_MAX };
	int32_t tgid = process_of_thread(builder, thread);

	builder->model->threads[thread].joins_teams = true;
	shown.annot.name = name->shown;
	wait.row = span_table_add(spans, time_ns, builder->now_ns, &shown, build->spans.nr);
	spans->flags[wait.row] |= SPAN_OF_TEAM;
	if (builder->teams.marks) {
		const struct team_mark *made = mark_slot(&builder->teams, tgid, wait.mark,
							 wait.value);

		if (is_mark_of(made, tgid, wait.mark, wait.value) &&
		    made->time_ns + TEAM_CLOCK_SLACK_NS >= time_ns) {
			end_wait(spans, &wait, made->time_ns);
			return;
		}
	}
	if (!list->nr)
		add_waiting(&builder->teams, thread);
	if (list->nr == TEAM_WAITS_KEPT)
		end_oldest_wait(list, spans, time_ns);
	ARRAY_MAKE_ROOM(list->waits, list->nr, list->capacity);
	list->waits[list->nr++] = wait;
}

void team_waits_bound(struct team_wait_list *list, uint64_t time_ns)
{
	/* Those before the last one have a bound already. */
	if (list->nr && list->waits[list->nr - 1].until_ns == UINT64_MAX)
		list->waits[list->nr - 1].until_ns = time_ns;
}

/* Returns whether it has none any more. */
static bool end_waits_of_thread(struct model_builder *builder, uint32_t thread,
				const struct team_mark *made)
{
	struct team_wait_list *list = &builder->threads[thread].spans.team_waits;
	size_t kept = 0;

	for (size_t i = 0; i < list->nr; i++) {
		const struct team_wait *wait = &list->waits[i];

		if (wait->mark == made->mark && wait->value == made->value)
			end_wait(&builder->model->threads[thread].spans, wait, made->time_ns);
		else
			list->waits[kept++] = *wait;
	}
	list->nr = kept;
	return !kept;
}

void team_mark_made(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		    const struct trace_event *mark)
{
	struct team_build *teams = &builder->teams;
	int32_t tgid = process_of_thread(builder, thread);
	struct team_mark made = { .tgid = tgid,
				  .mark = mark->annot.name,
				  .value = mark->annot.value,
				  .time_ns = time_ns };

	if (!builder->threads[thread].spans.nr)
		builder->model->threads[thread].leads_teams = true;
	if (!teams->marks)
		teams->marks = xcalloc(TEAM_MARKS_KEPT, sizeof(*teams->marks));
	*mark_slot(teams, tgid, made.mark, made.value) = made;
	for (size_t i = 0; i < teams->nr_waiting;) {
		if (process_of_thread(builder, teams->waiting[i]) == tgid &&
		    end_waits_of_thread(builder, teams->waiting[i], &made))
			teams->waiting[i] = teams->waiting[--teams->nr_waiting];
		else
			i++;
	}
}

void team_waits_renumber(struct team_wait_list *list, size_t *open, size_t nr_open)
{
	size_t at_wait = 0, at_open = 0;

	for (size_t row = 0; row < list->nr + nr_open; row++) {
		if (at_open == nr_open ||
		    (at_wait < list->nr && list->waits[at_wait].row < open[at_open]))
			list->waits[at_wait++].row = row;
		else
			open[at_open++] = row;
	}
}

void team_waits_finish(struct model_builder *builder, uint64_t time_ns)
{
	for (uint32_t i = 0; i < builder->model->nr_threads; i++) {
		struct team_wait_list *list = &builder->threads[i].spans.team_waits;
		struct span_table *spans = &builder->model->threads[i].spans;

		while (list->nr)
			end_oldest_wait(list, spans, time_ns);
		free(list->waits);
		*list = (struct team_wait_list){ 0 };
	}
	free(builder->teams.marks);
	free(builder->teams.waiting);
	team_names_free(&builder->teams.names);
}

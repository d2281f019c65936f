// SPDX-License-Identifier: GPL-2.0
#include "model/annotations.h"

#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/threads/threads.h"

/* When it was made, since the model's start, and in order within its thread. */
static uint64_t annotation_ns(struct model_builder *builder, struct span_stack *spans,
			      const struct trace_event *event)
{
	struct model *model = builder->model;
	uint64_t time_ns = 0;
	bool moved = event->annot.true_ns < model->start_ns;

	if (!moved)
		time_ns = event->annot.true_ns - model->start_ns;
	if (time_ns > builder->now_ns)
		time_ns = builder->now_ns;
	if (!span_stack_order(spans, &time_ns))
		moved = true;
	model->nr_reordered += moved;
	return time_ns;
}

static void feed_span_begin(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
			    const struct trace_event *event)
{
	const struct team_name *name = team_name_get(&builder->teams.names, builder->model->trace,
						     event->annot.name);

	if (name->kind == TEAM_NAME_WAIT && event->annot.span_kind == TRACE_SPAN_WAIT)
		team_wait_begin(builder, thread, time_ns, event, name);
	else
		span_begin(&builder->threads[thread].spans, &builder->model->threads[thread],
			   time_ns, builder->now_ns, event);
}

static void set_rank(struct thread *thread, int64_t rank)
{
	if (rank < 0 || rank > UINT32_MAX)
		return;
	thread->has_rank = true;
	thread->rank = (uint32_t)rank;
}

static void feed_mark(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		      const struct trace_event *event)
{
	const struct team_name *name = team_name_get(&builder->teams.names, builder->model->trace,
						     event->annot.name);
	struct thread *row = &builder->model->threads[thread];

	if (name->kind == TEAM_NAME_MARK)
		team_mark_made(builder, thread, time_ns, event);
	else if (name->kind == TEAM_NAME_RANK)
		set_rank(row, event->annot.value);
	else if (team_name_is_object(name->kind))
		data_objects_feed(builder, time_ns, thread, event, name);
	else if (name->kind == TEAM_NAME_NOTE)
		note_table_add(&builder->model->notes, time_ns, thread, event, &row->spans,
			       span_stack_top(&builder->threads[thread].spans));
	else
		mark_table_add(&row->marks, time_ns, builder->now_ns, event);
}

void annotations_feed(struct model_builder *builder, const struct trace_event *event)
{
	int32_t tid = event->annot.owner_tid ? event->annot.owner_tid : event->tid;
	uint32_t at = thread_get(builder, tid);
	struct thread_build *build;
	struct thread *thread;
	uint64_t time_ns;

	if (at == MODEL_NO_THREAD)
		return;
	build = &builder->threads[at];
	thread = &builder->model->threads[at];
	build->annotated = true;
	time_ns = annotation_ns(builder, &build->spans, event);
	time_ns = pmu_cut_counts(builder, build, time_ns);
	build->spans.last_ns = time_ns;
	if (!thread->tgid)
		thread->tgid = event->annot.tgid;
	team_waits_bound(&build->spans.team_waits, time_ns);
	if (event->kind == TRACE_SPAN_BEGIN)
		feed_span_begin(builder, at, time_ns, event);
	else if (event->kind == TRACE_SPAN_END)
		span_end(&build->spans, thread, time_ns);
	else
		feed_mark(builder, at, time_ns, event);
}

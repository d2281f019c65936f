// SPDX-License-Identifier: GPL-2.0
#include "model/threads/session.h"

#include "model/builder_state.h"

/* Rules to find the threads that the user traced, the best first. */
enum session_rule {
	SESSION_COMMAND,
	SESSION_ANNOTATED,
	SESSION_NEW,
};

static enum session_rule session_rule(const struct model_builder *builder)
{
	enum session_rule rule = SESSION_NEW;

	for (size_t i = 0; i < builder->model->nr_threads; i++) {
		if (builder->threads[i].is_command)
			return SESSION_COMMAND;
		if (builder->threads[i].annotated)
			rule = SESSION_ANNOTATED;
	}
	return rule;
}

/* A thread annotates for its whole process: the others of it are what the user traced as well. */
static void find_annotated_processes(const struct model_builder *builder,
				     struct tid_table *processes)
{
	for (uint32_t i = 0; i < builder->model->nr_threads; i++) {
		int32_t tgid = builder->model->threads[i].tgid;

		if (builder->threads[i].annotated && tid_is_valid(tgid))
			tid_table_set(processes, tgid, i);
	}
}

static bool begins_session(const struct model_builder *builder, uint32_t thread,
			   enum session_rule rule, const struct tid_table *annotated_processes)
{
	const struct thread_build *build = &builder->threads[thread];
	const struct thread *row = &builder->model->threads[thread];
	/* A thread of unknown process may be a leader. */
	int32_t tgid = row->tgid ? row->tgid : row->tid;

	switch (rule) {
	case SESSION_COMMAND:
		return build->is_command;
	case SESSION_ANNOTATED:
		return build->annotated ||
		       (tid_is_valid(tgid) &&
			tid_table_get(annotated_processes, tgid) != MODEL_NO_THREAD);
	case SESSION_NEW:
		break;
	}
	return build->execed || build->created;
}

static const struct thread *parent_of(const struct model *model, const struct thread *thread)
{
	return thread->parent == MODEL_NO_THREAD ? NULL : &model->threads[thread->parent];
}

/* Parents precede their children, so one pass propagates a property. */
static void relate_threads(struct model_builder *builder)
{
	struct model *model = builder->model;

	for (size_t i = 0; i < model->nr_threads; i++) {
		struct thread *thread = &model->threads[i];
		const struct thread *parent = parent_of(model, thread);

		if (!thread->tgid && parent && builder->threads[i].is_thread)
			thread->tgid = parent->tgid;
	}
}

/* Returns whether any thread is in it. */
static bool take_into_session(struct model_builder *builder)
{
	enum session_rule rule = session_rule(builder);
	struct tid_table annotated_processes = { 0 };
	struct model *model = builder->model;
	bool any = false;

	find_annotated_processes(builder, &annotated_processes);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct thread *parent = parent_of(model, &model->threads[i]);

		model->threads[i].in_session = (parent && parent->in_session) ||
					       begins_session(builder, i, rule,
							      &annotated_processes);
		any |= model->threads[i].in_session;
	}
	tid_table_free(&annotated_processes);
	return any;
}

/* Without any such program in the trace, all threads are what the user traced. */
static void take_all_into_session(struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++)
		model->threads[i].in_session = true;
}

void session_find(struct model_builder *builder)
{
	relate_threads(builder);
	if (!take_into_session(builder))
		take_all_into_session(builder->model);
}

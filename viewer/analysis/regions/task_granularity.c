// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/task_granularity.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/span_walk.h"
#include "analysis/stats/distribution.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

struct value_list {
	size_t nr;
	size_t capacity;
	uint64_t *ns;
};

/* What is known of the tasks of a name, beside its row in the result. */
struct task_values {
	struct value_list self;
	struct value_list gaps;
	uint32_t thread; /* that is looked at, and its tasks */
	uint64_t of_thread;
	uint64_t from_ns;
};

/* A span that is open, of any kind. */
struct open_frame {
	size_t span;
	bool is_task;
	uint64_t inside_ns; /* tasks and waits right inside it */
	uint64_t
		last_task_end_ns; /* of the task before in it; UINT64_MAX: none, or other work came since */
};

struct granularity_build {
	const struct model *model;
	struct task_granularity *result;
	size_t tasks_capacity;
	struct task_values *values; /* beside the result's tasks */
	size_t values_capacity;
	size_t nr_names;
	uint32_t *task_of_name; /* 1 + index of a task; 0: not looked at; NOT_A_TASK */
	size_t nr_frames;
	size_t frames_capacity;
	struct open_frame *frames; /* the first stands for no span */
};

#define NOT_A_TASK UINT32_MAX

static bool is_task_name(const char *name)
{
	return !strncmp(name, "task ", strlen("task "));
}

static uint32_t add_task(struct granularity_build *build, uint32_t name)
{
	struct task_granularity *result = build->result;

	ARRAY_MAKE_ROOM(result->tasks, result->nr, build->tasks_capacity);
	ARRAY_MAKE_ROOM(build->values, result->nr, build->values_capacity);
	result->tasks[result->nr] = (struct task_granularity_task){ .name = name };
	build->values[result->nr] = (struct task_values){ .thread = MODEL_NO_THREAD };
	return (uint32_t)++result->nr;
}

/* Its index, or NOT_A_TASK. */
static uint32_t task_of(struct granularity_build *build, uint32_t name)
{
	if (name >= build->nr_names) {
		size_t nr = grown_capacity(build->nr_names, (size_t)name + 1);

		build->task_of_name = xrealloc_array(build->task_of_name, nr,
						     sizeof(*build->task_of_name));
		memset(build->task_of_name + build->nr_names, 0,
		       (nr - build->nr_names) * sizeof(*build->task_of_name));
		build->nr_names = nr;
	}
	if (!build->task_of_name[name])
		build->task_of_name[name] = is_task_name(trace_string(build->model->trace, name)) ?
						    add_task(build, name) :
						    NOT_A_TASK;
	return build->task_of_name[name] == NOT_A_TASK ? NOT_A_TASK : build->task_of_name[name] - 1;
}

static void add_value(struct value_list *list, uint64_t ns)
{
	ARRAY_MAKE_ROOM(list->ns, list->nr, list->capacity);
	list->ns[list->nr++] = ns;
}

static void book_task(struct granularity_build *build, uint32_t thread, uint32_t at,
		      uint64_t start_ns, uint64_t end_ns, uint64_t self_ns)
{
	struct task_granularity_task *task = &build->result->tasks[at];
	struct task_values *values = &build->values[at];

	task->tasks++;
	task->self_ns += self_ns;
	add_value(&values->self, self_ns);
	if (values->thread != thread) {
		values->thread = thread;
		values->of_thread = 0;
		values->from_ns = start_ns;
		task->threads++;
	}
	if (++values->of_thread <= task->most_tasks)
		return;
	task->most_tasks = values->of_thread;
	task->most_thread = thread;
	task->from_ns = values->from_ns;
	task->to_ns = end_ns;
}

static void pop_frame(struct granularity_build *build, uint32_t thread)
{
	const struct span_table *spans = &build->model->threads[thread].spans;
	struct open_frame *frame = &build->frames[--build->nr_frames], *outer = frame - 1;
	uint64_t start_ns = spans->start_ns[frame->span], end_ns = spans->end_ns[frame->span];
	uint64_t length_ns = end_ns - start_ns;

	if (spans->kind[frame->span] == TRACE_SPAN_WAIT) {
		outer->inside_ns += length_ns;
		return;
	}
	if (!frame->is_task) {
		outer->last_task_end_ns = UINT64_MAX;
		outer->inside_ns += frame->inside_ns;
		return;
	}
	book_task(build, thread, task_of(build, spans->name[frame->span]), start_ns, end_ns,
		  length_ns > frame->inside_ns ? length_ns - frame->inside_ns : 0);
	outer->inside_ns += length_ns;
	outer->last_task_end_ns = end_ns;
}

static void push_frame(struct granularity_build *build, uint32_t thread, size_t span)
{
	const struct span_table *spans = &build->model->threads[thread].spans;
	uint32_t task = NOT_A_TASK;
	struct open_frame *outer;

	if (spans->kind[span] == TRACE_SPAN_WORK)
		task = task_of(build, spans->name[span]);
	outer = &build->frames[build->nr_frames - 1];
	if (task != NOT_A_TASK && outer->last_task_end_ns != UINT64_MAX)
		add_value(&build->values[task].gaps,
			  spans->start_ns[span] - outer->last_task_end_ns);
	ARRAY_MAKE_ROOM(build->frames, build->nr_frames, build->frames_capacity);
	build->frames[build->nr_frames++] = (struct open_frame){
		.span = span,
		.is_task = task != NOT_A_TASK,
		.last_task_end_ns = UINT64_MAX,
	};
}

static void walk_thread(struct granularity_build *build, uint32_t thread)
{
	const struct span_table *spans = &build->model->threads[thread].spans;

	build->nr_frames = 0;
	ARRAY_MAKE_ROOM(build->frames, build->nr_frames, build->frames_capacity);
	build->frames[build->nr_frames++] = (struct open_frame){ .last_task_end_ns = UINT64_MAX };
	for (size_t span = 0; span < spans->nr; span++) {
		while (build->nr_frames > 1 &&
		       !span_walk_is_inside(spans, span, build->frames[build->nr_frames - 1].span))
			pop_frame(build, thread);
		push_frame(build, thread, span);
	}
	while (build->nr_frames > 1)
		pop_frame(build, thread);
}

static void finish_tasks(struct granularity_build *build)
{
	for (size_t i = 0; i < build->result->nr; i++) {
		struct task_granularity_task *task = &build->result->tasks[i];
		struct task_values *values = &build->values[i];

		task->median_ns = distribution_of(values->self.ns, values->self.nr, 0).median;
		task->gaps = values->gaps.nr;
		task->gap_ns = distribution_of(values->gaps.ns, values->gaps.nr, 0).median;
		free(values->self.ns);
		free(values->gaps.ns);
	}
}

static int compare_tasks(const void *a, const void *b)
{
	const struct task_granularity_task *first = a, *second = b;

	if (first->tasks != second->tasks)
		return first->tasks > second->tasks ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

struct task_granularity task_granularity_compute(const struct model *model)
{
	struct task_granularity result = { 0 };
	struct granularity_build build = { .model = model, .result = &result };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			walk_thread(&build, i);
	}
	finish_tasks(&build);
	free(build.values);
	free(build.task_of_name);
	free(build.frames);
	if (result.nr)
		qsort(result.tasks, result.nr, sizeof(*result.tasks), compare_tasks);
	return result;
}

void task_granularity_free(struct task_granularity *granularity)
{
	free(granularity->tasks);
}

double task_granularity_gap_share(const struct task_granularity_task *task)
{
	double gap = (double)task->gap_ns, both = gap + (double)task->median_ns;

	return task->gaps && both > 0 ? gap / both : 0;
}

static void add_finding(const struct model *model, const struct task_granularity_task *task,
			struct findings *findings)
{
	uint64_t lost_ns = task->most_tasks * task->gap_ns;
	struct finding *finding;

	if (!findings_note_loss(findings, FINDING_TASK_GRANULARITY, lost_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_TASK_GRANULARITY, lost_ns, task->from_ns,
				       task->to_ns);
	finding->confidence = CONFIDENCE_MEDIUM;
	finding->cure = (struct run_change){ .kind = CHANGE_MERGE, .name = task->name };
	finding_add_thread(finding, task->most_thread);
	finding_set_text(
		finding,
		"%s is too small to be a task: half of its %" PRIu64
		" instances take no more than %s, and a thread takes %s to get to the next "
		"one (median): %.0f %% of both; fewer and longer tasks would save up to about %s",
		trace_string(model->trace, task->name), task->tasks,
		figure_ns(task->median_ns, " ").text, figure_ns(task->gap_ns, " ").text,
		100 * task_granularity_gap_share(task), figure_ns(lost_ns, " ").text);
}

void task_granularity_add_findings(const struct model *model,
				   const struct task_granularity *granularity,
				   struct findings *findings)
{
	for (size_t i = 0; i < granularity->nr; i++) {
		const struct task_granularity_task *task = &granularity->tasks[i];

		if (task->tasks >= TASK_GRANULARITY_LEAST_TASKS &&
		    task->gaps >= TASK_GRANULARITY_LEAST_TASKS &&
		    task_granularity_gap_share(task) >= TASK_GRANULARITY_LEAST_SHARE)
			add_finding(model, task, findings);
	}
}

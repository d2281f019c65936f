// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/task_stats.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/task_events.h"
#include "analysis/tasks/span_walk.h"
#include "model/account.h"
#include "util/xalloc.h"

struct values {
	size_t nr;
	size_t capacity;
	uint64_t *ns;
};

/* A value for each instance of a task, for its distributions. Most are never preempted, never wait, and
 * so on: zeros are only counted. */
struct samples {
	size_t nr;
	struct values of[NR_TASK_METRICS]; /* without zeros */
};

/* A span whose end has not been reached yet, while a thread's spans are gone through. */
struct frame {
	size_t span;
	uint32_t task;
	/* Of the wait spans inside it, wait spans inside those left out. */
	uint64_t wait_ns;
	uint64_t wait_on_cpu_ns;
	uint64_t wait_off_cpu_ns;
};

struct sweep {
	const struct model *model;
	struct task_stats *stats;
	struct samples *samples; /* beside analysis->tasks */
	size_t tasks_capacity;
	uint32_t *open; /* beside analysis->tasks: how deep a thread is in each */
	struct frame *frames;
	size_t nr_frames;
	size_t frames_capacity;
};

static uint32_t add_task(struct sweep *sweep, uint32_t name, enum trace_span_kind kind)
{
	struct task_stats *stats = sweep->stats;
	size_t at = stats->nr_tasks;

	if (at == sweep->tasks_capacity) {
		size_t capacity = grown_capacity(at, at + 1);

		stats->tasks = xrealloc_array(stats->tasks, capacity, sizeof(*stats->tasks));
		sweep->samples = xrealloc_array(sweep->samples, capacity, sizeof(*sweep->samples));
		sweep->open = xrealloc_array(sweep->open, capacity, sizeof(*sweep->open));
		sweep->tasks_capacity = capacity;
	}
	stats->tasks[at] = (struct task){ .name = name, .kind = kind };
	sweep->samples[at] = (struct samples){ 0 };
	sweep->open[at] = 0;
	stats->nr_tasks++;
	return (uint32_t)at;
}

static uint32_t get_task(struct sweep *sweep, uint32_t name, enum trace_span_kind kind)
{
	struct task_stats *stats = sweep->stats;
	size_t at = task_stats_place(name, kind);

	if (at >= stats->nr_task_names) {
		size_t nr = grown_capacity(stats->nr_task_names, at + 1);

		stats->task_of_name = xrealloc_array(stats->task_of_name, nr,
						     sizeof(*stats->task_of_name));
		memset(stats->task_of_name + stats->nr_task_names, 0,
		       (nr - stats->nr_task_names) * sizeof(*stats->task_of_name));
		stats->nr_task_names = nr;
	}
	if (!stats->task_of_name[at])
		stats->task_of_name[at] = add_task(sweep, name, kind) + 1;
	return stats->task_of_name[at] - 1;
}

static struct thread_figures *get_thread_figures(struct task *task, uint32_t thread)
{
	size_t nr = task->nr_threads;

	/* Threads are swept one after the other. */
	if (nr && task->threads[nr - 1].thread == thread)
		return &task->threads[nr - 1];
	if (!(nr & (nr - 1))) /* 0 or a power of two: full */
		task->threads = xrealloc_array(task->threads, nr ? 2 * nr : 1,
					       sizeof(*task->threads));
	task->threads[nr] = (struct thread_figures){ .thread = thread };
	task->nr_threads++;
	return &task->threads[nr];
}

static void add_sample(struct samples *samples, const uint64_t ns[NR_TASK_METRICS])
{
	samples->nr++;
	for (int i = 0; i < NR_TASK_METRICS; i++) {
		struct values *values = &samples->of[i];

		if (!ns[i])
			continue;
		ARRAY_MAKE_ROOM(values->ns, values->nr, values->capacity);
		values->ns[values->nr++] = ns[i];
	}
}

/* The division of wall time, and what happened, from the model's account of a range. */
static void divide_account(const struct thread_account *account, uint64_t ns[NR_TASK_METRICS],
			   struct counts *counts)
{
	ns[METRIC_ON_CPU] = account->state_ns[STATE_RUNNING];
	ns[METRIC_STOLEN] = account->stolen_ns;
	ns[METRIC_PREEMPTED] = account->state_ns[STATE_PREEMPTED];
	ns[METRIC_WAKEUP] = account->state_ns[STATE_RUNNABLE];
	ns[METRIC_BLOCKED] = account->state_ns[STATE_SLEEPING] +
			     account->state_ns[STATE_UNINTERRUPTIBLE] +
			     account->state_ns[STATE_STOPPED];
	/* A span outlives its thread only where the trace contradicts itself. */
	ns[METRIC_UNKNOWN] = account->state_ns[STATE_UNKNOWN] + account->state_ns[STATE_DEAD];
	counts->switches = account->nr_switches;
	counts->preemptions = account->nr_preemptions;
	counts->migrations = account->nr_migrations;
}

static void add_counts(struct counts *sum, const struct counts *counts)
{
	sum->switches += counts->switches;
	sum->preemptions += counts->preemptions;
	sum->migrations += counts->migrations;
}

static uint64_t off_cpu_ns(const uint64_t ns[NR_TASK_METRICS])
{
	return ns[METRIC_PREEMPTED] + ns[METRIC_WAKEUP] + ns[METRIC_BLOCKED];
}

/* What the span's time was for, from what became of it. */
static void divide_by_use(const struct frame *frame, bool is_wait, uint64_t ns[NR_TASK_METRICS])
{
	ns[METRIC_WAITING] = is_wait ? ns[METRIC_WALL] : frame->wait_ns;
	ns[METRIC_SPINNING] = is_wait ? ns[METRIC_ON_CPU] - ns[METRIC_STOLEN] :
					frame->wait_on_cpu_ns;
	ns[METRIC_USEFUL] = ns[METRIC_ON_CPU] - ns[METRIC_STOLEN] - ns[METRIC_SPINNING];
	ns[METRIC_WAITING_OFF_CPU] = is_wait ? off_cpu_ns(ns) : frame->wait_off_cpu_ns;
	ns[METRIC_WORK_OFF_CPU] = off_cpu_ns(ns) - ns[METRIC_WAITING_OFF_CPU];
	ns[METRIC_OUTSIDE] = 0;
}

/* Books an instance in its task, for its thread. */
static void book_instance(struct sweep *sweep, uint32_t thread, const struct frame *frame,
			  const uint64_t ns[NR_TASK_METRICS], const struct counts *counts)
{
	const struct span_table *spans = &sweep->model->threads[thread].spans;
	struct task *task = &sweep->stats->tasks[frame->task];
	struct thread_figures *figures = get_thread_figures(task, thread);

	task->instances++;
	task->open_ends += !!(spans->flags[frame->span] & SPAN_OPEN_END);
	add_counts(&task->counts, counts);
	add_counts(&figures->counts, counts);
	figures->instances++;
	for (int i = 0; i < NR_TASK_METRICS; i++) {
		if (i != METRIC_USEFUL || sweep->open[frame->task] == 1)
			figures->ns[i] += ns[i];
	}
	if (sweep->open[frame->task] == 1)
		figures->once_on_cpu_ns += ns[METRIC_ON_CPU];
	add_sample(&sweep->samples[frame->task], ns);
}

/* The innermost open span has ended. */
static void pop_frame(struct sweep *sweep, uint32_t thread)
{
	struct frame *frame = &sweep->frames[--sweep->nr_frames];
	const struct span_table *spans = &sweep->model->threads[thread].spans;
	struct thread_figures *total = &sweep->stats->threads[thread];
	bool is_wait = spans->kind[frame->span] == TRACE_SPAN_WAIT;
	uint64_t start_ns = spans->start_ns[frame->span], end_ns = spans->end_ns[frame->span];
	uint64_t ns[NR_TASK_METRICS];
	struct thread_account account;
	struct counts counts;

	model_account(sweep->model, thread, start_ns, end_ns, &account);
	divide_account(&account, ns, &counts);
	ns[METRIC_WALL] = end_ns - start_ns;
	divide_by_use(frame, is_wait, ns);
	book_instance(sweep, thread, frame, ns, &counts);
	sweep->open[frame->task]--;
	if (sweep->nr_frames) {
		struct frame *parent = &sweep->frames[sweep->nr_frames - 1];

		parent->wait_ns += ns[METRIC_WAITING];
		parent->wait_on_cpu_ns += ns[METRIC_SPINNING];
		parent->wait_off_cpu_ns += ns[METRIC_WAITING_OFF_CPU];
		return;
	}
	/* The rest is known of its whole life. */
	for (int i = METRIC_WAITING; i < METRIC_OUTSIDE; i++)
		total->ns[i] += ns[i];
}

static void push_frame(struct sweep *sweep, uint32_t thread, size_t span)
{
	const struct span_table *spans = &sweep->model->threads[thread].spans;
	uint32_t task = get_task(sweep, spans->name[span], spans->kind[span]);

	ARRAY_MAKE_ROOM(sweep->frames, sweep->nr_frames, sweep->frames_capacity);
	sweep->frames[sweep->nr_frames++] = (struct frame){ .span = span, .task = task };
	sweep->open[task]++;
}

static void sweep_thread(struct sweep *sweep, uint32_t thread)
{
	const struct span_table *spans = &sweep->model->threads[thread].spans;

	for (size_t span = 0; span < spans->nr; span++) {
		while (sweep->nr_frames &&
		       !span_walk_is_inside(spans, span, sweep->frames[sweep->nr_frames - 1].span))
			pop_frame(sweep, thread);
		push_frame(sweep, thread, span);
	}
	while (sweep->nr_frames)
		pop_frame(sweep, thread);
}

/* All of a thread's life within the trace, but for what sweep_thread() adds. */
static void account_life(struct sweep *sweep, uint32_t thread)
{
	const struct model *model = sweep->model;
	const struct state_table *states = &model->threads[thread].states;
	struct thread_figures *total = &sweep->stats->threads[thread];
	struct thread_account account;

	total->thread = thread;
	model_account(model, thread, states->start_ns[0], model->duration_ns, &account);
	total->ns[METRIC_WALL] = model->duration_ns - states->start_ns[0] -
				 account.state_ns[STATE_DEAD];
	account.state_ns[STATE_DEAD] = 0;
	divide_account(&account, total->ns, &total->counts);
	total->instances = model->threads[thread].spans.nr;
}

/* What is left of its life once all its spans were booked. */
static void account_outside(struct thread_figures *total)
{
	uint64_t *ns = total->ns;

	ns[METRIC_OUTSIDE] = ns[METRIC_ON_CPU] - ns[METRIC_STOLEN] + off_cpu_ns(ns) -
			     ns[METRIC_USEFUL] - ns[METRIC_SPINNING] - ns[METRIC_WAITING_OFF_CPU] -
			     ns[METRIC_WORK_OFF_CPU];
}

static void compute_balance(struct task *task)
{
	double sum = 0, max = 0, average, nr = (double)task->nr_threads;

	for (size_t i = 0; i < task->nr_threads; i++) {
		double useful = (double)task->threads[i].ns[METRIC_USEFUL];

		sum += useful;
		max = useful > max ? useful : max;
	}
	if (task->kind == TRACE_SPAN_WAIT || max == 0)
		return;
	average = sum / nr;
	task->has_balance = true;
	task->load_balance = average / max;
	task->imbalance_time_ns = (uint64_t)(max - average + 0.5);
	if (task->nr_threads < 2)
		return;
	task->has_imbalance_pct = true;
	task->imbalance_pct = (max - average) / max * nr / (nr - 1) * 100;
}

static void finish_task(struct sweep *sweep, size_t at)
{
	struct task *task = &sweep->stats->tasks[at];
	struct samples *samples = &sweep->samples[at];

	for (int i = 0; i < NR_TASK_METRICS; i++) {
		struct values *values = &samples->of[i];

		task->ns[i] = distribution_of(values->ns, values->nr, samples->nr - values->nr);
		free(values->ns);
	}
	compute_balance(task);
}

const struct thread_figures *task_longest_thread(const struct task *task)
{
	const struct thread_figures *longest = &task->threads[0];

	for (size_t i = 1; i < task->nr_threads; i++) {
		if (task->threads[i].once_on_cpu_ns > longest->once_on_cpu_ns)
			longest = &task->threads[i];
	}
	return longest;
}

struct task_stats *task_stats_compute(const struct model *model)
{
	struct sweep sweep = { .model = model };

	sweep.stats = xcalloc(1, sizeof(*sweep.stats));
	sweep.stats->threads = xcalloc(model->nr_threads, sizeof(*sweep.stats->threads));
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		account_life(&sweep, thread);
		sweep_thread(&sweep, thread);
		account_outside(&sweep.stats->threads[thread]);
	}
	for (size_t i = 0; i < sweep.stats->nr_tasks; i++)
		finish_task(&sweep, i);
	free(sweep.samples);
	free(sweep.open);
	free(sweep.frames);
	task_events_compute(model, sweep.stats);
	return sweep.stats;
}

void task_stats_free(struct task_stats *stats)
{
	if (!stats)
		return;
	for (size_t i = 0; i < stats->nr_tasks; i++)
		free(stats->tasks[i].threads);
	free(stats->tasks);
	free(stats->threads);
	free(stats->all_events);
	free(stats->all_turns);
	free(stats->task_of_name);
	free(stats);
}

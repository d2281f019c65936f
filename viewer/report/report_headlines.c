// SPDX-License-Identifier: GPL-2.0
/*
 * What a person would say first about a trace. There is one candidate of each sort; those with the
 * most time at stake are told, if it is enough to be worth a sentence: what the program lost before
 * what the scheduler took.
 */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "util/units.h"

#define MAX_HEADLINES 3
#define MIN_SHARE 0.01 /* of the time there was, for anything to be told */
#define MIN_IMBALANCE_PCT 5.0
#define MIN_MIGRATIONS 2 /* of one thread; they cost no time that could be told */
#define NAME_COLUMNS 40

struct candidate;

typedef void (*tell_fn)(const struct report *report, const struct candidate *candidate, FILE *out);

struct candidate {
	uint64_t stake_ns; /* of all threads together; 0: nothing to tell */
	tell_fn tell;
	const struct task *task;
	const struct thread_figures *thread;
};

/* A comm alone, unless other threads that are shown have it, too. */
static void print_thread(const struct report *report, uint32_t thread, FILE *out)
{
	const struct model *model = report->model;
	uint32_t comm = model->threads[thread].comm;

	print_name(out, report_comm(report, thread), NAME_COLUMNS, 0);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (i != thread && model->threads[i].comm == comm && report_shows(report, i)) {
			fprintf(out, " (%" PRId32 ")", model->threads[thread].tid);
			return;
		}
	}
}

static void print_task(const struct report *report, const struct task *task, FILE *out)
{
	print_name(out, trace_string(report->model->trace, task->name), NAME_COLUMNS, 0);
}

static const struct thread_figures *most(const struct task *task, enum task_metric metric)
{
	const struct thread_figures *found = &task->threads[0];

	for (size_t i = 1; i < task->nr_threads; i++) {
		if (task->threads[i].ns[metric] > found->ns[metric])
			found = &task->threads[i];
	}
	return found;
}

static void tell_imbalance(const struct report *report, const struct candidate *candidate,
			   FILE *out)
{
	const struct task *task = candidate->task;
	uint64_t max_ns = most(task, METRIC_USEFUL)->ns[METRIC_USEFUL];

	print_task(report, task, out);
	fprintf(out,
		": %zu threads, load balance %.2f, imbalance %.0f %%: perfect balance would save "
		"%s of %s\n",
		task->nr_threads, task->load_balance, task->imbalance_pct,
		figure_ns(task->imbalance_time_ns, " ").text, figure_ns(max_ns, " ").text);
}

static struct candidate find_imbalance(const struct report *report)
{
	const struct analysis *analysis = report->analysis;
	struct candidate found = { .tell = tell_imbalance };

	for (size_t i = 0; i < analysis->nr_tasks; i++) {
		const struct task *task = &analysis->tasks[i];
		uint64_t idle_ns = task->imbalance_time_ns * task->nr_threads;

		if (!task->has_imbalance_pct || task->imbalance_pct < MIN_IMBALANCE_PCT ||
		    idle_ns <= found.stake_ns)
			continue;
		found.task = task;
		found.stake_ns = idle_ns;
	}
	return found;
}

static void tell_waiting(const struct report *report, const struct candidate *candidate, FILE *out)
{
	const struct task *task = candidate->task;
	const struct thread_figures *longest = most(task, METRIC_WALL);

	print_task(report, task, out);
	if (task->nr_threads == 1) {
		fprintf(out, ": ");
		print_thread(report, longest->thread, out);
		fprintf(out, " waited %s\n", figure_ns(task->ns[METRIC_WALL].sum, " ").text);
		return;
	}
	fprintf(out, ": threads waited %s in all, ",
		figure_ns(task->ns[METRIC_WALL].sum, " ").text);
	print_thread(report, longest->thread, out);
	fprintf(out, " most (%s)\n", figure_ns(longest->ns[METRIC_WALL], " ").text);
}

static struct candidate find_waiting(const struct report *report)
{
	const struct analysis *analysis = report->analysis;
	struct candidate found = { .tell = tell_waiting };

	for (size_t i = 0; i < analysis->nr_tasks; i++) {
		const struct task *task = &analysis->tasks[i];

		if (task->kind != TRACE_SPAN_WAIT || task->ns[METRIC_WALL].sum <= found.stake_ns)
			continue;
		found.task = task;
		found.stake_ns = task->ns[METRIC_WALL].sum;
	}
	return found;
}

/* Of the threads shown. */
static uint64_t sum_of_threads(const struct report *report, enum task_metric metric)
{
	uint64_t sum_ns = 0;

	for (uint32_t i = 0; i < report->model->nr_threads; i++) {
		if (report_shows(report, i))
			sum_ns += report->analysis->threads[i].ns[metric];
	}
	return sum_ns;
}

static struct candidate find_thread(const struct report *report, enum task_metric metric,
				    tell_fn tell)
{
	struct candidate found = { .tell = tell };

	for (uint32_t i = 0; i < report->model->nr_threads; i++) {
		const struct thread_figures *thread = &report->analysis->threads[i];

		if (!report_shows(report, i) || !thread->ns[metric])
			continue;
		if (!found.thread || thread->ns[metric] > found.thread->ns[metric])
			found.thread = thread;
	}
	if (found.thread)
		found.stake_ns = sum_of_threads(report, metric);
	return found;
}

static void tell_sum(const struct candidate *candidate, enum task_metric metric, FILE *out)
{
	if (candidate->stake_ns > candidate->thread->ns[metric])
		fprintf(out, " (all threads together: %s)",
			figure_ns(candidate->stake_ns, " ").text);
	fputc('\n', out);
}

static void tell_preempted(const struct report *report, const struct candidate *candidate,
			   FILE *out)
{
	const struct thread_figures *thread = candidate->thread;
	uint64_t times = thread->counts.preemptions;

	print_thread(report, thread->thread, out);
	fprintf(out, " was preempted %" PRIu64 " %s for %s", times, times == 1 ? "time" : "times",
		figure_ns(thread->ns[METRIC_PREEMPTED], " ").text);
	tell_sum(candidate, METRIC_PREEMPTED, out);
}

static void tell_wakeup(const struct report *report, const struct candidate *candidate, FILE *out)
{
	const struct thread_figures *thread = candidate->thread;

	print_thread(report, thread->thread, out);
	fprintf(out, ", once woken, waited for a CPU for %s in all",
		figure_ns(thread->ns[METRIC_WAKEUP], " ").text);
	tell_sum(candidate, METRIC_WAKEUP, out);
}

/* Returns how many lines it printed. */
static int tell_migrations(const struct report *report, FILE *out)
{
	const struct thread_figures *most_moved = NULL;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < report->model->nr_threads; i++) {
		const struct thread_figures *thread = &report->analysis->threads[i];

		if (!report_shows(report, i))
			continue;
		sum += thread->counts.migrations;
		if (!most_moved || thread->counts.migrations > most_moved->counts.migrations)
			most_moved = thread;
	}
	if (!most_moved || most_moved->counts.migrations < MIN_MIGRATIONS)
		return 0;
	print_thread(report, most_moved->thread, out);
	fprintf(out, " was moved from CPU to CPU %" PRIu64 " times", most_moved->counts.migrations);
	if (sum > most_moved->counts.migrations)
		fprintf(out, " (all threads together: %" PRIu64 ")", sum);
	fputc('\n', out);
	return 1;
}

static void tell_nothing(const struct report *report, FILE *out)
{
	if (!report->analysis->nr_tasks)
		fputs("No annotations in this trace: nothing is known of the program's tasks.\n",
		      out);
	else
		fputs("Nothing stands out: hardly any imbalance, waiting or preemption.\n", out);
}

void report_headlines(const struct report *report, FILE *out)
{
	const struct candidate candidates[] = {
		find_imbalance(report),
		find_waiting(report),
		find_thread(report, METRIC_PREEMPTED, tell_preempted),
		find_thread(report, METRIC_WAKEUP, tell_wakeup),
	};
	size_t nr = sizeof(candidates) / sizeof(candidates[0]);
	/* What there is to lose is the time that threads lived. */
	double least = MIN_SHARE * (double)sum_of_threads(report, METRIC_WALL);
	int told = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t greater = 0;

		for (size_t j = 0; j < nr; j++)
			greater += candidates[j].stake_ns > candidates[i].stake_ns;
		if (!candidates[i].stake_ns || (double)candidates[i].stake_ns < least ||
		    greater >= MAX_HEADLINES)
			continue;
		candidates[i].tell(report, &candidates[i], out);
		told++;
	}
	if (told < MAX_HEADLINES)
		told += tell_migrations(report, out);
	if (!told)
		tell_nothing(report, out);
}

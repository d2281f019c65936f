// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/regions.h"

#include <stdlib.h>

#include "analysis/regions/region_search.h"
#include "model/account.h"
#include "util/xalloc.h"

/* Who is at work for less than 1 in 20 of what another is has nothing to do. */
#define MOST_SERIAL_SHARE 20

struct making {
	const struct model *model;
	const struct task_stats *stats;
	struct regions *regions;
	const struct top_spans *tops;
	size_t rows_capacity;
	size_t threads_capacity;
	uint64_t *task_ns; /* by task: all 0, but while a region is named */
	size_t *group_of; /* by task: 1 + its parallel group, 1 + its serial group */
};

static void add_states(uint64_t *ns, const uint64_t state_ns[NR_THREAD_STATES],
		       enum region_time running, enum region_time asleep, enum region_time unknown)
{
	ns[running] += state_ns[STATE_RUNNING];
	ns[REGION_PREEMPTED] += state_ns[STATE_PREEMPTED];
	ns[REGION_WAKEUP] += state_ns[STATE_RUNNABLE];
	ns[asleep] += state_ns[STATE_SLEEPING] + state_ns[STATE_UNINTERRUPTIBLE] +
		      state_ns[STATE_STOPPED];
	/* A span outlives its thread only where the trace contradicts itself. */
	ns[unknown] += state_ns[STATE_UNKNOWN] + state_ns[STATE_DEAD];
}

/* Before its begin, where what the scheduler did not take is @otherwise. */
static void account_begin(const struct making *making, uint32_t thread, uint64_t from_ns,
			  uint64_t to_ns, enum region_time otherwise, uint64_t *ns)
{
	struct thread_account account;

	if (from_ns >= to_ns)
		return;
	model_account(making->model, thread, from_ns, to_ns, &account);
	add_states(ns, account.state_ns, otherwise, otherwise, otherwise);
}

/* Of [from_ns, to_ns). */
static uint64_t spinning_ns(const struct making *making, uint32_t thread, uint64_t from_ns,
			    uint64_t to_ns)
{
	struct wait_account account;

	wait_spans_account(&making->regions->barriers.waits, making->model, thread, from_ns, to_ns,
			   &account);
	return account.inside_ns[STATE_RUNNING] - account.inside_stolen_ns;
}

static struct region_thread account_part(const struct making *making,
					 const struct region_part *part,
					 const struct region *region)
{
	struct region_thread thread = {
		.thread = part->thread,
		.from_ns = part->from_ns,
		.to_ns = part->to_ns,
	};
	struct wait_account account;

	account_begin(making, part->thread, region->from_ns, part->released_ns, REGION_LATE,
		      thread.ns);
	account_begin(making, part->thread, part->released_ns, part->from_ns, REGION_WAKEUP,
		      thread.ns);
	wait_spans_account(&making->regions->barriers.waits, making->model, part->thread,
			   part->from_ns, part->to_ns, &account);
	add_states(thread.ns, account.outside_ns, REGION_USEFUL, REGION_BLOCKED, REGION_UNKNOWN);
	thread.ns[REGION_USEFUL] -= account.outside_stolen_ns;
	thread.ns[REGION_STOLEN] = account.outside_stolen_ns;
	add_states(thread.ns, account.inside_ns, REGION_WAITING, REGION_WAITING, REGION_UNKNOWN);
	thread.ns[REGION_WAITING] += region->to_ns - part->to_ns;
	thread.spinning_ns = account.inside_ns[STATE_RUNNING] - account.inside_stolen_ns +
			     spinning_ns(making, part->thread, part->to_ns, region->to_ns);
	thread.nr_migrations = account.nr_migrations;
	return thread;
}

/* Tells task_ns of the tasks in @part; returns the one with most time of them and of @most. */
static uint32_t add_tasks(const struct making *making, const struct region_thread *part,
			  uint32_t most)
{
	const struct top_spans *tops = making->tops;
	size_t end = tops->first[part->thread + 1];

	for (size_t at = top_spans_after(tops, part->thread, part->from_ns);
	     at < end && tops->start_ns[at] < part->to_ns; at++) {
		uint64_t from_ns = tops->start_ns[at], to_ns = tops->end_ns[at];
		uint32_t task = task_stats_find(making->stats, tops->name[at], TRACE_SPAN_WORK);

		from_ns = from_ns > part->from_ns ? from_ns : part->from_ns;
		to_ns = to_ns < part->to_ns ? to_ns : part->to_ns;
		making->task_ns[task] += to_ns - from_ns;
		if (most == NO_TASK || making->task_ns[task] > making->task_ns[most])
			most = task;
	}
	return most;
}

static void forget_tasks(const struct making *making, const struct region_thread *part)
{
	const struct top_spans *tops = making->tops;
	size_t end = tops->first[part->thread + 1];

	for (size_t at = top_spans_after(tops, part->thread, part->from_ns);
	     at < end && tops->start_ns[at] < part->to_ns; at++)
		making->task_ns[task_stats_find(making->stats, tops->name[at], TRACE_SPAN_WORK)] =
			0;
}

/* The task that its threads spend most time in; if they are in none, its barrier. */
static uint32_t main_task(const struct making *making, const struct region *region)
{
	const struct barriers *barriers = &making->regions->barriers;
	const struct region_thread *parts = &making->regions->threads[region->first_thread];
	uint32_t most = NO_TASK;
	size_t wait;

	for (size_t i = 0; i < region->nr_threads; i++)
		most = add_tasks(making, &parts[i], most);
	for (size_t i = 0; i < region->nr_threads; i++)
		forget_tasks(making, &parts[i]);
	if (most != NO_TASK)
		return most;
	wait = barriers->members[barriers->rows[region->barrier].first];
	return task_stats_find(making->stats, barriers->waits.name[wait], TRACE_SPAN_WAIT);
}

/* For how long it was at work, or wanted to be. */
static uint64_t busy_ns(const struct region *region, const struct region_thread *thread)
{
	uint64_t waited_ns = thread->ns[REGION_WAITING] - (region->to_ns - thread->to_ns);

	return thread->to_ns - thread->from_ns - waited_ns;
}

static enum region_kind kind_of(const struct region *region, const struct region_thread *threads)
{
	uint64_t most_ns = 0, second_ns = 0;

	for (size_t i = 0; i < region->nr_threads; i++) {
		uint64_t ns = busy_ns(region, &threads[i]);

		if (ns > most_ns) {
			second_ns = most_ns;
			most_ns = ns;
		} else if (ns > second_ns) {
			second_ns = ns;
		}
	}
	return second_ns < most_ns / MOST_SERIAL_SHARE ? REGION_SERIAL : REGION_PARALLEL;
}

/* The most that a thread takes before its end, but for its useful time. */
static uint64_t most_overhead_ns(const struct region *region, const struct region_thread *threads)
{
	uint64_t most_ns = 0;

	for (size_t i = 0; i < region->nr_threads; i++) {
		uint64_t ns = threads[i].to_ns - region->from_ns - threads[i].ns[REGION_USEFUL];

		if (ns > most_ns)
			most_ns = ns;
	}
	return most_ns;
}

static uint64_t saved_ns(const struct making *making, const struct region *region,
			 enum region_kind kind, const struct region_thread *threads)
{
	double elapsed_ns = (double)(region->to_ns - region->from_ns);
	double sum_ns = (double)region->sum_useful_ns, needed_ns;
	size_t nr_cpus = (size_t)making->regions->nr_cpus;

	if (nr_cpus > region->nr_threads)
		nr_cpus = region->nr_threads;
	needed_ns = sum_ns / (double)nr_cpus;
	if (kind == REGION_SERIAL) {
		elapsed_ns = (double)region->max_useful_ns;
	} else {
		double balanced_ns = (double)most_overhead_ns(region, threads) +
				     sum_ns / (double)region->nr_threads;

		needed_ns = balanced_ns > needed_ns ? balanced_ns : needed_ns;
	}
	return elapsed_ns > needed_ns ? (uint64_t)(elapsed_ns - needed_ns + 0.5) : 0;
}

static size_t get_group(struct making *making, uint32_t task, enum region_kind kind)
{
	struct regions *regions = making->regions;
	size_t *place = &making->group_of[2 * (size_t)task + kind];

	if (!*place) {
		regions->groups = xrealloc_array(regions->groups, regions->nr_groups + 1,
						 sizeof(*regions->groups));
		regions->groups[regions->nr_groups] = (struct region_group){
			.name = making->stats->tasks[task].name,
			.is_barrier = making->stats->tasks[task].kind == TRACE_SPAN_WAIT,
			.kind = kind,
		};
		*place = ++regions->nr_groups;
	}
	return *place - 1;
}

/* Those behind it are in their groups already. */
static void add_to_group(struct regions *regions, size_t at)
{
	struct region *region = &regions->rows[at];
	struct region_group *group = &regions->groups[region->group];
	double nr = (double)region->nr_threads;

	region->next_of_group = group->nr ? group->first : NO_REGION;
	group->first = at;
	if (!group->nr || region->saved_ns >= regions->rows[group->worst].saved_ns)
		group->worst = at;
	group->nr++;
	if (region->nr_threads > group->most_threads)
		group->most_threads = region->nr_threads;
	group->elapsed_ns += region->to_ns - region->from_ns;
	group->useful_ns += region->sum_useful_ns;
	group->capacity_ns += (double)(region->to_ns - region->from_ns) * nr;
	group->max_ns += (double)region->max_useful_ns;
	group->average_ns += region_average_ns(region);
	group->imbalance_ns += region_imbalance_ns(region) * nr / (nr - 1);
	group->saved_ns += region->saved_ns;
}

static void add_to_totals(struct regions *regions, const struct region *region)
{
	struct region_totals *totals = &regions->totals;
	uint64_t elapsed_ns = region->to_ns - region->from_ns;
	double nr = (double)region->nr_threads, idle_ns, least_ns;

	idle_ns = (double)elapsed_ns * nr - (double)region->sum_useful_ns;
	least_ns = ((double)elapsed_ns - (double)region->max_useful_ns) * nr;
	totals->capacity_ns += (double)elapsed_ns * nr;
	totals->saved_ns += region->saved_ns;
	if (regions->groups[region->group].kind == REGION_SERIAL) {
		totals->serial_ns += elapsed_ns;
		totals->serial_idle_ns += idle_ns;
		return;
	}
	totals->parallel_ns += elapsed_ns;
	totals->imbalance_idle_ns += idle_ns - least_ns;
	totals->least_idle_ns += least_ns;
}

static void add_threads(struct making *making, struct region *region,
			const struct region_part *parts, size_t nr_parts)
{
	struct regions *regions = making->regions;

	if (regions->nr_threads + nr_parts > making->threads_capacity) {
		making->threads_capacity = grown_capacity(making->threads_capacity,
							  regions->nr_threads + nr_parts);
		regions->threads = xrealloc_array(regions->threads, making->threads_capacity,
						  sizeof(*regions->threads));
	}
	region->first_thread = regions->nr_threads;
	region->nr_threads = nr_parts;
	for (size_t i = 0; i < nr_parts; i++) {
		struct region_thread thread = account_part(making, &parts[i], region);

		region->sum_useful_ns += thread.ns[REGION_USEFUL];
		if (thread.ns[REGION_USEFUL] > region->max_useful_ns)
			region->max_useful_ns = thread.ns[REGION_USEFUL];
		regions->threads[regions->nr_threads++] = thread;
	}
}

static void on_region(void *context, size_t barrier, const struct region_part *parts,
		      size_t nr_parts)
{
	struct making *making = context;
	struct regions *regions = making->regions;
	struct region region = { .barrier = barrier, .from_ns = UINT64_MAX };
	const struct region_thread *threads;
	enum region_kind kind;

	for (size_t i = 0; i < nr_parts; i++) {
		if (parts[i].released_ns < region.from_ns)
			region.from_ns = parts[i].released_ns;
		if (parts[i].to_ns > region.to_ns)
			region.to_ns = parts[i].to_ns;
	}
	if (region.from_ns >= region.to_ns)
		return;
	add_threads(making, &region, parts, nr_parts);
	threads = &regions->threads[region.first_thread];
	kind = kind_of(&region, threads);
	region.group = get_group(making, main_task(making, &region), kind);
	region.saved_ns = saved_ns(making, &region, kind, threads);
	if (regions->nr == making->rows_capacity) {
		making->rows_capacity = grown_capacity(regions->nr, regions->nr + 1);
		regions->rows = xrealloc_array(regions->rows, making->rows_capacity,
					       sizeof(*regions->rows));
	}
	regions->rows[regions->nr++] = region;
}

static int compare_regions(const void *a, const void *b)
{
	const struct region *first = a, *second = b;

	if (first->from_ns != second->from_ns)
		return first->from_ns < second->from_ns ? -1 : 1;
	return first->first_thread < second->first_thread ? -1 : 1;
}

/* That threads of the session ran on; 1 if none did. */
static int count_cpus(const struct model *model)
{
	int nr = 0;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;
		size_t i = 0;

		while (i < slices->nr && !model->threads[slices->thread[i]].in_session)
			i++;
		nr += i < slices->nr;
	}
	return nr ? nr : 1;
}

struct regions *regions_compute(const struct model *model, const struct task_stats *stats,
				const double *miss_ns)
{
	struct regions *regions = xcalloc(1, sizeof(*regions));
	struct top_spans tops = top_spans_compute(model, stats);
	struct making making = {
		.model = model,
		.stats = stats,
		.regions = regions,
		.tops = &tops,
		.task_ns = xcalloc(stats->nr_tasks, sizeof(*making.task_ns)),
		.group_of = xcalloc(2 * stats->nr_tasks, sizeof(*making.group_of)),
	};
	struct region_search search = {
		.model = model,
		.barriers = &regions->barriers,
		.tops = &tops,
		.on_region = on_region,
		.context = &making,
	};

	regions->barriers = barriers_compute(model);
	regions->nr_cpus = count_cpus(model);
	region_search_each(&search);
	if (regions->nr)
		qsort(regions->rows, regions->nr, sizeof(*regions->rows), compare_regions);
	for (size_t i = regions->nr; i-- > 0;) {
		add_to_group(regions, i);
		add_to_totals(regions, &regions->rows[i]);
	}
	stragglers_compute(regions, model, miss_ns);
	free(making.task_ns);
	free(making.group_of);
	top_spans_free(&tops);
	return regions;
}

void regions_free(struct regions *regions)
{
	barriers_free(&regions->barriers);
	free(regions->rows);
	free(regions->threads);
	free(regions->groups);
	free(regions);
}

const char *region_kind_name(enum region_kind kind)
{
	return kind == REGION_SERIAL ? "serial" : "parallel";
}

static double ratio_of(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

double region_average_ns(const struct region *region)
{
	return (double)region->sum_useful_ns / (double)region->nr_threads;
}

double region_imbalance_ns(const struct region *region)
{
	return (double)region->max_useful_ns - region_average_ns(region);
}

double region_load_balance(const struct region *region)
{
	return region->max_useful_ns ? region_average_ns(region) / (double)region->max_useful_ns :
				       1;
}

double region_parallel_efficiency(const struct region *region)
{
	return (double)region->sum_useful_ns /
	       ((double)region->nr_threads * (double)(region->to_ns - region->from_ns));
}

double region_imbalance_pct(const struct region *region)
{
	double nr = (double)region->nr_threads;

	return 100 *
	       ratio_of(region_imbalance_ns(region) * nr / (nr - 1), (double)region->max_useful_ns);
}

double region_group_load_balance(const struct region_group *group)
{
	return group->max_ns > 0 ? group->average_ns / group->max_ns : 1;
}

double region_group_parallel_efficiency(const struct region_group *group)
{
	return ratio_of((double)group->useful_ns, group->capacity_ns);
}

double region_group_imbalance_pct(const struct region_group *group)
{
	return 100 * ratio_of(group->imbalance_ns, group->max_ns);
}

bool region_totals_efficiencies(const struct region_totals *totals, double *serialisation,
				double *load_balance, double *scheduling)
{
	double parallel_ns = totals->capacity_ns - totals->serial_idle_ns;
	double balanced_ns = parallel_ns - totals->imbalance_idle_ns;

	/* Where nobody is ever at work, nothing is to be divided. */
	if (balanced_ns <= 0)
		return false;
	*serialisation = parallel_ns / totals->capacity_ns;
	*load_balance = balanced_ns / parallel_ns;
	*scheduling = (balanced_ns - totals->least_idle_ns) / balanced_ns;
	return true;
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/straggler.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/regions/regions.h"
#include "analysis/base/row_search.h"
#include "analysis/events/window_events.h"
#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

#define MANY_ERRORS 3 /* more is no chance */

static const char *const names[NR_STRAGGLER_REASONS] = {
	"more work", "more misses",  "preempted", "migrated",	 "woken late",
	"blocked",   "started late", "unknown",	  "interrupted",
};

const char *straggler_reason_name(enum straggler_reason why)
{
	return names[why];
}

static const enum straggler_reason why_of_time[NR_REGION_TIMES] = {
	[REGION_USEFUL] = STRAGGLER_MORE_WORK,	  [REGION_WAITING] = STRAGGLER_BLOCKED,
	[REGION_PREEMPTED] = STRAGGLER_PREEMPTED, [REGION_WAKEUP] = STRAGGLER_WOKEN_LATE,
	[REGION_BLOCKED] = STRAGGLER_BLOCKED,	  [REGION_LATE] = STRAGGLER_STARTED_LATE,
	[REGION_UNKNOWN] = STRAGGLER_UNKNOWN,	  [REGION_STOLEN] = STRAGGLER_INTERRUPTED,
};

/* What a thread did in a region in which it was not migrated. */
struct unmigrated {
	size_t group;
	uint32_t thread;
	uint64_t useful_ns;
};

struct ctx {
	const struct model *model;
	struct regions *regions;
	const double *miss_ns; /* by event */
	struct window_events events;
	size_t nr_unmigrated;
	struct unmigrated *unmigrated; /* by group, thread, and useful time */
	uint64_t *ran_ns; /* by thread: all 0, but while it is looked for who ran */
	uint32_t *touched; /* those that are not 0 */
	size_t nr_touched;
};

static size_t last_part(const struct regions *regions, const struct region *region)
{
	size_t first = region->first_thread, last = first;

	for (size_t i = first; i < first + region->nr_threads; i++) {
		if (regions->threads[i].to_ns > regions->threads[last].to_ns)
			last = i;
	}
	return last;
}

/* Before its end: what it waits behind it, made nobody late. */
static double time_before_end(const struct region *region, const struct region_thread *part,
			      enum region_time time)
{
	uint64_t ns = part->ns[time];

	return (double)(time == REGION_WAITING ? ns - (region->to_ns - part->to_ns) : ns);
}

/* How much more of @time the part @last has than the others on average. */
static double excess_ns(const struct regions *regions, const struct region *region, size_t last,
			enum region_time time)
{
	size_t first = region->first_thread;
	double own_ns = time_before_end(region, &regions->threads[last], time), sum_ns = 0;

	for (size_t i = first; i < first + region->nr_threads; i++)
		sum_ns += time_before_end(region, &regions->threads[i], time);
	return own_ns - (sum_ns - own_ns) / (double)(region->nr_threads - 1);
}

static void touch_ran(struct ctx *ctx, uint32_t thread, uint64_t ns)
{
	if (!ctx->ran_ns[thread])
		ctx->touched[ctx->nr_touched++] = thread;
	ctx->ran_ns[thread] += ns;
}

/* Who ran on @cpu in [from_ns, to_ns). */
static void touch_slices(struct ctx *ctx, int cpu, uint64_t from_ns, uint64_t to_ns)
{
	const struct slice_table *slices;

	if (cpu < 0 || cpu >= ctx->model->nr_cpus)
		return;
	slices = &ctx->model->cpus[cpu].slices;
	for (size_t i = row_search_after(slices->end_ns, slices->nr, from_ns);
	     i < slices->nr && slices->start_ns[i] < to_ns; i++) {
		uint64_t start_ns = slices->start_ns[i], end_ns = slices->end_ns[i];

		start_ns = start_ns > from_ns ? start_ns : from_ns;
		end_ns = end_ns < to_ns ? end_ns : to_ns;
		if (start_ns < end_ns)
			touch_ran(ctx, slices->thread[i], end_ns - start_ns);
	}
}

/* Who ran for most of the time in which @thread was in @state, where it waited to run. */
static uint32_t who_ran(struct ctx *ctx, uint32_t thread, enum thread_state state, uint64_t from_ns,
			uint64_t to_ns)
{
	const struct state_table *states = &ctx->model->threads[thread].states;
	uint32_t most = MODEL_NO_THREAD;

	for (size_t row = row_search_state(states, from_ns);
	     row < states->nr && states->start_ns[row] < to_ns; row++) {
		uint64_t start_ns = states->start_ns[row], end_ns = states->start_ns[row + 1];

		if (states->state[row] == state)
			touch_slices(ctx, states->cpu[row], start_ns > from_ns ? start_ns : from_ns,
				     end_ns < to_ns ? end_ns : to_ns);
	}
	for (size_t i = 0; i < ctx->nr_touched; i++) {
		uint32_t touched = ctx->touched[i];

		if (most == MODEL_NO_THREAD || ctx->ran_ns[touched] > ctx->ran_ns[most])
			most = touched;
	}
	for (size_t i = 0; i < ctx->nr_touched; i++)
		ctx->ran_ns[ctx->touched[i]] = 0;
	ctx->nr_touched = 0;
	return most;
}

static int compare_unmigrated(const void *a, const void *b)
{
	const struct unmigrated *first = a, *second = b;

	if (first->group != second->group)
		return first->group < second->group ? -1 : 1;
	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->useful_ns < second->useful_ns ? -1 : first->useful_ns > second->useful_ns;
}

static void gather_unmigrated(struct ctx *ctx)
{
	const struct regions *regions = ctx->regions;

	ctx->unmigrated = spill_zeroed(regions->nr_threads, sizeof(*ctx->unmigrated));
	for (size_t i = 0; i < regions->nr; i++) {
		const struct region *region = &regions->rows[i];

		for (size_t j = 0; j < region->nr_threads; j++) {
			const struct region_thread *part =
				&regions->threads[region->first_thread + j];

			if (part->nr_migrations)
				continue;
			ctx->unmigrated[ctx->nr_unmigrated++] = (struct unmigrated){
				.group = region->group,
				.thread = part->thread,
				.useful_ns = part->ns[REGION_USEFUL],
			};
		}
	}
	if (ctx->nr_unmigrated)
		qsort(ctx->unmigrated, ctx->nr_unmigrated, sizeof(*ctx->unmigrated),
		      compare_unmigrated);
}

/* How many of settled[] come before that of @thread in @group with @useful_ns. */
static size_t count_unmigrated(const struct ctx *ctx, size_t group, uint32_t thread,
			       uint64_t useful_ns)
{
	struct unmigrated wanted = { .group = group, .thread = thread, .useful_ns = useful_ns };

	return LOWER_BOUND(row, 0, ctx->nr_unmigrated,
			   compare_unmigrated(&ctx->unmigrated[row], &wanted) < 0);
}

/* Whether half of what it has more of than the others is due to having been moved. */
static bool is_slow_for_migration(const struct ctx *ctx, const struct region *region,
				  const struct region_thread *part, double excess_ns)
{
	size_t first = count_unmigrated(ctx, region->group, part->thread, 0);
	size_t end = count_unmigrated(ctx, region->group, part->thread, UINT64_MAX);
	double median_ns;

	if (!part->nr_migrations || first == end)
		return false;
	median_ns = (double)ctx->unmigrated[first + (end - first) / 2].useful_ns;
	return (double)part->ns[REGION_USEFUL] - median_ns >= excess_ns / 2;
}

static struct window_count count_part(const struct ctx *ctx, size_t event,
				      const struct region_thread *part)
{
	return window_events_count(&ctx->events, event, part->thread, part->from_ns, part->to_ns);
}

/*
 * How much more of the event the last thread has than the others would have in as much useful time.
 * 0 if the difference may be chance, or is not known.
 */
static double excess_misses(const struct ctx *ctx, const struct region *region,
			    const struct region_thread *last, size_t event)
{
	const struct region_thread *parts = &ctx->regions->threads[region->first_thread];
	struct window_count own = count_part(ctx, event, last), others = { .measured = true };
	double others_ns = (double)(region->sum_useful_ns - last->ns[REGION_USEFUL]);
	double share, excess;

	for (size_t i = 0; i < region->nr_threads; i++) {
		struct window_count count;

		if (&parts[i] == last)
			continue;
		count = count_part(ctx, event, &parts[i]);
		others.measured &= count.measured;
		others.count += count.count;
		others.variance += count.variance;
	}
	if (!own.measured || !others.measured || others_ns <= 0)
		return 0;
	share = (double)last->ns[REGION_USEFUL] / others_ns;
	excess = own.count - share * others.count;
	return excess > MANY_ERRORS * sqrt(own.variance + share * share * others.variance) ?
		       excess :
		       0;
}

/* Whether misses make up half of what it has more of than the others. */
static bool is_slow_for_misses(const struct ctx *ctx, const struct region *region,
			       const struct region_thread *last, double excess_ns)
{
	for (size_t event = 0; event < ctx->model->nr_pmu_events; event++) {
		double each_ns = ctx->miss_ns[event];

		if (each_ns > 0 &&
		    excess_misses(ctx, region, last, event) * each_ns >= excess_ns / 2)
			return true;
	}
	return false;
}

/* The last one's own term is 0. */
static uint64_t behind_ns(const struct regions *regions, const struct region *region)
{
	double sum_ns = 0;

	for (size_t i = 0; i < region->nr_threads; i++)
		sum_ns +=
			(double)(region->to_ns - regions->threads[region->first_thread + i].to_ns);
	return (uint64_t)(sum_ns / (double)(region->nr_threads - 1) + 0.5);
}

static void look_at(struct ctx *ctx, struct region *region)
{
	const struct regions *regions = ctx->regions;
	size_t last = last_part(regions, region);
	const struct region_thread *part = &regions->threads[last];
	enum region_time most = REGION_USEFUL;
	double most_ns = excess_ns(regions, region, last, REGION_USEFUL);

	for (enum region_time time = REGION_USEFUL + 1; time < NR_REGION_TIMES; time++) {
		double ns = excess_ns(regions, region, last, time);

		if (ns > most_ns) {
			most = time;
			most_ns = ns;
		}
	}
	region->last = (struct straggler){
		.part = last,
		.why = why_of_time[most],
		.behind_ns = behind_ns(regions, region),
		.excess_ns = most_ns > 0 ? (uint64_t)(most_ns + 0.5) : 0,
		.by_thread = MODEL_NO_THREAD,
	};
	if (most == REGION_USEFUL && is_slow_for_migration(ctx, region, part, most_ns))
		region->last.why = STRAGGLER_MIGRATED;
	else if (most == REGION_USEFUL && most_ns > 0 &&
		 is_slow_for_misses(ctx, region, part, most_ns))
		region->last.why = STRAGGLER_MORE_MISSES;
	if (most == REGION_PREEMPTED || most == REGION_WAKEUP)
		region->last.by_thread = who_ran(ctx, part->thread,
						 most == REGION_PREEMPTED ? STATE_PREEMPTED :
									    STATE_RUNNABLE,
						 region->from_ns, part->to_ns);
}

void stragglers_compute(struct regions *regions, const struct model *model, const double *miss_ns)
{
	struct ctx ctx = {
		.model = model,
		.regions = regions,
		.miss_ns = miss_ns,
		.events = window_events_new(model),
		.ran_ns = xcalloc(model->nr_threads, sizeof(*ctx.ran_ns)),
		.touched = xcalloc(model->nr_threads, sizeof(*ctx.touched)),
	};

	gather_unmigrated(&ctx);
	for (size_t i = 0; i < regions->nr; i++)
		look_at(&ctx, &regions->rows[i]);
	window_events_free(&ctx.events);
	spill_free(ctx.unmigrated);
	free(ctx.ran_ns);
	free(ctx.touched);
}

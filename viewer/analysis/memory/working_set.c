// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/stats/chao_estimator.h"
#include "analysis/events/sampled_windows.h"
#include "analysis/tasks/span_walk.h"
#include "analysis/memory/working_set_misses.h"
#include "util/xalloc.h"

#define LEAST_SAMPLES 64
#define MOST_SAMPLES 262144
#define DEFAULT_LINE_BYTES 64
#define MOST_RISE 1.25
/* Of lines, for those that samples hit. */
#define MOST_UNSEEN 1.25
/* Of lines that were hit, from windows half as large: else those not hit come in turn. */
#define MOST_GROWTH 1.3
#define LEAST_SAMPLES_OF_LINE 0.1
/* Of lines that a window hits, for those that half of it hits. */
#define MOST_NEW 1.1
/* Points within a doubling of accesses that holds the size of a cache. */
#define NR_FINE 4
#define MOST_FINE_POINTS (WORKING_SET_MOST_POINTS + WORKING_SET_LEVELS * (NR_FINE - 1))

/* A sample of a task. */
struct access {
	uint32_t task;
	uint32_t thread;
	size_t sample;
};

/* Smaller is better; 0 of none. */
static int rank_event(const struct working_set_choice *choice, size_t event)
{
	if (choice->is_loads[event])
		return 1;
	return choice->levels[event] >= MISS_L1 ? 1 + (int)choice->levels[event] : 0;
}

static bool has_address(const struct model *model, size_t sample)
{
	return model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR && model->samples.addr[sample];
}

static void choose_event(struct working_set *sets, const struct model *model,
			 const struct working_set_choice *choice)
{
	int best = 0;

	for (size_t i = 0; i < model->samples.nr; i++) {
		int rank = rank_event(choice, model->samples.event[i]);

		if (!rank || (best && rank >= best) || !has_address(model, i))
			continue;
		best = rank;
		sets->known = true;
		sets->event = model->samples.event[i];
	}
	sets->is_of_loads = best == 1;
}

static struct access *gather_accesses(const struct working_set *sets, const struct model *model,
				      const struct task_stats *stats, size_t *nr)
{
	const struct sample_table *samples = &model->samples;
	struct access *accesses = xcalloc(samples->nr, sizeof(*accesses));
	size_t *innermost = span_walk_innermost(model);

	*nr = 0;
	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t thread = samples->thread[i];
		const struct span_table *spans;

		if (samples->event[i] != sets->event || thread == MODEL_NO_THREAD ||
		    !model->threads[thread].in_session || innermost[i] == SIZE_MAX ||
		    !has_address(model, i))
			continue;
		spans = &model->threads[thread].spans;
		accesses[(*nr)++] = (struct access){
			.task = task_stats_find(stats, spans->name[innermost[i]],
						spans->kind[innermost[i]]),
			.thread = thread,
			.sample = i,
		};
	}
	free(innermost);
	return accesses;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_accesses(const void *a, const void *b)
{
	const struct access *first = a, *second = b;
	int order = compare_numbers(first->task, second->task);

	if (!order)
		order = compare_numbers(first->thread, second->thread);
	return order ? order : compare_numbers(first->sample, second->sample);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct working_set_task *first = a, *second = b;

	if (first->nr_samples != second->nr_samples)
		return compare_numbers(second->nr_samples, first->nr_samples);
	return compare_numbers(first->task, second->task);
}

/* The lines of a task's samples, while its curve is drawn. */
struct drawing {
	const struct sampled_line *sampled_lines; /* in the order of the samples */
	struct sampled_line *sorted; /* room for as many */
	size_t nr;
	double period;
	uint32_t line_bytes;
	struct sampled_windows last; /* of the last point drawn */
	struct sampled_windows half; /* of the one before; empty if there is none */
	size_t nr_points;
	struct working_set_point points[MOST_FINE_POINTS];
};

/* Of windows of so many samples; what was sorted within smaller ones may stay so. */
static struct working_set_point make_point(struct drawing *drawing, size_t size)
{
	double accesses = (double)size * drawing->period;
	double share = drawing->period > 1 ? 1 / drawing->period : 1;
	const struct chao_counts *mean = &drawing->last.mean;
	double lines;

	drawing->last = sampled_windows_compute(drawing->sorted, drawing->nr, size);
	lines = chao_estimate_of_part(mean, share);
	if (lines > accesses)
		lines = accesses;
	if (lines < mean->nr)
		lines = mean->nr;
	return (struct working_set_point){
		.accesses = accesses,
		.bytes = lines * drawing->line_bytes,
	};
}

/* Whether so many lines may be claimed for windows, of which samples hit some; @half are half as large. */
static bool is_sure(const struct sampled_windows *windows, const struct sampled_windows *half,
		    double lines)
{
	if (lines <= MOST_UNSEEN * windows->mean.nr &&
	    windows->mean.nr <= MOST_GROWTH * half->mean.nr)
		return true;
	return sampled_windows_are_random(windows, half) &&
	       2 * windows->mean.twice >= LEAST_SAMPLES_OF_LINE * windows->mean.once;
}

/*
 * A loop that is nearly in step with the period leaves lines that are hit once, as chance does when there
 * are many more. But if a second half of a window hits hardly any lines that the first one did not, there
 * are not many more.
 */
static void bound_by_halves(const struct drawing *drawing, struct working_set_point *point)
{
	double half = drawing->half.mean.nr, whole = drawing->last.mean.nr;
	double lines = chao_estimate_recaptured(half, whole);

	if (whole <= MOST_NEW * half && point->bytes > lines * drawing->line_bytes)
		point->bytes = lines * drawing->line_bytes;
}

/* The next point of the curve, of windows twice as large as those of the last one. */
static struct working_set_point make_next_point(struct drawing *drawing, size_t size)
{
	struct working_set_point point;

	drawing->half = drawing->last;
	point = make_point(drawing, size);
	if (drawing->half.size)
		bound_by_halves(drawing, &point);
	/* Where each access is sampled, nothing is estimated. */
	point.is_unsure = drawing->period > 1 && !is_sure(&drawing->last, &drawing->half,
							  point.bytes / drawing->line_bytes);
	return point;
}

/* Whether the last doubling of accesses adds little to the curve, and less than they allow. */
static bool is_flat(const struct working_set_task *task, const struct drawing *drawing)
{
	const struct working_set_point *last = &task->points[task->nr_points - 1];
	double half_bytes = drawing->half.mean.nr * drawing->line_bytes;

	/* If it is not known how many there are in half of it, they are those that were hit. */
	if (!last[-1].is_unsure)
		half_bytes = last[-1].bytes;
	return last->bytes <= MOST_RISE * half_bytes &&
	       last->bytes * 2 <= last->accesses * drawing->line_bytes;
}

/* Where the curve first comes within a quarter of what it rises to in the end. */
static void find_knee(struct working_set_task *task, const struct drawing *drawing)
{
	const struct working_set_point *points = task->points;
	const struct working_set_point *last;

	if (task->nr_points < 2 || task->doubt != WORKING_SET_SURE)
		return;
	last = &points[task->nr_points - 1];
	task->knee_known = is_flat(task, drawing);
	for (size_t i = 0; i < task->nr_points && task->knee_known; i++) {
		task->knee_bytes = last->bytes;
		task->knee_accesses = points[i].accesses;
		if (points[i].bytes * MOST_RISE >= last->bytes)
			break;
	}
}

/* A window has no more lines than one that it is a part of. */
static void make_monotone(struct working_set_point *points, size_t nr)
{
	for (size_t i = nr; i > 1; i--) {
		if (points[i - 2].bytes > points[i - 1].bytes)
			points[i - 2].bytes = points[i - 1].bytes;
	}
}

/* Whether the size of a cache lies between these points. */
static bool is_at_a_level(const struct working_set *sets, const struct working_set_point *from,
			  const struct working_set_point *to)
{
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		double bytes = (double)sets->level_bytes[level];

		if (bytes > 0 && from->bytes <= bytes && bytes < to->bytes)
			return true;
	}
	return false;
}

static void restore_order(struct drawing *drawing)
{
	memcpy(drawing->sorted, drawing->sampled_lines, drawing->nr * sizeof(*drawing->sorted));
}

static void add_fine_point(struct drawing *drawing, size_t size, bool is_unsure)
{
	struct working_set_point *point = &drawing->points[drawing->nr_points++];

	restore_order(drawing);
	*point = make_point(drawing, size);
	point->is_unsure = is_unsure;
}

/* The task's points, of windows of 1, 2, 4, ... samples, and those between around sizes of caches. */
static void draw_finely(const struct working_set *sets, const struct working_set_task *task,
			struct drawing *drawing)
{
	for (size_t i = 0; i < task->nr_points; i++) {
		size_t size = (size_t)1 << i, before = size;

		drawing->points[drawing->nr_points++] = task->points[i];
		if (i + 1 == task->nr_points ||
		    !is_at_a_level(sets, &task->points[i], &task->points[i + 1]))
			continue;
		for (int part = 1; part < NR_FINE; part++) {
			size_t between =
				(size_t)lround((double)size * exp2((double)part / NR_FINE));

			if (between > before && between < 2 * size)
				add_fine_point(drawing, between, task->points[i].is_unsure);
			before = between;
		}
	}
	make_monotone(drawing->points, drawing->nr_points);
}

static void expect_misses_of(const struct working_set_curve *curve, double bytes, double sure_bytes,
			     struct working_set_misses *misses)
{
	misses->expected_is_bound = bytes < sure_bytes;
	if (misses->expected_is_bound)
		misses->expected_known = miss_ratio_most(curve, bytes, &misses->expected);
	else
		misses->expected_known = miss_ratio_at(curve, bytes, &misses->expected);
}

/* The last point is sure. */
static void expect_misses(const struct working_set *sets, struct working_set_task *task,
			  struct drawing *drawing)
{
	struct working_set_curve curve = {
		.points = drawing->points,
		.line_bytes = sets->line_bytes,
		.is_whole = task->knee_known,
	};
	const struct working_set_point *sure = drawing->points;

	draw_finely(sets, task, drawing);
	curve.nr = drawing->nr_points;
	while (sure->is_unsure)
		sure++;
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		if (sets->level_bytes[level])
			expect_misses_of(&curve, (double)sets->level_bytes[level], sure->bytes,
					 &task->misses[level]);
	}
}

static bool is_prime(uint64_t number)
{
	for (uint64_t by = 2; by * by <= number; by++) {
		if (number % by == 0)
			return false;
	}
	return number > 1;
}

/* By the windows of its last point. */
static enum working_set_doubt doubt_of(const struct working_set_task *task,
				       const struct drawing *drawing)
{
	if (drawing->period > 1 && sampled_windows_are_regular(&drawing->last) &&
	    !is_prime((uint64_t)lround(drawing->period)))
		return WORKING_SET_IN_STEP;
	if (!task->points[task->nr_points - 1].is_unsure)
		return WORKING_SET_SURE;
	return sampled_windows_are_in_order(&drawing->last) ? WORKING_SET_IN_ORDER :
							      WORKING_SET_SELDOM;
}

/* What smaller windows seem to tell is of lines that are used more often than the others, if of any. */
static void doubt_all(struct working_set_task *task)
{
	for (size_t i = 0; i < task->nr_points; i++)
		task->points[i].is_unsure = true;
}

/* Windows of twice as many samples each time. */
static void draw_curve(const struct working_set *sets, struct working_set_task *task,
		       struct drawing *drawing)
{
	restore_order(drawing);
	for (size_t size = 1; size <= drawing->nr && task->nr_points < WORKING_SET_MOST_POINTS;
	     size *= 2)
		task->points[task->nr_points++] = make_next_point(drawing, size);
	task->least_bytes = drawing->last.mean.nr * drawing->line_bytes;
	task->most_bytes = task->points[task->nr_points - 1].accesses * drawing->line_bytes;
	task->doubt = doubt_of(task, drawing);
	if (task->doubt != WORKING_SET_SURE)
		doubt_all(task);
	make_monotone(task->points, task->nr_points);
	find_knee(task, drawing);
	if (sets->is_of_loads && task->doubt == WORKING_SET_SURE)
		expect_misses(sets, task, drawing);
}

static void draw_task_curve(const struct working_set *sets, struct working_set_task *task,
			    const struct model *model, const struct access *accesses, size_t nr)
{
	struct sampled_line *sampled_lines = xcalloc(nr, sizeof(*sampled_lines));
	struct drawing drawing = {
		.sampled_lines = sampled_lines,
		.sorted = xcalloc(nr, sizeof(*drawing.sorted)),
		.nr = nr,
		.line_bytes = sets->line_bytes,
	};

	for (size_t i = 0; i < nr; i++) {
		sampled_lines[i] = (struct sampled_line){
			.line = model->samples.addr[accesses[i].sample] / sets->line_bytes,
			.at = i,
		};
		drawing.period += (double)model->samples.period[accesses[i].sample];
	}
	drawing.period /= (double)nr;
	draw_curve(sets, task, &drawing);
	free(sampled_lines);
	free(drawing.sorted);
}

static void add_task(struct working_set *sets, const struct model *model,
		     const struct access *accesses, size_t nr)
{
	const struct sample_table *samples = &model->samples;
	struct working_set_task *task;

	if (nr < LEAST_SAMPLES)
		return;
	sets->tasks = xrealloc_array(sets->tasks, sets->nr + 1, sizeof(*sets->tasks));
	task = &sets->tasks[sets->nr++];
	*task = (struct working_set_task){
		.task = accesses->task,
		.thread = accesses->thread,
		.cpu = samples->cpu[accesses->sample],
		.precise = samples->precise[accesses->sample],
		.nr_samples = nr,
	};
	nr = nr < MOST_SAMPLES ? nr : MOST_SAMPLES;
	task->from_ns = samples->time_ns[accesses->sample];
	task->to_ns = samples->time_ns[accesses[nr - 1].sample] + 1;
	draw_task_curve(sets, task, model, accesses, nr);
}

/* Of the accesses of one task, those of the thread that has most. */
static void add_busiest(struct working_set *sets, const struct model *model,
			const struct access *accesses, size_t nr)
{
	size_t most_first = 0, most = 0, end;

	for (size_t first = 0; first < nr; first = end) {
		for (end = first + 1; end < nr && accesses[end].thread == accesses[first].thread;
		     end++)
			;
		if (end - first > most) {
			most = end - first;
			most_first = first;
		}
	}
	add_task(sets, model, &accesses[most_first], most);
}

static void find_levels(struct working_set *sets, const struct model *model)
{
	sets->line_bytes = DEFAULT_LINE_BYTES;
	for (int cpu = 0; cpu < model->topology.nr_cpus; cpu++) {
		for (int level = 1; level <= WORKING_SET_LEVELS; level++) {
			const struct cpu_cache *cache = topology_cache(&model->topology, cpu,
								       level);

			if (!cache || !cache->line_bytes || sets->level_bytes[level - 1])
				continue;
			sets->level_bytes[level - 1] = cache->size_bytes;
			sets->line_bytes = cache->line_bytes;
		}
	}
}

struct working_set *working_set_compute(const struct model *model, const struct task_stats *stats,
					const struct working_set_choice *choice)
{
	struct working_set *sets = xcalloc(1, sizeof(*sets));
	struct access *accesses;
	size_t nr, end;

	find_levels(sets, model);
	choose_event(sets, model, choice);
	if (!sets->known)
		return sets;
	accesses = gather_accesses(sets, model, stats, &nr);
	if (nr)
		qsort(accesses, nr, sizeof(*accesses), compare_accesses);
	for (size_t first = 0; first < nr; first = end) {
		for (end = first + 1; end < nr && accesses[end].task == accesses[first].task; end++)
			;
		add_busiest(sets, model, &accesses[first], end - first);
	}
	free(accesses);
	working_set_misses_measure(sets, model, stats, choice->levels);
	if (sets->nr)
		qsort(sets->tasks, sets->nr, sizeof(*sets->tasks), compare_tasks);
	return sets;
}

void working_set_free(struct working_set *sets)
{
	free(sets->tasks);
	free(sets);
}

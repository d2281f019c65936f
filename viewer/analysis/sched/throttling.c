// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/throttling.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/base/intervals.h"
#include "analysis/base/programs.h"
#include "analysis/base/row_search.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define MANY_TIMES 10

/* A wait in whose time its CPU was idle. */
struct idle_stretch {
	struct cpu_wait wait;
	size_t first_slice; /* that ends after it began */
	uint64_t idle_ns;
	bool is_sure; /* it shows by itself that its thread is throttled */
};

struct builder {
	const struct model *model;
	size_t nr;
	size_t capacity;
	struct idle_stretch *stretches; /* by thread, in order */
};

/* Where events of the CPU are lost, its threads have no wait. */
static uint64_t idle_ns(const struct slice_table *slices, const struct idle_stretch *stretch)
{
	const struct cpu_wait *wait = &stretch->wait;
	uint64_t at_ns = wait->start_ns, sum_ns = 0;

	for (size_t i = stretch->first_slice; i < slices->nr && slices->start_ns[i] < wait->end_ns;
	     i++) {
		if (slices->start_ns[i] > at_ns)
			sum_ns += slices->start_ns[i] - at_ns;
		at_ns = slices->end_ns[i];
	}
	return at_ns < wait->end_ns ? sum_ns + wait->end_ns - at_ns : sum_ns;
}

/* The slice of the wait's thread that ended where the wait began; their number if there is none. */
static size_t slice_before(const struct slice_table *slices, const struct idle_stretch *stretch)
{
	size_t slice = stretch->first_slice;

	while (slice && slices->end_ns[slice - 1] == stretch->wait.start_ns) {
		slice--;
		if (slices->thread[slice] == stretch->wait.thread)
			return slice;
	}
	return slices->nr;
}

/* It was switched out here, and nobody was switched in, or it ran again here. */
static bool shows_by_itself(const struct model *model, const struct slice_table *slices,
			    const struct idle_stretch *stretch)
{
	const struct cpu_wait *wait = &stretch->wait;
	const struct state_table *states = &model->threads[wait->thread].states;
	size_t before = slice_before(slices, stretch);
	size_t row;

	if (wait->state != STATE_PREEMPTED || before == slices->nr ||
	    trace_priority_is_real_time(slices->priority[before]))
		return false;
	if (before + 1 == slices->nr ||
	    slices->start_ns[before + 1] - wait->start_ns >= THROTTLING_LEAST_NS)
		return true;
	row = row_search_state(states, wait->end_ns);
	return row == states->nr ||
	       (states->state[row] == STATE_RUNNING && states->cpu[row] == wait->cpu);
}

static void look_at_wait(struct builder *builder, const struct slice_table *slices,
			 const struct cpu_wait *wait)
{
	struct idle_stretch stretch = {
		.wait = *wait,
		.first_slice = cpu_wait_first_slice(builder->model, wait, 0),
	};

	stretch.idle_ns = idle_ns(slices, &stretch);
	if (stretch.idle_ns < THROTTLING_LEAST_NS)
		return;
	stretch.is_sure = shows_by_itself(builder->model, slices, &stretch);
	ARRAY_MAKE_ROOM(builder->stretches, builder->nr, builder->capacity);
	builder->stretches[builder->nr++] = stretch;
}

/* Who ran there before the first switch is not known. */
static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct builder *builder = context;
	const struct slice_table *slices;

	if (wait->cpu < 0 || wait->cpu >= builder->model->nr_cpus)
		return;
	slices = &builder->model->cpus[wait->cpu].slices;
	if (slices->nr && wait->start_ns >= slices->start_ns[0])
		look_at_wait(builder, slices, wait);
}

/* By program: when any of its threads was throttled for sure. programs->nr of them. */
static struct intervals *sure_times(const struct builder *builder, const struct programs *programs)
{
	struct intervals *sure = xcalloc(programs->nr + 1, sizeof(*sure));

	for (size_t i = 0; i < builder->nr; i++) {
		const struct cpu_wait *wait = &builder->stretches[i].wait;

		if (builder->stretches[i].is_sure)
			intervals_add(&sure[programs->of_thread[wait->thread]], wait->start_ns,
				      wait->end_ns);
	}
	for (size_t i = 0; i < programs->nr; i++)
		intervals_unite(&sure[i]);
	return sure;
}

static void add_stretch(struct throttling *result, size_t *capacity,
			const struct idle_stretch *stretch)
{
	const struct cpu_wait *wait = &stretch->wait;
	struct throttling_thread *row;

	/* Threads come one after the other. */
	if (!result->nr || result->threads[result->nr - 1].thread != wait->thread) {
		ARRAY_MAKE_ROOM(result->threads, result->nr, *capacity);
		result->threads[result->nr++] =
			(struct throttling_thread){ .thread = wait->thread };
	}
	row = &result->threads[result->nr - 1];
	row->times++;
	row->ns += stretch->idle_ns;
	if (stretch->idle_ns <= row->longest_ns)
		return;
	row->longest_ns = stretch->idle_ns;
	row->longest_from_ns = wait->start_ns;
	row->longest_to_ns = wait->end_ns;
	row->longest_cpu = wait->cpu;
}

/* When its CPU was idle in the wait. */
static void add_idle_times(struct intervals *times, const struct slice_table *slices,
			   const struct idle_stretch *stretch)
{
	const struct cpu_wait *wait = &stretch->wait;
	uint64_t at_ns = wait->start_ns;

	for (size_t i = stretch->first_slice; i < slices->nr && slices->start_ns[i] < wait->end_ns;
	     i++) {
		intervals_add(times, at_ns, slices->start_ns[i]);
		at_ns = slices->end_ns[i];
	}
	intervals_add(times, at_ns, wait->end_ns);
}

static struct intervals session_runs(const struct model *model)
{
	struct intervals runs = { 0 };

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr; i++) {
			if (model->threads[slices->thread[i]].in_session)
				intervals_add(&runs, slices->start_ns[i], slices->end_ns[i]);
		}
	}
	intervals_unite(&runs);
	return runs;
}

static void take_throttled(const struct builder *builder, struct throttling *result)
{
	const struct model *model = builder->model;
	struct programs programs = programs_compute(model);
	struct intervals *sure = sure_times(builder, &programs);
	struct intervals throttled = { 0 };
	size_t capacity = 0;

	for (size_t i = 0; i < builder->nr; i++) {
		const struct cpu_wait *wait = &builder->stretches[i].wait;

		if (!intervals_touch(&sure[programs.of_thread[wait->thread]], wait->start_ns,
				     wait->end_ns))
			continue;
		add_stretch(result, &capacity, &builder->stretches[i]);
		add_idle_times(&throttled, &model->cpus[wait->cpu].slices, &builder->stretches[i]);
	}
	intervals_unite(&throttled);
	result->ns = intervals_length_ns(&throttled);
	if (result->ns) {
		struct intervals runs = session_runs(model);

		result->standstill_ns = result->ns - intervals_common_ns(&throttled, &runs);
		intervals_free(&runs);
	}
	intervals_free(&throttled);
	for (size_t i = 0; i < programs.nr; i++)
		intervals_free(&sure[i]);
	free(sure);
	programs_free(&programs);
}

static int compare_threads(const void *a, const void *b)
{
	const struct throttling_thread *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct throttling throttling_compute(const struct model *model)
{
	struct throttling result = { 0 };
	struct builder builder = { .model = model };

	cpu_waits_each_long(model, THROTTLING_LEAST_NS, take_wait, &builder);
	if (builder.nr)
		take_throttled(&builder, &result);
	free(builder.stretches);
	if (result.nr)
		qsort(result.threads, result.nr, sizeof(*result.threads), compare_threads);
	return result;
}

void throttling_free(struct throttling *throttling)
{
	free(throttling->threads);
	*throttling = (struct throttling){ 0 };
}

static uint64_t times_of_all(const struct throttling *throttling)
{
	uint64_t times = 0;

	for (size_t i = 0; i < throttling->nr; i++)
		times += throttling->threads[i].times;
	return times;
}

void throttling_add_findings(const struct model *model, const struct throttling *throttling,
			     struct findings *findings)
{
	const struct throttling_thread *worst = throttling->threads;
	uint64_t times = times_of_all(throttling);
	struct finding *finding;

	if (times < THROTTLING_LEAST_TIMES ||
	    !findings_note_loss(findings, FINDING_THROTTLED, throttling->ns))
		return;
	finding = findings_add(findings, FINDING_THROTTLED, throttling->standstill_ns,
			       worst->longest_from_ns, worst->longest_to_ns);
	finding->time_lost_at_most_ns = throttling->ns;
	finding->confidence = times >= MANY_TIMES ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
	for (size_t i = 0; i < throttling->nr; i++)
		finding_add_thread(finding, throttling->threads[i].thread);
	finding_add_cpu(finding, worst->longest_cpu);
	finding_set_text(
		finding,
		"the quota of CPU time of its cgroup was used up: for %s, %zu thread%s could run, and did "
		"not while their own CPUs were idle, %" PRIu64
		" times; %s most (%s, the longest %s), and for %s nothing of the session ran",
		figure_ns(throttling->ns, " ").text, throttling->nr, text_plural(throttling->nr),
		times, thread_label(model, worst->thread).text, figure_ns(worst->ns, " ").text,
		figure_ns(worst->longest_ns, " ").text,
		figure_ns(throttling->standstill_ns, " ").text);
}

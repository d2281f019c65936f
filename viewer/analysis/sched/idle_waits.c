// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/idle_waits.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/cpu_waits.h"
#include "analysis/base/row_search.h"
#include "model/table_rows.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

/* Sums over the slices before one of every so many, so that any range is added up from two of them
 * and a few slices. */
#define CHECKPOINT_SLICES 64

/* A CPU, and where on it the thread at hand waited last. */
struct cpu_track {
	uint64_t *busy_ns; /* before slice i * CHECKPOINT_SLICES */
	size_t near; /* a slice */
	bool ran_on; /* the thread did */
};

struct builder {
	const struct model *model;
	struct cpu_track *cpus;
	uint32_t thread; /* whose ran_on it is; MODEL_NO_THREAD: nobody's */
	struct idle_waits *result;
};

static uint64_t length_ns(const struct slice_table *slices, size_t slice)
{
	return slices->end_ns[slice] - slices->start_ns[slice];
}

static uint64_t *sum_slices(const struct slice_table *slices)
{
	uint64_t *before = xcalloc(slices->nr / CHECKPOINT_SLICES + 1, sizeof(*before));
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < slices->nr; i++) {
		if (i % CHECKPOINT_SLICES == 0)
			before[i / CHECKPOINT_SLICES] = sum_ns;
		sum_ns += length_ns(slices, i);
	}
	if (slices->nr % CHECKPOINT_SLICES == 0)
		before[slices->nr / CHECKPOINT_SLICES] = sum_ns;
	return before;
}

/* Of the slices before @end. */
static uint64_t sum_before(const struct slice_table *slices, const struct cpu_track *track,
			   size_t end)
{
	size_t slice = end - end % CHECKPOINT_SLICES;
	uint64_t sum_ns = track->busy_ns[end / CHECKPOINT_SLICES];

	for (; slice < end; slice++)
		sum_ns += length_ns(slices, slice);
	return sum_ns;
}

/* Of the slices from @from on, before @to. */
static uint64_t sum_between(const struct slice_table *slices, const struct cpu_track *track,
			    size_t from, size_t to)
{
	uint64_t sum_ns = 0;

	if (to - from > 2 * CHECKPOINT_SLICES)
		return sum_before(slices, track, to) - sum_before(slices, track, from);
	for (size_t i = from; i < to; i++)
		sum_ns += length_ns(slices, i);
	return sum_ns;
}

/* What is left behind @time_ns of the slice before @slice. */
static uint64_t rest_ns(const struct slice_table *slices, size_t slice, uint64_t time_ns)
{
	return slice && slices->end_ns[slice - 1] > time_ns ? slices->end_ns[slice - 1] - time_ns :
							      0;
}

/* The time of the wait in which the CPU was busy. */
static uint64_t busy_ns(const struct slice_table *slices, struct cpu_track *track,
			const struct cpu_wait *wait)
{
	/* The first slices that begin behind either end of the wait. */
	size_t from = row_search_after_near(slices->start_ns, slices->nr, wait->start_ns,
					    track->near);
	size_t to = row_search_after_near(slices->start_ns, slices->nr, wait->end_ns, from);

	track->near = from;
	return sum_between(slices, track, from, to) + rest_ns(slices, from, wait->start_ns) -
	       rest_ns(slices, to, wait->end_ns);
}

static bool has_gap(const struct gap_table *gaps, uint64_t from_ns, uint64_t to_ns)
{
	size_t next;

	if (!gaps->nr)
		return false;
	next = column_find(gaps->end_ns, gaps->nr, from_ns) + 1;
	return next < gaps->nr && gaps->start_ns[next] < to_ns;
}

/* What is not known to be idle is 0; who ran there before the first switch is not known. */
static uint64_t idle_ns(const struct builder *builder, int cpu, const struct cpu_wait *wait)
{
	const struct slice_table *slices = &builder->model->cpus[cpu].slices;

	if (!slices->nr || wait->start_ns < slices->start_ns[0] ||
	    has_gap(&builder->model->cpus[cpu].gaps, wait->start_ns, wait->end_ns))
		return 0;
	return wait->end_ns - wait->start_ns - busy_ns(slices, &builder->cpus[cpu], wait);
}

static void note_cpus(struct builder *builder, uint32_t thread)
{
	const struct state_table *states = &builder->model->threads[thread].states;

	for (int cpu = 0; cpu < builder->model->nr_cpus; cpu++)
		builder->cpus[cpu].ran_on = false;
	for (size_t row = 0; row < states->nr; row++) {
		if (states->state[row] == STATE_RUNNING && states->cpu[row] >= 0)
			builder->cpus[states->cpu[row]].ran_on = true;
	}
	builder->thread = thread;
}

static struct idle_waits_thread *row_of(struct idle_waits *result, uint32_t thread)
{
	size_t nr = result->nr;

	/* Threads come one after the other. */
	if (nr && result->threads[nr - 1].thread == thread)
		return &result->threads[nr - 1];
	if (column_is_full(nr))
		result->threads = column_grow(result->threads, nr, sizeof(*result->threads));
	result->threads[nr] = (struct idle_waits_thread){ .thread = thread };
	result->nr++;
	return &result->threads[nr];
}

static void add_wait(struct idle_waits *result, const struct cpu_wait *wait, int idle_cpu,
		     uint64_t ns)
{
	struct idle_waits_thread *row = row_of(result, wait->thread);

	row->waits++;
	row->ns += ns;
	if (ns <= row->longest_ns)
		return;
	row->longest_ns = ns;
	row->longest_from_ns = wait->start_ns;
	row->longest_to_ns = wait->end_ns;
	row->longest_cpu = wait->cpu;
	row->longest_idle_cpu = idle_cpu;
}

static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct builder *builder = context;
	const struct model *model = builder->model;
	uint64_t own_ns, most_ns = 0;
	int idle_cpu = -1;

	if (wait->cpu < 0 || wait->cpu >= model->nr_cpus ||
	    has_gap(&model->cpus[wait->cpu].gaps, wait->start_ns, wait->end_ns))
		return;
	if (builder->thread != wait->thread)
		note_cpus(builder, wait->thread);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		uint64_t ns;

		if (!builder->cpus[cpu].ran_on || cpu == wait->cpu)
			continue;
		ns = idle_ns(builder, cpu, wait);
		if (ns > most_ns) {
			most_ns = ns;
			idle_cpu = cpu;
		}
	}
	own_ns = most_ns ? idle_ns(builder, wait->cpu, wait) : 0;
	if (most_ns > own_ns)
		add_wait(builder->result, wait, idle_cpu, most_ns - own_ns);
}

static int compare_threads(const void *a, const void *b)
{
	const struct idle_waits_thread *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct idle_waits idle_waits_compute(const struct model *model)
{
	struct idle_waits result = { 0 };
	struct builder builder = {
		.model = model,
		.cpus = xcalloc((size_t)model->nr_cpus, sizeof(*builder.cpus)),
		.thread = MODEL_NO_THREAD,
		.result = &result,
	};

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		builder.cpus[cpu].busy_ns = sum_slices(&model->cpus[cpu].slices);
	cpu_waits_each(model, take_wait, &builder);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		free(builder.cpus[cpu].busy_ns);
	free(builder.cpus);
	if (result.nr)
		qsort(result.threads, result.nr, sizeof(*result.threads), compare_threads);
	return result;
}

void idle_waits_free(struct idle_waits *idle_waits)
{
	free(idle_waits->threads);
}

void idle_waits_add_findings(const struct model *model, const struct idle_waits *idle_waits,
			     struct findings *findings)
{
	double session_ns = (double)(findings->session_to_ns - findings->session_from_ns);
	const struct idle_waits_thread *worst = NULL;
	struct finding *finding;

	for (size_t i = 0; i < idle_waits->nr && !worst; i++) {
		if (idle_waits->threads[i].waits >= IDLE_WAITS_LEAST_TIMES)
			worst = &idle_waits->threads[i];
	}
	if (!worst || (double)worst->ns < IDLE_WAITS_LEAST_SHARE * session_ns)
		return;
	finding = findings_add(findings, FINDING_IDLE_WAITS, worst->ns, worst->longest_from_ns,
			       worst->longest_to_ns);
	finding->cure = (struct run_change){ .kind = CHANGE_UNPIN };
	finding_add_thread(finding, worst->thread);
	finding_add_cpu(finding, worst->longest_cpu);
	finding_add_cpu(finding, worst->longest_idle_cpu);
	finding_set_text(
		finding,
		"%s waited for busy CPUs for %s, %" PRIu64
		" times, while another CPU on which it has run was idle (longest: %s, CPU %d "
		"busy, CPU %d idle); its affinity mask or the scheduler kept it there",
		thread_label(model, worst->thread).text, figure_ns(worst->ns, " ").text,
		worst->waits, figure_ns(worst->longest_ns, " ").text, worst->longest_cpu,
		worst->longest_idle_cpu);
}

// SPDX-License-Identifier: GPL-2.0
#include "page/overview/overview.h"

#include <stdlib.h>

#include "page/overview/counters.h"
#include "page/overview/cpus.h"
#include "page/overview/densities.h"
#include "page/overview/devices.h"
#include "page/overview/interrupts.h"
#include "page/overview/marks.h"
#include "page/overview/power.h"
#include "page/overview/runs.h"
#include "page/overview/spans.h"
#include "page/overview/states.h"
#include "page/overview/uncore.h"
#include "util/xalloc.h"

#define EVENTS_PER_BUCKET 1024
#define NR_BUCKETS_MIN 4096u
#define NR_BUCKETS_MAX 65536u
/* A bucket has eighths. */
#define SHIFT_MIN 3
/* Beyond so many bytes buckets are made wider; not for less than so many buckets. */
#define BYTES_MAX ((size_t)48 << 20)
#define NR_BUCKETS_FEWEST 512u

struct overview_thread {
	struct lane states;
	struct overview_depths depths;
	struct overview_depths kernel;
	struct overview_densities densities;
	struct overview_points marks;
};

struct overview_cpu {
	struct lane threads;
	struct lane idle;
	struct lane frequencies;
	struct lane interrupts;
	struct overview_densities densities;
};

struct overview {
	struct overview_axis axis;
	uint64_t duration_ns;
	size_t nr_threads;
	size_t threads_capacity;
	struct overview_thread *threads;
	size_t nr_cpus;
	struct overview_cpu *cpus;
	struct overview_counters counters;
	struct overview_devices devices;
	struct overview_uncore uncore;
};

static uint64_t axis_end_ns(const struct overview_axis *axis)
{
	return (uint64_t)axis->nr_max << axis->shift;
}

struct overview *overview_new(uint64_t duration_hint_ns, uint64_t nr_events_hint)
{
	struct overview *overview = xcalloc(1, sizeof(*overview));
	struct overview_axis *axis = &overview->axis;

	axis->nr_max = NR_BUCKETS_MIN;
	while (axis->nr_max < NR_BUCKETS_MAX && axis->nr_max < nr_events_hint / EVENTS_PER_BUCKET)
		axis->nr_max *= 2;
	axis->shift = SHIFT_MIN;
	while (axis_end_ns(axis) < duration_hint_ns && axis_end_ns(axis) <= OVERVIEW_LATEST_NS)
		axis->shift++;
	return overview;
}

static void need_threads(struct overview *overview, size_t nr)
{
	if (nr > overview->threads_capacity) {
		overview->threads_capacity = grown_capacity(overview->threads_capacity, nr);
		overview->threads = xrealloc_array(overview->threads, overview->threads_capacity,
						   sizeof(*overview->threads));
	}
	for (; overview->nr_threads < nr; overview->nr_threads++)
		overview->threads[overview->nr_threads] =
			(struct overview_thread){ .states = lane_new(true) };
}

static void need_cpus(struct overview *overview, size_t nr)
{
	if (nr <= overview->nr_cpus)
		return;
	overview->cpus = xrealloc_array(overview->cpus, nr, sizeof(*overview->cpus));
	for (; overview->nr_cpus < nr; overview->nr_cpus++)
		overview->cpus[overview->nr_cpus] =
			(struct overview_cpu){ .threads = lane_new(false),
					       .idle = lane_new(false),
					       .frequencies = lane_new(false),
					       .interrupts = lane_new(true) };
}

static void coarsen_columns(struct overview *overview, unsigned int nr_doublings)
{
	struct overview_axis *axis = &overview->axis;

	for (size_t i = 0; i < overview->nr_threads; i++) {
		struct overview_thread *thread = &overview->threads[i];

		lane_coarsen(axis, &thread->states, nr_doublings, false);
		overview_coarsen_depths(axis, &thread->depths, nr_doublings);
		overview_coarsen_depths(axis, &thread->kernel, nr_doublings);
		overview_coarsen_densities(axis, &thread->densities, nr_doublings);
		overview_coarsen_marks(axis, &thread->marks, nr_doublings);
	}
	for (size_t i = 0; i < overview->nr_cpus; i++) {
		lane_coarsen(axis, &overview->cpus[i].threads, nr_doublings, false);
		lane_coarsen(axis, &overview->cpus[i].idle, nr_doublings, false);
		lane_coarsen(axis, &overview->cpus[i].frequencies, nr_doublings, false);
		lane_coarsen(axis, &overview->cpus[i].interrupts, nr_doublings, false);
		overview_coarsen_densities(axis, &overview->cpus[i].densities, nr_doublings);
	}
	overview_coarsen_counters(axis, &overview->counters, nr_doublings);
	overview_coarsen_devices(axis, &overview->devices, nr_doublings);
	overview_coarsen_uncore(axis, &overview->uncore, nr_doublings);
	axis->shift += nr_doublings;
}

/* Until the trace's time so far lies on the axis. */
static void lengthen_column(struct overview *overview)
{
	struct overview_axis longer = overview->axis;

	while (axis_end_ns(&longer) <= overview->duration_ns)
		longer.shift++;
	if (longer.shift > overview->axis.shift)
		coarsen_columns(overview, longer.shift - overview->axis.shift);
}

static void save_memory(struct overview *overview)
{
	struct overview_axis *axis = &overview->axis;

	while (axis->nr_bytes > BYTES_MAX && axis->nr_max > NR_BUCKETS_FEWEST) {
		coarsen_columns(overview, 1);
		axis->nr_max /= 2;
	}
}

static void see_until(struct overview *overview, uint64_t time_ns)
{
	if (time_ns > OVERVIEW_LATEST_NS)
		time_ns = OVERVIEW_LATEST_NS;
	if (time_ns > overview->duration_ns)
		overview->duration_ns = time_ns;
}

/* Ends are not in order everywhere. */
static void see_all(struct overview *overview, const uint64_t *times_ns, size_t nr)
{
	uint64_t latest_ns = 0;

	for (size_t i = 0; i < nr; i++)
		latest_ns = times_ns[i] > latest_ns ? times_ns[i] : latest_ns;
	see_until(overview, latest_ns);
}

static void see_states(struct overview *overview, const struct state_table *states)
{
	if (states->end_ns)
		see_all(overview, states->end_ns, states->nr);
	else if (states->nr)
		see_until(overview, states->start_ns[states->nr]);
}

static void see_rows(struct overview *overview, const struct model *model)
{
	see_until(overview, model->duration_ns);
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		see_states(overview, &thread->states);
		see_all(overview, thread->spans.end_ns, thread->spans.nr);
		see_all(overview, thread->kernel_slices.end_ns, thread->kernel_slices.nr);
		see_all(overview, thread->marks.time_ns, thread->marks.nr);
	}
	for (int i = 0; i < model->nr_cpus; i++) {
		const struct cpu *cpu = &model->cpus[i];

		see_all(overview, cpu->slices.end_ns, cpu->slices.nr);
		see_all(overview, cpu->idle.end_ns, cpu->idle.nr);
		see_all(overview, cpu->frequencies.end_ns, cpu->frequencies.nr);
		see_all(overview, cpu->interrupts.end_ns, cpu->interrupts.nr);
	}
	see_all(overview, model->block_io.end_ns, model->block_io.nr);
	see_all(overview, model->uncore_readings.end_ns, model->uncore_readings.nr);
	see_all(overview, model->samples.time_ns, model->samples.nr);
	see_all(overview, model->slice_counts.end_ns, model->slice_counts.nr);
}

static void add_marks(struct overview *overview, uint32_t thread, const struct mark_table *marks)
{
	for (size_t i = 0; i < marks->nr; i++) {
		if (marks->time_ns[i] > OVERVIEW_LATEST_NS)
			continue;
		if (marks->is_counter[i])
			overview_add_value(&overview->axis, &overview->counters, thread,
					   marks->name[i], marks->time_ns[i], marks->value[i]);
		else
			overview_add_mark(&overview->axis, &overview->threads[thread].marks,
					  marks->time_ns[i], marks->name[i]);
	}
}

static struct overview_densities *of_cpu(struct overview *overview, int16_t cpu)
{
	return cpu >= 0 && (size_t)cpu < overview->nr_cpus ? &overview->cpus[cpu].densities : NULL;
}

static struct overview_densities *of_thread(struct overview *overview, uint32_t thread)
{
	return thread < overview->nr_threads ? &overview->threads[thread].densities : NULL;
}

/* Adds @amount in [@from_ns, @to_ns) to @cpu and @thread, if they are known. */
static void add_amount(struct overview *overview, int16_t cpu, uint32_t thread, uint8_t event,
		       uint64_t from_ns, uint64_t to_ns, uint64_t amount)
{
	struct overview_densities *owners[] = { of_cpu(overview, cpu),
						of_thread(overview, thread) };

	if (!amount || from_ns > OVERVIEW_LATEST_NS)
		return;
	if (to_ns > OVERVIEW_LATEST_NS)
		to_ns = OVERVIEW_LATEST_NS;
	for (int i = 0; i < 2; i++) {
		if (owners[i])
			overview_add_spread(&overview->axis, owners[i], event, from_ns, to_ns,
					    amount);
	}
}

static void add_samples(struct overview *overview, const struct sample_table *samples)
{
	for (size_t i = 0; i < samples->nr; i++)
		add_amount(overview, samples->cpu[i], samples->thread[i], samples->event[i],
			   samples->time_ns[i], samples->time_ns[i], samples->period[i]);
}

static void add_counts(struct overview *overview, const struct slice_count_table *slices,
		       uint8_t event, uint32_t counter)
{
	for (size_t i = 0; i < slices->nr; i++)
		add_amount(overview, slices->cpu[i], slices->thread[i], event, slices->start_ns[i],
			   slices->end_ns[i], slices->counts[i * slices->nr_counters + counter]);
}

static void add_rows(struct overview *overview, const struct model *model)
{
	struct overview_axis *axis = &overview->axis;

	for (size_t i = 0; i < model->nr_threads; i++) {
		overview_add_states(axis, &overview->threads[i].states, &model->threads[i].states);
		overview_add_spans(axis, &overview->threads[i].depths, &model->threads[i].spans);
		overview_add_kernel_slices(axis, &overview->threads[i].kernel,
					   &model->threads[i].kernel_slices);
		add_marks(overview, (uint32_t)i, &model->threads[i].marks);
	}
	for (int i = 0; i < model->nr_cpus; i++) {
		struct overview_cpu *cpu = &overview->cpus[i];

		overview_add_slices(axis, &cpu->threads, &model->cpus[i].slices);
		overview_add_idle(axis, &cpu->idle, &model->cpus[i].idle);
		overview_add_frequencies(axis, &cpu->frequencies, &model->cpus[i].frequencies);
		overview_add_interrupts(axis, &cpu->interrupts, &model->cpus[i].interrupts);
	}
	overview_add_requests(axis, &overview->devices, &model->block_io);
	overview_add_readings(axis, &overview->uncore, &model->uncore_readings);
	add_samples(overview, &model->samples);
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (event->is_counted && event->counter < model->slice_counts.nr_counters)
			add_counts(overview, &model->slice_counts, (uint8_t)i, event->counter);
	}
}

void overview_add(struct overview *overview, const struct model *model)
{
	need_threads(overview, model->nr_threads);
	need_cpus(overview, (size_t)model->nr_cpus);
	see_rows(overview, model);
	lengthen_column(overview);
	add_rows(overview, model);
	save_memory(overview);
}

void overview_add_state(struct overview *overview, uint32_t thread, enum thread_state state,
			uint64_t start_ns, uint64_t end_ns)
{
	need_threads(overview, (size_t)thread + 1);
	see_until(overview, end_ns);
	lengthen_column(overview);
	lane_add_time(&overview->axis, &overview->threads[thread].states, start_ns, end_ns, state);
}

uint64_t overview_bucket_ns(const struct overview *overview)
{
	return 1ull << overview->axis.shift;
}

uint32_t overview_nr_buckets(const struct overview *overview)
{
	return (uint32_t)(overview->duration_ns >> overview->axis.shift) + 1;
}

bool overview_widen(struct overview *overview, uint32_t nr_fewest)
{
	if (overview_nr_buckets(overview) < 2 * nr_fewest)
		return false;
	coarsen_columns(overview, 1);
	return true;
}

static void put_densities(struct overview *overview, const struct model *rest, uint8_t event,
			  struct block *block)
{
	uint32_t nr_buckets = overview_nr_buckets(overview);

	for (size_t i = 0; i < overview->nr_cpus; i++)
		overview_put_density(&overview->axis, &overview->cpus[i].densities, event,
				     PAGE_CPU_DENSITY, event * (uint64_t)rest->nr_cpus + i,
				     nr_buckets, block);
	for (size_t i = 0; i < overview->nr_threads; i++)
		overview_put_density(&overview->axis, &overview->threads[i].densities, event,
				     PAGE_THREAD_DENSITY, event * (uint64_t)rest->nr_threads + i,
				     nr_buckets, block);
}

void overview_write(struct overview *overview, const struct model *rest, struct block *block)
{
	struct overview_axis *axis = &overview->axis;
	uint32_t nr_buckets = overview_nr_buckets(overview);

	need_threads(overview, rest->nr_threads);
	need_cpus(overview, (size_t)rest->nr_cpus);
	for (size_t i = 0; i < overview->nr_cpus; i++) {
		struct overview_cpu *cpu = &overview->cpus[i];

		overview_put_cpu(axis, &cpu->threads, i, nr_buckets, block);
		overview_put_idle(axis, &cpu->idle, i, nr_buckets, block);
		overview_put_frequencies(axis, &cpu->frequencies, i, nr_buckets, block);
		overview_put_interrupts(axis, &cpu->interrupts, i, nr_buckets, block);
	}
	for (size_t i = 0; i < overview->nr_threads; i++) {
		struct overview_thread *thread = &overview->threads[i];

		overview_put_states(axis, &thread->states, i, nr_buckets, block);
		overview_put_depths(axis, &thread->depths, i, nr_buckets, block);
		overview_put_kernel_depths(axis, &thread->kernel, i, nr_buckets, block);
		overview_put_marks(&thread->marks, i, nr_buckets, block);
	}
	overview_put_counters(&overview->counters, nr_buckets, block);
	overview_put_devices(axis, &overview->devices, nr_buckets, block);
	overview_put_uncore(axis, &overview->uncore, nr_buckets, block);
	for (size_t i = 0; i < rest->nr_pmu_events; i++) {
		if (!rest->pmu_events[i].is_merged)
			put_densities(overview, rest, (uint8_t)i, block);
	}
}

void overview_free(struct overview *overview)
{
	struct overview_axis *axis = &overview->axis;

	for (size_t i = 0; i < overview->nr_threads; i++) {
		struct overview_thread *thread = &overview->threads[i];

		lane_free(axis, &thread->states);
		overview_free_depths(axis, &thread->depths);
		overview_free_depths(axis, &thread->kernel);
		overview_free_densities(axis, &thread->densities);
		overview_free_marks(axis, &thread->marks);
	}
	for (size_t i = 0; i < overview->nr_cpus; i++) {
		lane_free(axis, &overview->cpus[i].threads);
		lane_free(axis, &overview->cpus[i].idle);
		lane_free(axis, &overview->cpus[i].frequencies);
		lane_free(axis, &overview->cpus[i].interrupts);
		overview_free_densities(axis, &overview->cpus[i].densities);
	}
	overview_free_counters(axis, &overview->counters);
	overview_free_devices(axis, &overview->devices);
	overview_free_uncore(axis, &overview->uncore);
	free(overview->threads);
	free(overview->cpus);
	free(overview);
}

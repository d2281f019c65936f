// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/false_sharing.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/memory/data_level.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

#define DEFAULT_LINE_BYTES 64
#define GRANULE_BYTES 8
#define LEAST_SAMPLES 16
#define LEAST_THREAD_SAMPLES 4
#define LEAST_MISSED 4
#define LEAST_TURNS 0.25
#define SAME_TIME_NS 10000000u

struct use {
	uint64_t line;
	size_t sample;
	int32_t tgid;
};

struct sharing_work {
	const struct model *model;
	const struct sample_misses *misses;
	const bool *is_stores;
	struct false_sharing *sharing;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_uses(const void *a, const void *b)
{
	const struct use *first = a, *second = b;

	if (first->tgid != second->tgid)
		return first->tgid < second->tgid ? -1 : 1;
	if (first->line != second->line)
		return compare_numbers(first->line, second->line);
	return compare_numbers(first->sample, second->sample);
}

static int compare_lines(const void *a, const void *b)
{
	const struct shared_line *first = a, *second = b;

	if (first->is_false_sharing != second->is_false_sharing)
		return first->is_false_sharing ? -1 : 1;
	if (first->lost_ns != second->lost_ns)
		return first->lost_ns > second->lost_ns ? -1 : 1;
	if (first->nr_samples != second->nr_samples)
		return compare_numbers(second->nr_samples, first->nr_samples);
	return compare_numbers(first->sample, second->sample);
}

static bool is_store(const struct sharing_work *work, size_t sample)
{
	const struct sample_table *samples = &work->model->samples;

	if (work->is_stores[samples->event[sample]])
		return true;
	return samples->has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC &&
	       samples->data_src[sample] & (PERF_MEM_OP_STORE << PERF_MEM_OP_SHIFT |
					    PERF_MEM_LOCK_LOCKED << PERF_MEM_LOCK_SHIFT);
}

/* Whether it found the line as another CPU had written it. */
static bool found_modified(const struct sharing_work *work, size_t sample)
{
	const struct sample_table *samples = &work->model->samples;

	return samples->has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC &&
	       samples->data_src[sample] & PERF_MEM_SNOOP_HITM << PERF_MEM_SNOOP_SHIFT;
}

static bool tells_misses(const struct sharing_work *work, size_t sample)
{
	return work->model->pmu_events[work->model->samples.event[sample]].by_ratio;
}

/* Whether it is a sign that the line comes from elsewhere, or goes there. */
static bool is_move(const struct sharing_work *work, size_t sample)
{
	return !tells_misses(work, sample) || is_store(work, sample) ||
	       sample_misses_came_from_beyond(work->misses, sample);
}

static enum miss_level level_of(const struct sharing_work *work, size_t sample)
{
	const struct sample_table *samples = &work->model->samples;

	if (!tells_misses(work, sample))
		return work->misses->levels[samples->event[sample]];
	switch (data_level_of(samples->data_src[sample])) {
	case DATA_MEMORY:
		return MISS_L3;
	case DATA_L3:
		return MISS_L2;
	default:
		return MISS_L1;
	}
}

static double miss_ns(const struct sharing_work *work, size_t sample)
{
	double misses = sample_misses_number(work->misses, sample);

	if (!sample_misses_came_from_beyond(work->misses, sample) || isnan(misses))
		return 0;
	if (work->sharing->cost.is_sampled)
		return misses * work->sharing->cost.ns;
	return misses * fmax(miss_cost_ns(level_of(work, sample)), miss_taken_line_cost_ns());
}

/* NULL: there are too many. */
static struct shared_thread *thread_of(struct shared_line *line, uint32_t thread, int16_t cpu)
{
	for (size_t i = 0; i < line->nr_threads; i++) {
		if (line->threads[i].thread == thread)
			return &line->threads[i];
	}
	if (line->nr_threads == SHARED_MOST_THREADS)
		return NULL;
	line->threads[line->nr_threads] = (struct shared_thread){ .thread = thread, .cpu = cpu };
	return &line->threads[line->nr_threads++];
}

static bool takes_turns(const struct model *model, size_t before, size_t sample)
{
	const struct sample_table *samples = &model->samples;

	return samples->cpu[before] != samples->cpu[sample] &&
	       samples->thread[before] != samples->thread[sample] &&
	       samples->time_ns[sample] - samples->time_ns[before] < SAME_TIME_NS;
}

static void add_move(const struct sharing_work *work, struct shared_line *line, size_t sample)
{
	line->nr_turns += line->nr_samples && takes_turns(work->model, line->last_sample, sample);
	if (!line->nr_samples)
		line->sample = sample;
	line->last_sample = sample;
	line->nr_samples++;
	line->nr_stores += is_store(work, sample);
	line->nr_modified += found_modified(work, sample);
	line->tells_misses |= tells_misses(work, sample);
	line->nr_missed += sample_misses_came_from_beyond(work->misses, sample);
}

static void add_use(const struct sharing_work *work, struct shared_line *line, size_t sample)
{
	const struct sample_table *samples = &work->model->samples;
	uint64_t granule = samples->addr[sample] % work->sharing->line_bytes / GRANULE_BYTES;
	uint64_t bit = 1ull << granule % 64;
	struct shared_thread *thread = thread_of(line, samples->thread[sample],
						 samples->cpu[sample]);
	bool stores = is_store(work, sample);

	if (thread)
		thread->used |= bit;
	if (!is_move(work, sample))
		return;
	add_move(work, line, sample);
	if (!thread)
		return;
	thread->nr_samples++;
	thread->nr_stores += stores;
	thread->nr_modified += found_modified(work, sample);
	if (stores)
		thread->stored |= bit;
	thread->miss_ns += miss_ns(work, sample);
	if (thread->miss_ns > line->lost_ns)
		line->lost_ns = thread->miss_ns;
}

/* The bytes that @thread stores to, as far as its own samples and those of the @other tell. */
static uint64_t stored_by(const struct shared_thread *thread, const struct shared_thread *other)
{
	return thread->stored | (other->nr_modified ? thread->used : 0);
}

static bool share_falsely(const struct shared_thread *first, const struct shared_thread *second)
{
	uint64_t first_stored = stored_by(first, second), second_stored = stored_by(second, first);

	return first->cpu != second->cpu && first->nr_samples >= LEAST_THREAD_SAMPLES &&
	       second->nr_samples >= LEAST_THREAD_SAMPLES && (first_stored || second_stored) &&
	       !(first_stored & second->used) && !(second_stored & first->used);
}

/* Changes, if samples came in random order: one less the sum of squared shares, of each pair. */
static double random_turns(const struct shared_line *line)
{
	double same = 0;

	for (size_t i = 0; i < line->nr_threads; i++) {
		double share = (double)line->threads[i].nr_samples / (double)line->nr_samples;

		same += share * share;
	}
	return (1 - same) * (double)(line->nr_samples - 1);
}

static bool is_false(const struct shared_line *line)
{
	if (line->nr_samples < LEAST_SAMPLES ||
	    (line->tells_misses && line->nr_missed < LEAST_MISSED) ||
	    (double)line->nr_turns < LEAST_TURNS * random_turns(line))
		return false;
	for (size_t i = 0; i < line->nr_threads; i++) {
		for (size_t j = 0; j < i; j++) {
			if (share_falsely(&line->threads[i], &line->threads[j]))
				return true;
		}
	}
	return false;
}

static bool is_shared(const struct shared_line *line)
{
	for (size_t i = 1; i < line->nr_threads; i++) {
		if (line->threads[i].cpu != line->threads[0].cpu)
			return line->nr_stores + line->nr_modified > 0 &&
			       (line->nr_missed > 0 || !line->tells_misses);
	}
	return false;
}

static void add_line(struct sharing_work *work, const struct use *uses, size_t nr)
{
	struct false_sharing *sharing = work->sharing;
	struct shared_line line = {
		.address = uses->line * sharing->line_bytes,
		.tgid = uses->tgid,
		.sample = uses->sample,
	};

	for (size_t i = 0; i < nr; i++)
		add_use(work, &line, uses[i].sample);
	if (!is_shared(&line))
		return;
	line.is_false_sharing = is_false(&line);
	sharing->lines = xrealloc_array(sharing->lines, sharing->nr + 1, sizeof(*sharing->lines));
	sharing->lines[sharing->nr++] = line;
}

static bool has_thread(const struct shared_line *line, uint32_t thread)
{
	for (size_t i = 0; i < line->nr_threads; i++) {
		if (line->threads[i].thread == thread)
			return true;
	}
	return false;
}

/* Loads that hit L1 are among them: they tell who uses what. */
static void add_accesses(struct sharing_work *work, struct shared_line *line,
			 const struct use *uses, size_t nr)
{
	const struct sample_table *samples = &work->model->samples;
	struct line_accesses *accesses = &work->sharing->accesses;

	line->first_access = accesses->nr;
	for (size_t i = 0; i < nr; i++) {
		size_t sample = uses[i].sample;
		const struct line_access access = {
			.line_address = line->address,
			.address = samples->addr[sample],
			.thread = samples->thread[sample],
			.sample = sample,
			.nr_samples = 1,
			.nr_stores = is_store(work, sample),
		};

		if (has_thread(line, access.thread))
			line_accesses_add(accesses, line->first_access, &access);
	}
	line_accesses_sort(accesses, line->first_access);
	line->nr_accesses = accesses->nr - line->first_access;
}

/* In the order of the lines. @uses are sorted. */
static void add_all_accesses(struct sharing_work *work, const struct use *uses, size_t nr)
{
	struct false_sharing *sharing = work->sharing;

	for (size_t i = 0; i < sharing->nr && sharing->lines[i].is_false_sharing; i++) {
		struct shared_line *line = &sharing->lines[i];
		const struct use first = {
			.line = line->address / sharing->line_bytes,
			.tgid = line->tgid,
		};
		const struct use last = { first.line, SIZE_MAX, first.tgid };
		size_t at = LOWER_BOUND(row, 0, nr, compare_uses(&uses[row], &first) < 0);
		size_t end = LOWER_BOUND(row, at, nr, compare_uses(&uses[row], &last) < 0);

		add_accesses(work, line, &uses[at], end - at);
	}
}

static struct use *gather_uses(const struct sharing_work *work, size_t *nr)
{
	const struct model *model = work->model;
	const struct sample_table *samples = &model->samples;
	struct use *uses = xcalloc(samples->nr, sizeof(*uses));

	*nr = 0;
	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t thread = samples->thread[i];

		if (thread == MODEL_NO_THREAD || !model->threads[thread].in_session ||
		    !(samples->has[i] & ANNOT_SAMPLE_HAS_ADDR) || !samples->addr[i])
			continue;
		uses[(*nr)++] = (struct use){
			.line = samples->addr[i] / work->sharing->line_bytes,
			.sample = i,
			.tgid = model->threads[thread].tgid,
		};
	}
	return uses;
}

struct false_sharing *false_sharing_compute(const struct model *model,
					    const struct sample_misses *misses,
					    const struct miss_cost *taken_line,
					    const bool *is_stores)
{
	struct false_sharing *sharing = xcalloc(1, sizeof(*sharing));
	struct sharing_work work = { model, misses, is_stores, sharing };
	struct use *uses;
	size_t nr, end;

	sharing->line_bytes = topology_line_bytes(&model->topology, DEFAULT_LINE_BYTES);
	sharing->cost = *taken_line;
	uses = gather_uses(&work, &nr);
	sharing->known = nr > 0;
	if (nr)
		qsort(uses, nr, sizeof(*uses), compare_uses);
	for (size_t first = 0; first < nr; first = end) {
		for (end = first + 1; end < nr && uses[end].line == uses[first].line &&
				      uses[end].tgid == uses[first].tgid;
		     end++)
			;
		add_line(&work, &uses[first], end - first);
	}
	if (sharing->nr)
		qsort(sharing->lines, sharing->nr, sizeof(*sharing->lines), compare_lines);
	add_all_accesses(&work, uses, nr);
	free(uses);
	return sharing;
}

void false_sharing_free(struct false_sharing *sharing)
{
	free(sharing->lines);
	line_accesses_free(&sharing->accesses);
	free(sharing);
}

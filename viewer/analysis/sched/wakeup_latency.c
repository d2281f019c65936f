// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/wakeup_latency.h"

#include <stdlib.h>

#include "analysis/stats/time_samples.h"
#include "analysis/stats/value_counts.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Woken, it may be moved from queue to queue: all that is one latency. */
static void collect_latencies(struct time_samples *samples, const struct state_table *states)
{
	uint64_t since_ns = UINT64_MAX;

	for (size_t row = 0; row < states->nr; row++) {
		if (states->state[row] == STATE_RUNNABLE) {
			if (since_ns == UINT64_MAX)
				since_ns = states->start_ns[row];
			continue;
		}
		if (states->state[row] == STATE_RUNNING && since_ns != UINT64_MAX)
			time_samples_add(samples, states->start_ns[row] - since_ns);
		since_ns = UINT64_MAX;
	}
}

static struct latencies summarise_latencies(const uint64_t *ns, size_t nr,
					    const struct value_counts *counts)
{
	struct latencies latencies = { .nr = nr };

	if (!nr)
		return latencies;
	for (size_t i = 0; i < nr; i++) {
		latencies.sum_ns += ns[i];
		if (ns[i] > latencies.max_ns)
			latencies.max_ns = ns[i];
	}
	latencies.median_ns = value_counts_nth(counts, ns, nr, (nr - 1) / 2);
	latencies.p99_ns = value_counts_nth(counts, ns, nr, (nr * 99 + 99) / 100 - 1);
	return latencies;
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread_latencies *first = a, *second = b;

	if (first->latencies.sum_ns != second->latencies.sum_ns)
		return first->latencies.sum_ns > second->latencies.sum_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void add_thread(struct wakeup_latency *wakeups, uint32_t thread, const uint64_t *ns,
		       size_t nr, struct value_counts *all)
{
	struct value_counts counts = { 0 };

	for (size_t i = 0; i < nr; i++) {
		value_counts_add(&counts, ns[i]);
		histogram_add(&wakeups->histogram, ns[i]);
	}
	value_counts_merge(all, &counts);
	wakeups->threads[wakeups->nr_threads++] = (struct thread_latencies){
		.thread = thread,
		.latencies = summarise_latencies(ns, nr, &counts),
	};
}

struct wakeup_latency *wakeup_latency_compute(const struct model *model)
{
	struct wakeup_latency *wakeups = xcalloc(1, sizeof(*wakeups));
	struct time_samples samples = { 0 };
	struct value_counts all = { 0 };

	wakeups->threads = xcalloc(model->nr_threads, sizeof(*wakeups->threads));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		size_t first = samples.nr;

		if (!model->threads[i].in_session)
			continue;
		collect_latencies(&samples, &model->threads[i].states);
		if (samples.nr > first)
			add_thread(wakeups, i, samples.ns + first, samples.nr - first, &all);
	}
	wakeups->all = summarise_latencies(samples.ns, samples.nr, &all);
	if (wakeups->nr_threads)
		qsort(wakeups->threads, wakeups->nr_threads, sizeof(*wakeups->threads),
		      compare_threads);
	spill_free(samples.ns);
	return wakeups;
}

void wakeup_latency_free(struct wakeup_latency *wakeups)
{
	free(wakeups->threads);
	free(wakeups);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/wakeup_latency.h"

#include <stdlib.h>

#include "analysis/stats/distribution.h"
#include "analysis/stats/time_samples.h"
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

/* Changes the order of what is in @ns. */
static struct latencies summarise_latencies(uint64_t *ns, size_t nr)
{
	struct latencies latencies = { .nr = nr };
	size_t median, p99;

	if (!nr)
		return latencies;
	median = (nr - 1) / 2;
	p99 = (nr * 99 + 99) / 100 - 1;
	for (size_t i = 0; i < nr; i++) {
		latencies.sum_ns += ns[i];
		if (ns[i] > latencies.max_ns)
			latencies.max_ns = ns[i];
	}
	distribution_select_nth(ns, nr, median);
	/* What is greater stands behind it. */
	distribution_select_nth(ns + median, nr - median, p99 - median);
	latencies.median_ns = ns[median];
	latencies.p99_ns = ns[p99];
	return latencies;
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread_latencies *first = a, *second = b;

	if (first->latencies.sum_ns != second->latencies.sum_ns)
		return first->latencies.sum_ns > second->latencies.sum_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct wakeup_latency *wakeup_latency_compute(const struct model *model)
{
	struct wakeup_latency *wakeups = xcalloc(1, sizeof(*wakeups));
	struct time_samples samples = { 0 };

	wakeups->threads = xcalloc(model->nr_threads, sizeof(*wakeups->threads));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		size_t first = samples.nr;

		if (!model->threads[i].in_session)
			continue;
		collect_latencies(&samples, &model->threads[i].states);
		if (samples.nr == first)
			continue;
		wakeups->threads[wakeups->nr_threads++] = (struct thread_latencies){
			.thread = i,
			.latencies = summarise_latencies(samples.ns + first, samples.nr - first),
		};
	}
	for (size_t i = 0; i < samples.nr; i++)
		histogram_add(&wakeups->histogram, samples.ns[i]);
	wakeups->all = summarise_latencies(samples.ns, samples.nr);
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

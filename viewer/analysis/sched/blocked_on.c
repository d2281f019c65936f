// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/blocked_on.h"

#include <stdlib.h>

#include "trace/event.h"
#include "util/xalloc.h"

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

static int compare_by_cause(const void *a, const void *b)
{
	const struct blocked_wait *first = a, *second = b;

	COMPARE(first->cause, second->cause);
	COMPARE(first->thread, second->thread);
	COMPARE(first->from_ns, second->from_ns);
	return 0;
}

static int compare_by_waker(const void *a, const void *b)
{
	const struct blocked_wait *first = a, *second = b;

	COMPARE(first->waker, second->waker);
	return 0;
}

/* Who ended most of the time of @nr stretches, whose order it changes. */
static void find_waker(struct blocked_on_sum *sum, struct blocked_wait *stretches, size_t nr)
{
	size_t end;

	qsort(stretches, nr, sizeof(*stretches), compare_by_waker);
	sum->waker = MODEL_NO_THREAD;
	for (size_t i = 0; i < nr; i = end) {
		uint64_t ns = 0;

		for (end = i; end < nr && stretches[end].waker == stretches[i].waker; end++)
			ns += blocked_wait_ns(&stretches[end]);
		if (ns <= sum->waker_ns)
			continue;
		sum->waker = stretches[i].waker;
		sum->waker_ns = ns;
	}
}

/* Of stretches of one cause, in order of threads. Changes their order. */
static struct blocked_on_sum sum_up(struct blocked_wait *stretches, size_t nr)
{
	uint64_t *lengths_ns = xcalloc(nr, sizeof(*lengths_ns));
	struct blocked_on_sum sum = { .cause = stretches[0].cause, .nr = nr };
	const struct blocked_wait *longest = stretches;

	for (size_t i = 0; i < nr; i++) {
		lengths_ns[i] = blocked_wait_ns(&stretches[i]);
		sum.nr_threads += !i || stretches[i].thread != stretches[i - 1].thread;
		if (lengths_ns[i] > blocked_wait_ns(longest))
			longest = &stretches[i];
	}
	sum.longest_thread = longest->thread;
	sum.longest_from_ns = longest->from_ns;
	sum.longest_to_ns = longest->to_ns;
	sum.frames = longest->frames;
	sum.ns = distribution_of(lengths_ns, nr, 0);
	find_waker(&sum, stretches, nr);
	free(lengths_ns);
	return sum;
}

static int compare_sums(const void *a, const void *b)
{
	const struct blocked_on_sum *first = a, *second = b;

	if (first->ns.sum != second->ns.sum)
		return first->ns.sum > second->ns.sum ? -1 : 1;
	COMPARE(first->thread, second->thread);
	COMPARE(first->cause, second->cause);
	return 0;
}

static void add_threads(struct blocked_on *blocked, struct blocked_wait *stretches, size_t nr)
{
	size_t end;

	for (size_t i = 0; i < nr; i = end) {
		struct blocked_on_sum sum;

		for (end = i; end < nr && stretches[end].thread == stretches[i].thread; end++)
			;
		sum = sum_up(&stretches[i], end - i);
		sum.thread = stretches[i].thread;
		blocked->threads[blocked->nr_threads++] = sum;
	}
}

static void add_sums(struct blocked_on *blocked, struct blocked_wait *stretches, size_t nr)
{
	size_t end;

	for (size_t i = 0; i < nr; i = end) {
		struct blocked_on_sum *sum = &blocked->causes[blocked->nr_causes++];

		for (end = i; end < nr && stretches[end].cause == stretches[i].cause; end++)
			;
		add_threads(blocked, &stretches[i], end - i);
		qsort(&stretches[i], end - i, sizeof(*stretches), compare_by_cause);
		*sum = sum_up(&stretches[i], end - i);
		sum->thread = MODEL_NO_THREAD;
		blocked->blocked_ns += sum->ns.sum;
		if (sum->cause == TRACE_NO_STRING)
			blocked->unknown_ns += sum->ns.sum;
	}
}

/* Those of the session's threads, by cause. Returns how many. */
static size_t take_session(const struct model *model, struct blocked_waits *waits)
{
	size_t nr = 0;

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		for (size_t i = waits->first[thread];
		     model->threads[thread].in_session && i < waits->first[thread + 1]; i++)
			waits->rows[nr++] = waits->rows[i];
	}
	if (nr)
		qsort(waits->rows, nr, sizeof(*waits->rows), compare_by_cause);
	return nr;
}

struct blocked_on blocked_on_compute(const struct model *model)
{
	struct blocked_on blocked = { .has_causes = blocked_waits_have_causes(model) };
	struct blocked_waits waits;
	size_t nr;

	if (!blocked.has_causes)
		return blocked;
	waits = blocked_waits_find(model);
	nr = take_session(model, &waits);
	blocked.causes = xcalloc(nr, sizeof(*blocked.causes));
	blocked.threads = xcalloc(nr, sizeof(*blocked.threads));
	add_sums(&blocked, waits.rows, nr);
	if (blocked.nr_causes)
		qsort(blocked.causes, blocked.nr_causes, sizeof(*blocked.causes), compare_sums);
	if (blocked.nr_threads)
		qsort(blocked.threads, blocked.nr_threads, sizeof(*blocked.threads), compare_sums);
	blocked_waits_free(&waits);
	return blocked;
}

void blocked_on_free(struct blocked_on *blocked)
{
	free(blocked->causes);
	free(blocked->threads);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/blocked_on.h"

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

static int compare_by_object(const void *a, const void *b)
{
	const struct blocked_wait *first = a, *second = b;

	COMPARE(first->cause, second->cause);
	COMPARE(first->object, second->object);
	COMPARE(first->thread, second->thread);
	COMPARE(first->from_ns, second->from_ns);
	return 0;
}

/* One of the things that a sum may have in common. */
typedef uint64_t stretch_value(const struct blocked_wait *stretch);

static uint64_t waker_of(const struct blocked_wait *stretch)
{
	return stretch->waker;
}

static uint64_t object_of(const struct blocked_wait *stretch)
{
	return stretch->object;
}

static uint64_t holder_of(const struct blocked_wait *stretch)
{
	return stretch->holder;
}

/* A value, and how long it was. */
static int compare_shares(const void *a, const void *b)
{
	const struct blocked_on_share *first = a, *second = b;

	COMPARE(first->which, second->which);
	return 0;
}

/*
 * Which @value most of the time of @nr stretches has that have another one than @none; of equal times, the smallest.
 * @none, if there are no such.
 */
static struct blocked_on_share most_of(const struct blocked_wait *stretches, size_t nr_stretches,
				       stretch_value *value, uint64_t none)
{
	struct blocked_on_share *shares = xcalloc(nr_stretches, sizeof(*shares));
	struct blocked_on_share most = { .which = none };
	size_t nr = 0, end;

	for (size_t i = 0; i < nr_stretches; i++) {
		uint64_t which = value(&stretches[i]);

		if (which != none)
			shares[nr++] = (struct blocked_on_share){ which,
								  blocked_wait_ns(&stretches[i]) };
	}
	if (nr)
		qsort(shares, nr, sizeof(*shares), compare_shares);
	for (size_t i = 0; i < nr; i = end) {
		uint64_t ns = 0;

		for (end = i; end < nr && shares[end].which == shares[i].which; end++)
			ns += shares[end].ns;
		if (!i || ns > most.ns)
			most = (struct blocked_on_share){ shares[i].which, ns };
	}
	free(shares);
	return most;
}

/* Of stretches of one cause, in order of threads. */
static struct blocked_on_sum sum_up(const struct blocked_wait *stretches, size_t nr)
{
	const struct blocked_on_share waker = most_of(stretches, nr, waker_of, UINT64_MAX);
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
	sum.system_call = longest->system_call;
	sum.ns = distribution_of(lengths_ns, nr, 0);
	sum.waker = waker.ns ? (uint32_t)waker.which : MODEL_NO_THREAD;
	sum.waker_ns = waker.ns;
	sum.object = most_of(stretches, nr, object_of, TRACE_NO_STRING);
	sum.holder = most_of(stretches, nr, holder_of, MODEL_NO_THREAD);
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
	COMPARE(first->object.which, second->object.which);
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
		*sum = sum_up(&stretches[i], end - i);
		sum->thread = MODEL_NO_THREAD;
		blocked->blocked_ns += sum->ns.sum;
		if (sum->cause == TRACE_NO_STRING)
			blocked->unknown_ns += sum->ns.sum;
	}
}

/* Changes the order of @stretches. */
static void add_objects(struct blocked_on *blocked, struct blocked_wait *stretches, size_t nr)
{
	size_t end;

	if (nr)
		qsort(stretches, nr, sizeof(*stretches), compare_by_object);
	for (size_t i = 0; i < nr; i = end) {
		struct blocked_on_sum sum;

		for (end = i; end < nr && stretches[end].cause == stretches[i].cause &&
			      stretches[end].object == stretches[i].object;
		     end++)
			;
		if (stretches[i].object == TRACE_NO_STRING)
			continue;
		sum = sum_up(&stretches[i], end - i);
		sum.thread = MODEL_NO_THREAD;
		blocked->objects[blocked->nr_objects++] = sum;
	}
}

static void sort_sums(struct blocked_on_sum *sums, size_t nr)
{
	if (nr)
		qsort(sums, nr, sizeof(*sums), compare_sums);
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
	blocked.objects = xcalloc(nr, sizeof(*blocked.objects));
	add_sums(&blocked, waits.rows, nr);
	add_objects(&blocked, waits.rows, nr);
	sort_sums(blocked.causes, blocked.nr_causes);
	sort_sums(blocked.threads, blocked.nr_threads);
	sort_sums(blocked.objects, blocked.nr_objects);
	blocked_waits_free(&waits);
	return blocked;
}

void blocked_on_free(struct blocked_on *blocked)
{
	free(blocked->causes);
	free(blocked->threads);
	free(blocked->objects);
}

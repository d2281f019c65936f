// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/blocked_on.h"

#include <stdlib.h>

#include "trace/event.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

/* One time that a thread was blocked. */
struct stretch {
	uint32_t cause;
	uint32_t thread;
	uint32_t frames;
	uint32_t waker;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* Wakeups by wakee, in time order: those of thread t are rows[first[t]] to rows[first[t + 1] - 1]. */
struct wakeups_of {
	size_t *first;
	size_t *rows;
};

struct collecting {
	const struct model *model;
	struct wakeups_of wakeups;
	size_t nr;
	size_t capacity;
	struct stretch *stretches;
};

static struct wakeups_of index_wakeups(const struct model *model)
{
	const struct wakeup_table *wakeups = &model->wakeups;
	struct wakeups_of index = {
		.first = xcalloc(model->nr_threads + 2, sizeof(*index.first)),
		.rows = xcalloc(wakeups->nr, sizeof(*index.rows)),
	};

	/* first[t + 2] counts, then first[t + 1] is where the next one of t goes, in the end where they end. */
	for (size_t row = 0; row < wakeups->nr; row++)
		index.first[wakeups->wakee[row] + 2]++;
	for (size_t thread = 0; thread < model->nr_threads; thread++)
		index.first[thread + 2] += index.first[thread + 1];
	for (size_t row = 0; row < wakeups->nr; row++)
		index.rows[index.first[wakeups->wakee[row] + 1]++] = row;
	return index;
}

/* Of the wakeup of @thread at @time_ns. */
static uint32_t waker_at(const struct collecting *collecting, uint32_t thread, uint64_t time_ns)
{
	const struct wakeups_of *index = &collecting->wakeups;
	const struct wakeup_table *wakeups = &collecting->model->wakeups;
	size_t end = index->first[thread + 1];
	size_t at = LOWER_BOUND(i, index->first[thread], end,
				wakeups->time_ns[index->rows[i]] < time_ns);

	if (at == end || wakeups->time_ns[index->rows[at]] != time_ns)
		return BLOCKED_ON_WAKER_UNKNOWN;
	return wakeups->waker[index->rows[at]];
}

static bool is_blocked(enum thread_state state)
{
	return state == STATE_SLEEPING || state == STATE_UNINTERRUPTIBLE || state == STATE_STOPPED;
}

static void collect_thread(struct collecting *collecting, uint32_t thread)
{
	const struct state_table *states = &collecting->model->threads[thread].states;
	const struct cause_table *causes = &collecting->model->threads[thread].causes;
	size_t at = 0;

	for (size_t row = 0; row < states->nr; row++) {
		struct stretch stretch = { .thread = thread,
					   .from_ns = states->start_ns[row],
					   .to_ns = states->start_ns[row + 1] };

		if (!is_blocked(states->state[row]))
			continue;
		while (at < causes->nr && causes->start_ns[at] < stretch.from_ns)
			at++;
		if (at < causes->nr && causes->start_ns[at] == stretch.from_ns) {
			stretch.cause = causes->cause[at];
			stretch.frames = causes->frames[at];
		}
		stretch.waker = waker_at(collecting, thread, stretch.to_ns);
		ARRAY_MAKE_ROOM(collecting->stretches, collecting->nr, collecting->capacity);
		collecting->stretches[collecting->nr++] = stretch;
	}
}

static uint64_t length_ns(const struct stretch *stretch)
{
	return stretch->to_ns - stretch->from_ns;
}

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

static int compare_by_cause(const void *a, const void *b)
{
	const struct stretch *first = a, *second = b;

	COMPARE(first->cause, second->cause);
	COMPARE(first->thread, second->thread);
	COMPARE(first->from_ns, second->from_ns);
	return 0;
}

static int compare_by_waker(const void *a, const void *b)
{
	const struct stretch *first = a, *second = b;

	COMPARE(first->waker, second->waker);
	return 0;
}

/* Who ended most of the time of @nr stretches, whose order it changes. */
static void find_waker(struct blocked_on_sum *sum, struct stretch *stretches, size_t nr)
{
	size_t end;

	qsort(stretches, nr, sizeof(*stretches), compare_by_waker);
	sum->waker = MODEL_NO_THREAD;
	for (size_t i = 0; i < nr; i = end) {
		uint64_t ns = 0;

		for (end = i; end < nr && stretches[end].waker == stretches[i].waker; end++)
			ns += length_ns(&stretches[end]);
		if (ns <= sum->waker_ns)
			continue;
		sum->waker = stretches[i].waker;
		sum->waker_ns = ns;
	}
}

/* Of stretches of one cause, in order of threads. Changes their order. */
static struct blocked_on_sum sum_up(struct stretch *stretches, size_t nr)
{
	uint64_t *lengths_ns = xcalloc(nr, sizeof(*lengths_ns));
	struct blocked_on_sum sum = { .cause = stretches[0].cause, .nr = nr };
	const struct stretch *longest = stretches;

	for (size_t i = 0; i < nr; i++) {
		lengths_ns[i] = length_ns(&stretches[i]);
		sum.nr_threads += !i || stretches[i].thread != stretches[i - 1].thread;
		if (lengths_ns[i] > length_ns(longest))
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

static void add_threads(struct blocked_on *blocked, struct stretch *stretches, size_t nr)
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

static void add_sums(struct blocked_on *blocked, struct stretch *stretches, size_t nr)
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

static bool has_causes(const struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].causes.nr)
			return true;
	}
	return false;
}

struct blocked_on blocked_on_compute(const struct model *model)
{
	struct collecting collecting = { .model = model };
	struct blocked_on blocked = { .has_causes = has_causes(model) };

	if (!blocked.has_causes)
		return blocked;
	collecting.wakeups = index_wakeups(model);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			collect_thread(&collecting, thread);
	}
	blocked.causes = xcalloc(collecting.nr, sizeof(*blocked.causes));
	blocked.threads = xcalloc(collecting.nr, sizeof(*blocked.threads));
	if (collecting.nr)
		qsort(collecting.stretches, collecting.nr, sizeof(*collecting.stretches),
		      compare_by_cause);
	add_sums(&blocked, collecting.stretches, collecting.nr);
	if (blocked.nr_causes)
		qsort(blocked.causes, blocked.nr_causes, sizeof(*blocked.causes), compare_sums);
	if (blocked.nr_threads)
		qsort(blocked.threads, blocked.nr_threads, sizeof(*blocked.threads), compare_sums);
	free(collecting.wakeups.first);
	free(collecting.wakeups.rows);
	free(collecting.stretches);
	return blocked;
}

void blocked_on_free(struct blocked_on *blocked)
{
	free(blocked->causes);
	free(blocked->threads);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/lock_contention.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/by_thread.h"
#include "analysis/base/row_search.h"
#include "util/figure.h"
#include "util/xalloc.h"

#define HELD_LEAST_SHARE 0.3 /* of the waiting: a holder that is worth naming */

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* A wait for a lock, or the time that a thread holds one. */
struct lock_span {
	int32_t tgid;
	uint64_t
		lock; /* of a wait: its value, or beyond all addresses its name; of a hold: its name */
	uint32_t name;
	uint32_t thread;
	uint64_t start_ns;
	uint64_t end_ns;
};

struct lock_spans {
	size_t nr;
	size_t capacity;
	struct lock_span *rows;
};

struct lock_holder {
	uint32_t thread;
	uint64_t held_ns;
	uint64_t longest_ns; /* at once, and when */
	uint64_t longest_at_ns;
};

struct contention_build {
	const struct model *model;
	struct by_thread wakeups; /* by wakee */
	struct lock_spans waits;
	struct lock_spans holds;
	size_t nr_names;
	bool *is_lock; /* by string id: there are waits of that name */
	size_t nr_waiters; /* of the lock that is looked at */
	size_t waiters_capacity;
	uint32_t *waiters;
	size_t nr_holders; /* of the lock that is looked at */
	size_t holders_capacity;
	struct lock_holder *holders;
};

static bool is_lock_name(const char *name)
{
	static const char *const words[] = { "critical", "lock", "mutex", "rwlock" };
	size_t length = strcspn(name, " ");

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (length == strlen(words[i]) && !strncmp(name, words[i], length))
			return true;
	}
	return false;
}

static void add_span(struct lock_spans *list, const struct model *model, uint32_t thread,
		     size_t row, uint64_t lock)
{
	const struct span_table *spans = &model->threads[thread].spans;

	ARRAY_MAKE_ROOM(list->rows, list->nr, list->capacity);
	list->rows[list->nr++] = (struct lock_span){
		.tgid = model->threads[thread].tgid,
		.lock = lock,
		.name = spans->name[row],
		.thread = thread,
		.start_ns = spans->start_ns[row],
		.end_ns = spans->end_ns[row],
	};
}

static void note_lock_name(struct contention_build *build, uint32_t name)
{
	if (name >= build->nr_names) {
		size_t nr = grown_capacity(build->nr_names, (size_t)name + 1);

		build->is_lock = xrealloc_array(build->is_lock, nr, sizeof(*build->is_lock));
		memset(build->is_lock + build->nr_names, 0, nr - build->nr_names);
		build->nr_names = nr;
	}
	build->is_lock[name] = true;
}

static void collect_waits(struct contention_build *build, uint32_t thread)
{
	const struct span_table *spans = &build->model->threads[thread].spans;

	for (size_t row = 0; row < spans->nr; row++) {
		uint64_t lock = (uint64_t)spans->value[row];

		if (spans->kind[row] != TRACE_SPAN_WAIT ||
		    !is_lock_name(trace_string(build->model->trace, spans->name[row])))
			continue;
		if (!(spans->flags[row] & SPAN_HAS_VALUE))
			lock = UINT64_MAX - spans->name[row];
		note_lock_name(build, spans->name[row]);
		add_span(&build->waits, build->model, thread, row, lock);
	}
}

static void collect_holds(struct contention_build *build, uint32_t thread)
{
	const struct span_table *spans = &build->model->threads[thread].spans;

	for (size_t row = 0; row < spans->nr; row++) {
		if (spans->kind[row] == TRACE_SPAN_WORK && spans->name[row] < build->nr_names &&
		    build->is_lock[spans->name[row]])
			add_span(&build->holds, build->model, thread, row, spans->name[row]);
	}
}

static int compare_spans(const void *a, const void *b)
{
	const struct lock_span *first = a, *second = b;

	COMPARE(first->tgid, second->tgid);
	COMPARE(first->lock, second->lock);
	COMPARE(first->start_ns, second->start_ns);
	COMPARE(first->thread, second->thread);
	return 0;
}

static void sort_spans(struct lock_spans *list)
{
	if (list->nr)
		qsort(list->rows, list->nr, sizeof(*list->rows), compare_spans);
}

static void collect_all(struct contention_build *build)
{
	const struct model *model = build->model;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			collect_waits(build, i);
	}
	for (uint32_t i = 0; build->waits.nr && i < model->nr_threads; i++)
		collect_holds(build, i);
	sort_spans(&build->waits);
	sort_spans(&build->holds);
}

/*
 * The first hold of @wait's name that begins behind @wait's start. Of those before it, the last one may reach
 * into the wait: a lock has one holder at a time.
 */
static size_t first_hold_after(const struct lock_spans *holds, const struct lock_span *wait)
{
	struct lock_span wanted = *wait;
	size_t low = 0, high = holds->nr;

	wanted.lock = wait->name;
	wanted.thread = UINT32_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_spans(&holds->rows[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_holder(struct contention_build *build, uint32_t thread, uint64_t from_ns,
		       uint64_t to_ns)
{
	struct lock_holder *holder;
	size_t at = 0;

	if (from_ns >= to_ns)
		return;
	while (at < build->nr_holders && build->holders[at].thread != thread)
		at++;
	if (at == build->nr_holders) {
		ARRAY_MAKE_ROOM(build->holders, build->nr_holders, build->holders_capacity);
		build->holders[build->nr_holders++] = (struct lock_holder){ .thread = thread };
	}
	holder = &build->holders[at];
	holder->held_ns += to_ns - from_ns;
	if (to_ns - from_ns > holder->longest_ns) {
		holder->longest_ns = to_ns - from_ns;
		holder->longest_at_ns = from_ns;
	}
}

/* Returns whether anybody tells of holding a lock of that name. */
static bool attribute_to_holds(struct contention_build *build, const struct lock_span *wait)
{
	const struct lock_spans *holds = &build->holds;
	size_t after = first_hold_after(holds, wait), at = after ? after - 1 : 0;
	bool any = false;

	for (; at < holds->nr; at++) {
		const struct lock_span *hold = &holds->rows[at];
		uint64_t from_ns = hold->start_ns, to_ns = hold->end_ns;

		if (hold->tgid != wait->tgid || hold->lock != wait->name) {
			if (at >= after)
				break;
			continue;
		}
		any = true;
		if (from_ns >= wait->end_ns)
			break;
		if (hold->thread != wait->thread)
			add_holder(build, hold->thread,
				   from_ns > wait->start_ns ? from_ns : wait->start_ns,
				   to_ns < wait->end_ns ? to_ns : wait->end_ns);
	}
	return any;
}

/* The thread of the same process that woke the waiting one last; not for a time before the wait. */
static void attribute_to_waker(struct contention_build *build, const struct lock_span *wait)
{
	const struct wakeup_table *wakeups = &build->model->wakeups;
	const size_t *rows = build->wakeups.rows;
	size_t low = build->wakeups.first[wait->thread];
	size_t first = low, high = build->wakeups.first[wait->thread + 1];
	uint32_t waker;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (wakeups->time_ns[rows[middle]] <= wait->end_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first)
		return;
	waker = wakeups->waker[rows[low - 1]];
	if (waker != MODEL_NO_THREAD && build->model->threads[waker].tgid == wait->tgid)
		add_holder(build, waker, wait->start_ns, wakeups->time_ns[rows[low - 1]]);
}

/* The innermost span of work of @thread then that is not the lock's own. */
static uint32_t task_at(const struct model *model, uint32_t thread, uint64_t time_ns,
			const bool *is_lock, size_t nr_names)
{
	const struct span_table *spans = &model->threads[thread].spans;

	for (size_t row = column_find(spans->start_ns, spans->nr, time_ns); row != SIZE_MAX;
	     row--) {
		uint32_t name = spans->name[row];

		if (spans->end_ns[row] > time_ns && spans->kind[row] == TRACE_SPAN_WORK &&
		    !(name < nr_names && is_lock[name]))
			return name;
		if (!spans->depth[row] && spans->end_ns[row] > time_ns)
			break;
	}
	return TRACE_NO_STRING;
}

static void sum_holders(struct contention_build *build, struct lock_contention_lock *lock)
{
	const struct lock_holder *most = NULL;

	lock->holder = MODEL_NO_THREAD;
	for (size_t i = 0; i < build->nr_holders; i++) {
		const struct lock_holder *holder = &build->holders[i];

		lock->attributed_ns += holder->held_ns;
		if (!most || holder->held_ns > most->held_ns)
			most = holder;
	}
	build->nr_holders = 0;
	if (!most)
		return;
	lock->holder = most->thread;
	lock->held_ns = most->held_ns;
	lock->holder_task = task_at(build->model, most->thread, most->longest_at_ns, build->is_lock,
				    build->nr_names);
}

static bool is_same_lock(const struct lock_span *a, const struct lock_span *b)
{
	return a->tgid == b->tgid && a->lock == b->lock;
}

/* Whether it is the thread's first wait for the lock. */
static bool add_waiter(struct contention_build *build, uint32_t thread)
{
	for (size_t i = 0; i < build->nr_waiters; i++) {
		if (build->waiters[i] == thread)
			return false;
	}
	ARRAY_MAKE_ROOM(build->waiters, build->nr_waiters, build->waiters_capacity);
	build->waiters[build->nr_waiters++] = thread;
	return true;
}

/* Waits come in the order of their starts; those before reach up to @until_ns. */
static uint64_t add_contended(struct lock_contention_lock *lock, const struct lock_span *wait,
			      uint64_t until_ns)
{
	uint64_t from_ns = wait->start_ns > until_ns ? wait->start_ns : until_ns;

	if (wait->end_ns <= from_ns)
		return until_ns;
	lock->contended_ns += wait->end_ns - from_ns;
	return wait->end_ns;
}

static void add_wait(struct lock_contention_lock *lock, const struct lock_span *wait)
{
	uint64_t length_ns = wait->end_ns - wait->start_ns;

	lock->waits++;
	lock->wait_ns += length_ns;
	if (lock->waits > 1 && length_ns <= lock->longest_ns)
		return;
	lock->name = wait->name;
	lock->longest_ns = length_ns;
	lock->longest_from_ns = wait->start_ns;
	lock->longest_to_ns = wait->end_ns;
	lock->longest_waiter = wait->thread;
}

/* The lock of the waits from @first on; returns the first wait of the next one. */
static size_t sum_lock(struct contention_build *build, size_t first,
		       struct lock_contention_lock *lock)
{
	const struct lock_span *waits = build->waits.rows;
	uint64_t until_ns = 0;
	size_t at = first;

	*lock = (struct lock_contention_lock){ 0 };
	for (; at < build->waits.nr && is_same_lock(&waits[first], &waits[at]); at++) {
		add_wait(lock, &waits[at]);
		lock->waiters += add_waiter(build, waits[at].thread);
		until_ns = add_contended(lock, &waits[at], until_ns);
		if (!attribute_to_holds(build, &waits[at]))
			attribute_to_waker(build, &waits[at]);
	}
	build->nr_waiters = 0;
	sum_holders(build, lock);
	return at;
}

static int compare_locks(const void *a, const void *b)
{
	const struct lock_contention_lock *first = a, *second = b;

	if (first->wait_ns != second->wait_ns)
		return first->wait_ns > second->wait_ns ? -1 : 1;
	COMPARE(first->longest_from_ns, second->longest_from_ns);
	return 0;
}

struct lock_contention lock_contention_compute(const struct model *model)
{
	struct contention_build build = { .model = model };
	struct lock_contention contention = { 0 };
	size_t capacity = 0;

	build.wakeups = by_thread_group(model, model->wakeups.wakee, model->wakeups.nr);
	collect_all(&build);
	for (size_t at = 0; at < build.waits.nr;) {
		ARRAY_MAKE_ROOM(contention.locks, contention.nr, capacity);
		at = sum_lock(&build, at, &contention.locks[contention.nr++]);
	}
	if (contention.nr)
		qsort(contention.locks, contention.nr, sizeof(*contention.locks), compare_locks);
	by_thread_free(&build.wakeups);
	free(build.waits.rows);
	free(build.holds.rows);
	free(build.is_lock);
	free(build.waiters);
	free(build.holders);
	return contention;
}

void lock_contention_free(struct lock_contention *contention)
{
	free(contention->locks);
}

static void say_holder(const struct model *model, const struct lock_contention_lock *lock,
		       char *text, size_t bytes)
{
	const char *task = trace_string(model->trace, lock->holder_task);

	text[0] = '\0';
	if (lock->holder == MODEL_NO_THREAD ||
	    (double)lock->held_ns < HELD_LEAST_SHARE * (double)lock->wait_ns)
		return;
	snprintf(text, bytes, "; %s holds it in %.0f %% of that time%s%s",
		 thread_label(model, lock->holder).text,
		 100 * (double)lock->held_ns / (double)lock->wait_ns,
		 lock->holder_task == TRACE_NO_STRING ? "" : ", in ", task);
}

static void add_finding(const struct model *model, const struct lock_contention_lock *lock,
			struct findings *findings)
{
	uint64_t lost_ns = lock->contended_ns;
	struct finding *finding;
	char holder[512];

	if (!findings_would_keep(findings, lost_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_LOCK_CONTENTION, lost_ns,
				       lock->longest_from_ns, lock->longest_to_ns);
	finding->confidence = CONFIDENCE_MEDIUM;
	finding_add_thread(finding, lock->longest_waiter);
	if (lock->holder != MODEL_NO_THREAD && lock->holder != lock->longest_waiter)
		finding_add_thread(finding, lock->holder);
	say_holder(model, lock, holder, sizeof(holder));
	finding_set_text(finding,
			 "%" PRIu64 " %s for %s: %s in %" PRIu64
			 " waits, the longest %s%s; for %s in all, at least one of them waits",
			 lock->waiters, lock->waiters > 1 ? "threads wait" : "thread waits",
			 trace_string(model->trace, lock->name), figure_ns(lock->wait_ns, " ").text,
			 lock->waits, figure_ns(lock->longest_ns, " ").text, holder,
			 figure_ns(lost_ns, " ").text);
}

void lock_contention_add_findings(const struct model *model,
				  const struct lock_contention *contention,
				  struct findings *findings)
{
	for (size_t i = 0; i < contention->nr; i++)
		add_finding(model, &contention->locks[i], findings);
}

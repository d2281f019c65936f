// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_contention.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/by_thread.h"
#include "analysis/base/row_search.h"
#include "analysis/waits/lock_futexes.h"
#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* Who let the thread of a wait go on, and when. */
struct release {
	uint32_t thread; /* MODEL_NO_THREAD: not known */
	uint64_t time_ns;
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
	struct pair_table pairs; /* waiter and holder, of the lock that is looked at */
	size_t first_pair; /* of these, in the result */
	size_t pairs_capacity;
	size_t parts_capacity;
	uint64_t *held_ns; /* by thread, of that lock */
	size_t in_order_capacity;
	struct lock_wait *in_order; /* its waits, as their threads got it */
	struct lock_contention *contention;
};

static void add_span(struct lock_spans *list, const struct model *model, uint32_t thread,
		     size_t row, uint64_t lock)
{
	const struct span_table *spans = &model->threads[thread].spans;

	const struct lock_span span = {
		.tgid = model->threads[thread].tgid,
		.lock = lock,
		.name = spans->name[row],
		.thread = thread,
		.holder = MODEL_NO_THREAD,
		.start_ns = spans->start_ns[row],
		.end_ns = spans->end_ns[row],
	};

	lock_spans_add(list, &span);
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
		    !lock_name_is(trace_string(build->model->trace, spans->name[row])))
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

static void collect_all(struct contention_build *build)
{
	const struct model *model = build->model;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			collect_waits(build, i);
	}
	for (uint32_t i = 0; build->waits.nr && i < model->nr_threads; i++)
		collect_holds(build, i);
	lock_spans_add_futexes(&build->waits, model);
	lock_spans_sort(&build->waits);
	lock_spans_sort(&build->holds);
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

		if (lock_span_compare(&holds->rows[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* During @wait, @holder held the lock from @from_ns to @to_ns. */
static void add_holder(struct contention_build *build, uint32_t waiter, uint32_t holder,
		       uint64_t from_ns, uint64_t to_ns)
{
	struct lock_contention *contention = build->contention;
	struct lock_contention_pair *pair;
	size_t at;

	if (from_ns >= to_ns || holder == MODEL_NO_THREAD || holder == waiter)
		return;
	at = build->first_pair + pair_table_number(&build->pairs, waiter, holder);
	if (at == contention->nr_pairs) {
		ARRAY_MAKE_ROOM(contention->pairs, contention->nr_pairs, build->pairs_capacity);
		contention->pairs[contention->nr_pairs++] =
			(struct lock_contention_pair){ .waiter = waiter, .holder = holder };
	}
	lock_holders_add(&contention->holders, build->model, holder, from_ns, to_ns);
	ARRAY_MAKE_ROOM(contention->parts, contention->nr_parts, build->parts_capacity);
	contention->parts[contention->nr_parts++] = (struct lock_contention_part){ waiter, holder,
										   from_ns, to_ns };
	pair = &contention->pairs[at];
	pair->times++;
	pair->ns += to_ns - from_ns;
	if (to_ns - from_ns <= pair->longest_ns)
		return;
	pair->longest_ns = to_ns - from_ns;
	pair->longest_from_ns = from_ns;
	pair->longest_to_ns = to_ns;
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
		add_holder(build, wait->thread, hold->thread,
			   from_ns > wait->start_ns ? from_ns : wait->start_ns,
			   to_ns < wait->end_ns ? to_ns : wait->end_ns);
	}
	return any;
}

/* The thread of the same process that woke that of @wait last, within the wait. */
static struct release release_of(const struct contention_build *build, const struct lock_wait *wait)
{
	const struct wakeup_table *wakeups = &build->model->wakeups;
	const struct thread *threads = build->model->threads;
	const size_t *rows = build->wakeups.rows;
	size_t first = build->wakeups.first[wait->thread];
	size_t end = LOWER_BOUND(i, first, build->wakeups.first[wait->thread + 1],
				 wakeups->time_ns[rows[i]] <= wait->end_ns);
	struct release release = { .thread = MODEL_NO_THREAD, .time_ns = wait->end_ns };
	uint32_t waker;

	if (end == first || wakeups->time_ns[rows[end - 1]] <= wait->start_ns)
		return release;
	waker = wakeups->waker[rows[end - 1]];
	if (waker == MODEL_NO_THREAD || threads[waker].tgid != threads[wait->thread].tgid)
		return release;
	release.thread = waker;
	release.time_ns = wakeups->time_ns[rows[end - 1]];
	return release;
}

/*
 * Of the @nr waits in order, that number @at: who woke each thread that got the lock meanwhile had it until then; from then
 * on, that thread has it.
 */
static void attribute_to_wakers(struct contention_build *build, size_t nr, size_t at)
{
	const struct lock_wait *waits = build->in_order, *wait = &waits[at];
	size_t next = LOWER_BOUND(i, 0, nr, waits[i].end_ns <= wait->start_ns);
	uint32_t holder = wait->holder;
	uint64_t from_ns = wait->start_ns;

	for (; next <= at; next++) {
		struct release release = release_of(build, &waits[next]);

		add_holder(build, wait->thread,
			   release.thread == MODEL_NO_THREAD ? holder : release.thread, from_ns,
			   release.time_ns);
		holder = waits[next].thread;
		if (release.time_ns > from_ns)
			from_ns = release.time_ns;
	}
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

/* Who of the pairs of @lock held it longest, and when it did so longest at once. */
static const struct lock_contention_pair *find_holder(struct contention_build *build,
						      struct lock_contention_lock *lock)
{
	const struct lock_contention *contention = build->contention;
	const struct lock_contention_pair *longest = NULL;

	lock->holder = MODEL_NO_THREAD;
	for (size_t i = build->first_pair; i < contention->nr_pairs; i++) {
		const struct lock_contention_pair *pair = &contention->pairs[i];

		build->held_ns[pair->holder] += pair->ns;
		lock->attributed_ns += pair->ns;
		if (pair->longest_ns > lock->longest_hold_ns)
			lock->longest_hold_ns = pair->longest_ns;
		if (lock->holder == MODEL_NO_THREAD ||
		    build->held_ns[pair->holder] > build->held_ns[lock->holder])
			lock->holder = pair->holder;
	}
	for (size_t i = build->first_pair; i < contention->nr_pairs; i++) {
		const struct lock_contention_pair *pair = &contention->pairs[i];

		if (pair->holder == lock->holder &&
		    (!longest || pair->longest_ns > longest->longest_ns))
			longest = pair;
	}
	return longest;
}

static void sum_holders(struct contention_build *build, struct lock_contention_lock *lock)
{
	struct lock_contention *contention = build->contention;
	const struct lock_contention_pair *longest = find_holder(build, lock);
	const struct lock_holding *most = lock_holders_finish(&contention->holders, lock->name);

	lock->holders_most_state = STATE_UNKNOWN;
	if (most) {
		lock->holders_most_state = most->state;
		lock->holders_most_cause = most->cause;
		lock->holders_most_ns = most->ns;
	}
	if (longest) {
		lock->held_ns = build->held_ns[lock->holder];
		lock->holder_task = task_at(build->model, lock->holder, longest->longest_from_ns,
					    build->is_lock, build->nr_names);
	}
	for (size_t i = build->first_pair; i < contention->nr_pairs; i++) {
		contention->pairs[i].lock = lock->name;
		build->held_ns[contention->pairs[i].holder] = 0;
	}
	build->first_pair = contention->nr_pairs;
	pair_table_free(&build->pairs);
	build->pairs = (struct pair_table){ 0 };
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
	lock->longest_ns = length_ns;
	lock->longest_from_ns = wait->start_ns;
	lock->longest_to_ns = wait->end_ns;
	lock->longest_waiter = wait->thread;
}

/* That of the longest wait; a name that the program gave is better than an address. */
static uint32_t name_of(const struct lock_span *waits, size_t nr)
{
	const struct lock_span *best = waits;

	for (size_t i = 1; i < nr; i++) {
		const struct lock_span *wait = &waits[i];

		if (wait->is_futex != best->is_futex ?
			    best->is_futex :
			    wait->end_ns - wait->start_ns > best->end_ns - best->start_ns)
			best = wait;
	}
	return best->name;
}

static void put_in_order(struct contention_build *build, const struct lock_span *waits, size_t nr)
{
	if (nr > build->in_order_capacity) {
		build->in_order_capacity = grown_capacity(build->in_order_capacity, nr);
		build->in_order = xrealloc_array(build->in_order, build->in_order_capacity,
						 sizeof(*build->in_order));
	}
	for (size_t i = 0; i < nr; i++)
		build->in_order[i] = (struct lock_wait){ .thread = waits[i].thread,
							 .holder = waits[i].holder,
							 .start_ns = waits[i].start_ns,
							 .end_ns = waits[i].end_ns };
	qsort(build->in_order, nr, sizeof(*build->in_order), lock_wait_compare);
}

/* Of the @nr waits in order: those at whose end the thread got the lock, and not the trace ended. */
static size_t count_ended(const struct contention_build *build, size_t nr)
{
	while (nr && build->in_order[nr - 1].end_ns >= build->model->duration_ns)
		nr--;
	return nr;
}

/* The lock of the waits from @first on; returns the first wait of the next one. */
static size_t sum_lock(struct contention_build *build, size_t first,
		       struct lock_contention_lock *lock)
{
	const struct lock_span *waits = build->waits.rows;
	uint64_t until_ns = 0;
	size_t at = first;
	bool has_holds = false;

	*lock = (struct lock_contention_lock){ 0 };
	for (; at < build->waits.nr && lock_span_is_of(&waits[first], &waits[at]); at++) {
		add_wait(lock, &waits[at]);
		lock->waiters += add_waiter(build, waits[at].thread);
		until_ns = add_contended(lock, &waits[at], until_ns);
		has_holds |= attribute_to_holds(build, &waits[at]);
	}
	lock->name = name_of(&waits[first], at - first);
	put_in_order(build, &waits[first], at - first);
	for (size_t i = 0; !has_holds && i < at - first; i++)
		attribute_to_wakers(build, at - first, i);
	lock->convoys = lock_convoys_find(build->in_order, count_ended(build, at - first));
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

static int compare_pairs(const void *a, const void *b)
{
	const struct lock_contention_pair *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	COMPARE(first->longest_from_ns, second->longest_from_ns);
	COMPARE(first->waiter, second->waiter);
	return 0;
}

static int compare_parts(const void *a, const void *b)
{
	const struct lock_contention_part *first = a, *second = b;

	COMPARE(first->waiter, second->waiter);
	COMPARE(first->from_ns, second->from_ns);
	COMPARE(first->to_ns, second->to_ns);
	COMPARE(first->holder, second->holder);
	return 0;
}

/*
 * Locks of one name may be held at the same time, and one for reading by several threads: who held it first is waited
 * for.
 */
static void put_parts_in_order(struct lock_contention *contention)
{
	struct lock_contention_part *parts = contention->parts;
	size_t nr = 0;

	if (contention->nr_parts)
		qsort(parts, contention->nr_parts, sizeof(*parts), compare_parts);
	for (size_t i = 0; i < contention->nr_parts; i++) {
		struct lock_contention_part part = parts[i];

		if (nr && parts[nr - 1].waiter == part.waiter && parts[nr - 1].to_ns > part.from_ns)
			part.from_ns = parts[nr - 1].to_ns;
		if (part.from_ns < part.to_ns)
			parts[nr++] = part;
	}
	contention->nr_parts = nr;
}

static void free_build(struct contention_build *build)
{
	by_thread_free(&build->wakeups);
	free(build->waits.rows);
	free(build->holds.rows);
	free(build->is_lock);
	free(build->waiters);
	free(build->held_ns);
	free(build->in_order);
}

struct lock_contention lock_contention_compute(const struct model *model)
{
	struct lock_contention contention = { 0 };
	struct contention_build build = {
		.model = model,
		.held_ns = xcalloc(model->nr_threads, sizeof(*build.held_ns)),
		.contention = &contention,
	};
	size_t capacity = 0;

	collect_all(&build);
	if (build.waits.nr)
		build.wakeups = by_thread_group(model, model->wakeups.wakee, model->wakeups.nr);
	for (size_t at = 0; at < build.waits.nr;) {
		ARRAY_MAKE_ROOM(contention.locks, contention.nr, capacity);
		at = sum_lock(&build, at, &contention.locks[contention.nr++]);
	}
	if (contention.nr)
		qsort(contention.locks, contention.nr, sizeof(*contention.locks), compare_locks);
	if (contention.nr_pairs)
		qsort(contention.pairs, contention.nr_pairs, sizeof(*contention.pairs),
		      compare_pairs);
	put_parts_in_order(&contention);
	lock_holders_sort(&contention.holders);
	free_build(&build);
	return contention;
}

void lock_contention_free(struct lock_contention *contention)
{
	free(contention->locks);
	free(contention->pairs);
	free(contention->parts);
	lock_holders_free(&contention->holders);
}

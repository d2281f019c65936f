// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_futexes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/blocked_waits.h"

#define FUTEX "futex " /* with its address, an object of annot_blocked */
#define LOCKS_BY_PRIORITY "futex (priority inheritance)" /* a cause: no other futex has it */

/* The wait spans for locks of a thread, in time order. */
struct told_waits {
	const struct model *model;
	const struct span_table *spans;
	size_t row;
	uint64_t until_ns; /* those before @row reach up to here */
};

/* Whether a span tells of a wait at @time_ns, which never goes back. */
static bool is_told(struct told_waits *told, uint64_t time_ns)
{
	const struct span_table *spans = told->spans;

	for (; told->row < spans->nr && spans->start_ns[told->row] <= time_ns; told->row++) {
		if (spans->kind[told->row] == TRACE_SPAN_WAIT &&
		    spans->end_ns[told->row] > told->until_ns &&
		    lock_name_is(trace_string(told->model->trace, spans->name[told->row])))
			told->until_ns = spans->end_ns[told->row];
	}
	return time_ns < told->until_ns;
}

static bool is_on_futex(const struct model *model, const struct blocked_wait *wait)
{
	return wait->object_id &&
	       !strncmp(trace_string(model->trace, wait->object), FUTEX, strlen(FUTEX));
}

static bool is_for_lock(const struct model *model, const struct blocked_wait *wait)
{
	return wait->holder != MODEL_NO_THREAD ||
	       !strcmp(trace_string(model->trace, wait->cause), LOCKS_BY_PRIORITY);
}

/* A sleep on a futex, of which it need not be known whether that is a lock. */
struct futex_sleeps {
	struct lock_spans sleeps;
	struct lock_spans locks; /* one for each sleep that says so */
};

static void collect(struct futex_sleeps *futexes, const struct model *model, uint32_t thread,
		    const struct blocked_waits *waits)
{
	struct told_waits told = { .model = model, .spans = &model->threads[thread].spans };

	for (size_t i = waits->first[thread]; i < waits->first[thread + 1]; i++) {
		const struct blocked_wait *wait = &waits->rows[i];
		const struct lock_span sleep = {
			.tgid = model->threads[thread].tgid,
			.lock = wait->object_id,
			.name = wait->object,
			.thread = thread,
			.holder = wait->holder,
			.is_futex = true,
			.start_ns = wait->from_ns,
			.end_ns = wait->to_ns,
		};

		if (!is_on_futex(model, wait))
			continue;
		if (is_for_lock(model, wait))
			lock_spans_add(&futexes->locks, &sleep);
		if (!is_told(&told, wait->from_ns))
			lock_spans_add(&futexes->sleeps, &sleep);
	}
}

static bool is_before(const struct lock_span *lock, const struct lock_span *sleep)
{
	return lock->tgid != sleep->tgid ? lock->tgid < sleep->tgid : lock->lock < sleep->lock;
}

/* Both are in order. */
static void add_those_on_locks(struct lock_spans *spans, const struct futex_sleeps *futexes)
{
	const struct lock_spans *locks = &futexes->locks;
	size_t at = 0;

	for (size_t i = 0; i < futexes->sleeps.nr; i++) {
		const struct lock_span *sleep = &futexes->sleeps.rows[i];

		while (at < locks->nr && is_before(&locks->rows[at], sleep))
			at++;
		if (at < locks->nr && lock_span_is_of(&locks->rows[at], sleep))
			lock_spans_add(spans, sleep);
	}
}

void lock_spans_add_futexes(struct lock_spans *spans, const struct model *model)
{
	struct futex_sleeps futexes = { 0 };
	struct blocked_waits waits;

	if (!blocked_waits_have_causes(model))
		return;
	waits = blocked_waits_find(model);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			collect(&futexes, model, i, &waits);
	}
	lock_spans_sort(&futexes.sleeps);
	lock_spans_sort(&futexes.locks);
	add_those_on_locks(spans, &futexes);
	free(futexes.sleeps.rows);
	free(futexes.locks.rows);
	blocked_waits_free(&waits);
}

// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/wait_chains.h"

#include <stdlib.h>

#include "analysis/base/blocked_waits.h"
#include "analysis/base/row_search.h"
#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

/* What is known of a link, and of the chain that ends there, while waits are gone through. */
struct chain_sum {
	struct wait_chain chain;
	/* The link behind it that was used last, by its kind: index + 1; 0: none. */
	uint32_t used_last[NR_WAIT_LINK_KINDS];
	const struct blocked_wait *wait; /* in which it was seen last */
	uint64_t wait_ns; /* its part of that */
	size_t nr_threads;
	uint32_t threads[WAIT_CHAINS_MOST_CAUSES];
};

struct builder {
	const struct model *model;
	struct blocked_waits waits;
	size_t *looked_at; /* by thread: which of its waits last */
	const struct lock_contention *locks;
	struct top_spans tops;
	uint64_t steps_left;
	/* Of a link, (before, (kind, (word, task))): a number for each pair. */
	struct pair_table words;
	struct pair_table kinds;
	struct pair_table places;
	size_t links_capacity;
	size_t sums_capacity;
	struct chain_sum *sums; /* by link; without waits if it is no end */
	struct wait_chains *chains;
	/* The wait that is divided, and who is in the chain at hand. */
	const struct blocked_wait *wait;
	size_t nr_threads;
	uint32_t threads[WAIT_CHAINS_MOST_CAUSES];
};

/* A stretch of time in which the thread at the end of a chain is looked at. */
struct part {
	uint32_t link; /* the cause that the thread ended */
	uint64_t from_ns;
	uint64_t to_ns;
};

static const char *const kind_names[] = {
	[LINK_CAUSE] = "cause",
	[LINK_THREAD] = "thread",
	[LINK_RAN] = "ran",
	[LINK_PREEMPTED] = "preempted",
	[LINK_RUNNABLE] = "runnable",
	[LINK_INTERRUPT] = "interrupt",
	[LINK_ON_ITS_WAY] = "wakeup on its way",
	[LINK_UNKNOWN_ENDER] = "unknown waker",
	[LINK_UNKNOWN_STATE] = "unknown state",
	[LINK_TOO_LONG] = "too long",
	[LINK_NOT_FOLLOWED] = "not followed",
};

const char *wait_link_kind_name(enum wait_link_kind kind)
{
	return kind_names[kind];
}

static uint32_t find_link(struct builder *builder, uint32_t before, enum wait_link_kind kind,
			  uint32_t word, uint32_t task)
{
	struct wait_chains *chains = builder->chains;
	size_t words = pair_table_number(&builder->words, word, task);
	size_t kinds = pair_table_number(&builder->kinds, (uint32_t)words, kind);
	size_t at = pair_table_number(&builder->places, before, (uint32_t)kinds);

	if (at < chains->nr_links)
		return (uint32_t)at;
	ARRAY_MAKE_ROOM(chains->links, chains->nr_links, builder->links_capacity);
	if (builder->sums_capacity != builder->links_capacity) {
		builder->sums_capacity = builder->links_capacity;
		builder->sums = xrealloc_array(builder->sums, builder->sums_capacity,
					       sizeof(*builder->sums));
	}
	builder->sums[at] = (struct chain_sum){ 0 };
	chains->links[chains->nr_links++] =
		(struct wait_link){ .before = before, .kind = kind, .word = word, .task = task };
	return (uint32_t)at;
}

/* The link of that kind behind @before. Most often, it is the one that was used last. */
static uint32_t link_behind(struct builder *builder, uint32_t before, enum wait_link_kind kind,
			    uint32_t word, uint32_t task)
{
	uint32_t last = before == NO_LINK ? 0 : builder->sums[before].used_last[kind];

	if (last) {
		const struct wait_link *link = &builder->chains->links[last - 1];

		if (link->word == word && link->task == task)
			return last - 1;
	}
	last = find_link(builder, before, kind, word, task);
	if (before != NO_LINK)
		builder->sums[before].used_last[kind] = last + 1;
	return last;
}

/* Books what it has of the wait that was seen last. */
static void finish_wait(struct chain_sum *sum)
{
	struct wait_chain *chain = &sum->chain;

	if (!sum->wait)
		return;
	chain->nr++;
	chain->ns += sum->wait_ns;
	if (chain->nr > 1 && sum->wait_ns <= chain->longest_ns)
		return;
	chain->longest_ns = sum->wait_ns;
	chain->longest_from_ns = sum->wait->from_ns;
	chain->longest_to_ns = sum->wait->to_ns;
	chain->nr_threads = sum->nr_threads;
	for (size_t i = 0; i < sum->nr_threads; i++)
		chain->threads[i] = sum->threads[i];
}

/* @length_ns of the wait at hand are of the chain that ends so behind @before. */
static void end_chain(struct builder *builder, uint32_t before, enum wait_link_kind kind,
		      uint32_t word, uint64_t length_ns)
{
	struct chain_sum *sum;
	uint32_t link;

	if (!length_ns)
		return;
	link = link_behind(builder, before, kind, word, TRACE_NO_STRING);
	sum = &builder->sums[link];
	if (sum->wait != builder->wait) {
		finish_wait(sum);
		sum->wait = builder->wait;
		sum->wait_ns = 0;
		sum->nr_threads = builder->nr_threads;
		for (size_t i = 0; i < sum->nr_threads; i++)
			sum->threads[i] = builder->threads[i];
	}
	sum->wait_ns += length_ns;
	builder->chains->blocked_ns += length_ns;
	builder->chains->end_ns[kind] += length_ns;
}

/* The top span of @thread at @from_ns; sets @until_ns to when that changes, if it does so before. */
static uint32_t task_from(const struct builder *builder, uint32_t thread, uint64_t from_ns,
			  uint64_t *until_ns)
{
	const struct top_spans *tops = &builder->tops;
	size_t at = top_spans_after(tops, thread, from_ns);
	uint64_t change_ns;
	uint32_t name = TRACE_NO_STRING;

	if (at == tops->first[thread + 1])
		return name;
	change_ns = tops->start_ns[at];
	if (tops->start_ns[at] <= from_ns) {
		name = tops->name[at];
		change_ns = tops->end_ns[at];
	}
	if (change_ns < *until_ns)
		*until_ns = change_ns;
	return name;
}

/* The innermost interrupt of @cpu at @time_ns: its name. */
static uint32_t interrupt_at(const struct model *model, int cpu, uint64_t time_ns)
{
	const struct interrupt_table *interrupts;

	if (cpu < 0 || cpu >= model->nr_cpus)
		return TRACE_NO_STRING;
	interrupts = &model->cpus[cpu].interrupts;
	for (size_t row = column_find(interrupts->start_ns, interrupts->nr, time_ns);
	     row != SIZE_MAX; row--) {
		if (interrupts->end_ns[row] >= time_ns)
			return interrupts->name[row];
		if (!interrupts->depth[row])
			break;
	}
	return TRACE_NO_STRING;
}

static bool is_in_chain(const struct builder *builder, uint32_t thread)
{
	for (size_t i = 0; i < builder->nr_threads; i++) {
		if (builder->threads[i] == thread)
			return true;
	}
	return false;
}

static void divide_by(struct builder *builder, uint32_t thread, const struct part *part);

/* What is behind @part, in which @thread is waited for. */
static void follow_thread(struct builder *builder, uint32_t thread, const struct part *part)
{
	uint64_t length_ns = part->to_ns - part->from_ns;

	if (is_in_chain(builder, thread))
		end_chain(builder, part->link, LINK_ON_ITS_WAY, TRACE_NO_STRING, length_ns);
	else if (builder->nr_threads == WAIT_CHAINS_MOST_CAUSES)
		end_chain(builder, part->link, LINK_TOO_LONG, TRACE_NO_STRING, length_ns);
	else if (!builder->steps_left)
		end_chain(builder, part->link, LINK_NOT_FOLLOWED, TRACE_NO_STRING, length_ns);
	else
		divide_by(builder, thread, part);
}

/* What is behind @part, of which @wait is the last cause: by who ended it. */
static void follow_ender(struct builder *builder, const struct blocked_wait *wait,
			 const struct part *part)
{
	uint64_t length_ns = part->to_ns - part->from_ns;

	if (wait->waker == MODEL_NO_THREAD)
		end_chain(builder, part->link, LINK_INTERRUPT,
			  interrupt_at(builder->model, wait->waker_cpu, wait->to_ns), length_ns);
	else if (wait->waker == BLOCKED_WAIT_WAKER_UNKNOWN)
		end_chain(builder, part->link, LINK_UNKNOWN_ENDER, TRACE_NO_STRING, length_ns);
	else
		follow_thread(builder, wait->waker, part);
}

/* The first part of a wait for a lock that ends behind @time_ns, or that of a thread behind @thread. */
static size_t first_held_after(const struct lock_contention *locks, uint32_t thread,
			       uint64_t time_ns)
{
	const struct lock_contention_part *parts = locks->parts;

	return LOWER_BOUND(i, 0, locks->nr_parts,
			   parts[i].waiter < thread ||
				   (parts[i].waiter == thread && parts[i].to_ns <= time_ns));
}

/*
 * The same, by who held the lock at each time, where that is known. Who ends a wait for a lock need not have had it before:
 * the one that had it may have woken another thread, and the ender may have got it in passing.
 */
static void follow_wait(struct builder *builder, const struct blocked_wait *wait,
			const struct part *part)
{
	const struct lock_contention *locks = builder->locks;
	struct part piece = *part;

	for (size_t i = first_held_after(locks, wait->thread, part->from_ns);
	     i < locks->nr_parts && locks->parts[i].waiter == wait->thread &&
	     locks->parts[i].from_ns < part->to_ns;
	     i++) {
		const struct lock_contention_part *held = &locks->parts[i];

		if (held->from_ns > piece.from_ns) {
			piece.to_ns = held->from_ns;
			follow_ender(builder, wait, &piece);
			piece.from_ns = piece.to_ns;
		}
		piece.to_ns = held->to_ns < part->to_ns ? held->to_ns : part->to_ns;
		follow_thread(builder, held->holder, &piece);
		piece.from_ns = piece.to_ns;
	}
	piece.to_ns = part->to_ns;
	if (piece.from_ns < piece.to_ns)
		follow_ender(builder, wait, &piece);
}

/* The wait of @thread that holds @time_ns; it is there, as the thread is blocked then. Often, it is the next one. */
static const struct blocked_wait *wait_at(struct builder *builder, uint32_t thread,
					  uint64_t time_ns)
{
	const struct blocked_waits *waits = &builder->waits;
	size_t at = builder->looked_at[thread] + 1;

	if (at <= waits->first[thread] || at >= waits->first[thread + 1] ||
	    waits->rows[at].from_ns > time_ns || waits->rows[at].to_ns <= time_ns)
		at = LOWER_BOUND(row, waits->first[thread], waits->first[thread + 1],
				 waits->rows[row].to_ns <= time_ns);
	builder->looked_at[thread] = at;
	return &waits->rows[at];
}

/* @thread is blocked in @part; it ended what stands at the end of the chain. */
static void divide_blocked(struct builder *builder, uint32_t thread, const struct part *part)
{
	const struct blocked_wait *wait = wait_at(builder, thread, part->from_ns);
	struct part inner = *part;

	if (wait->to_ns > part->to_ns) {
		end_chain(builder, part->link, LINK_ON_ITS_WAY, TRACE_NO_STRING,
			  part->to_ns - part->from_ns);
		return;
	}
	inner.link = link_behind(builder, part->link, LINK_CAUSE, wait->cause, TRACE_NO_STRING);
	follow_wait(builder, wait, &inner);
}

/* @thread was in one state in @part, behind the link of the thread itself. */
static void divide_state(struct builder *builder, uint32_t thread, uint8_t state,
			 const struct part *part)
{
	uint64_t length_ns = part->to_ns - part->from_ns;

	if (state_is_asleep(state))
		divide_blocked(builder, thread, part);
	else if (state == STATE_RUNNING)
		end_chain(builder, part->link, LINK_RAN, TRACE_NO_STRING, length_ns);
	else if (state == STATE_PREEMPTED)
		end_chain(builder, part->link, LINK_PREEMPTED, TRACE_NO_STRING, length_ns);
	else if (state == STATE_RUNNABLE)
		end_chain(builder, part->link, LINK_RUNNABLE, TRACE_NO_STRING, length_ns);
	else
		end_chain(builder, part->link, LINK_UNKNOWN_STATE, TRACE_NO_STRING, length_ns);
}

/* The same, with the link of the thread still to come. */
static void divide_row(struct builder *builder, uint32_t thread, uint8_t state,
		       const struct part *part)
{
	uint32_t name = builder->model->threads[thread].comm;
	struct part piece = { .from_ns = part->from_ns };

	while (piece.from_ns < part->to_ns) {
		uint64_t until_ns = part->to_ns;
		uint32_t task = task_from(builder, thread, piece.from_ns, &until_ns);

		/* A thread changes its spans while it runs. */
		piece.to_ns = state == STATE_RUNNING ? until_ns : part->to_ns;
		piece.link = link_behind(builder, part->link, LINK_THREAD, name, task);
		divide_state(builder, thread, state, &piece);
		piece.from_ns = piece.to_ns;
	}
}

/* What @thread, which ended the last cause of the chain, did in @part. */
static void divide_by(struct builder *builder, uint32_t thread, const struct part *part)
{
	const struct state_table *states = &builder->model->threads[thread].states;
	struct part piece = *part;

	builder->threads[builder->nr_threads++] = thread;
	for (size_t row = row_search_state(states, part->from_ns);
	     row < states->nr && states->start_ns[row] < part->to_ns; row++) {
		if (states->start_ns[row] > piece.from_ns) {
			piece.to_ns = states->start_ns[row];
			divide_row(builder, thread, STATE_UNKNOWN, &piece);
			piece.from_ns = piece.to_ns;
		}
		piece.to_ns = states->start_ns[row + 1] < part->to_ns ? states->start_ns[row + 1] :
									part->to_ns;
		divide_row(builder, thread, states->state[row], &piece);
		piece.from_ns = piece.to_ns;
		builder->steps_left -= builder->steps_left > 0;
	}
	piece.to_ns = part->to_ns;
	divide_row(builder, thread, STATE_UNKNOWN, &piece);
	builder->nr_threads--;
}

static void divide_wait(struct builder *builder, const struct blocked_wait *wait)
{
	struct part whole = {
		.link = link_behind(builder, NO_LINK, LINK_CAUSE, wait->cause, TRACE_NO_STRING),
		.from_ns = wait->from_ns,
		.to_ns = wait->to_ns,
	};

	builder->wait = wait;
	builder->threads[0] = wait->thread;
	builder->nr_threads = 1;
	follow_wait(builder, wait, &whole);
}

static int compare_lengths(const void *a, const void *b)
{
	const struct blocked_wait *first = *(const struct blocked_wait *const *)a;
	const struct blocked_wait *second = *(const struct blocked_wait *const *)b;

	if (blocked_wait_ns(first) != blocked_wait_ns(second))
		return blocked_wait_ns(first) > blocked_wait_ns(second) ? -1 : 1;
	return first < second ? -1 : first > second;
}

/* The longest first. */
static void divide_waits(struct builder *builder)
{
	const struct model *model = builder->model;
	const struct blocked_waits *waits = &builder->waits;
	const struct blocked_wait **order = xcalloc(waits->first[model->nr_threads] + 1,
						    sizeof(const struct blocked_wait *));
	size_t nr = 0;

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		for (size_t i = waits->first[thread];
		     model->threads[thread].in_session && i < waits->first[thread + 1]; i++)
			order[nr++] = &waits->rows[i];
	}
	if (nr)
		qsort(order, nr, sizeof(const struct blocked_wait *), compare_lengths);
	for (size_t i = 0; i < nr; i++)
		divide_wait(builder, order[i]);
	free(order);
}

static int compare_chains(const void *a, const void *b)
{
	const struct wait_chain *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->last < second->last ? -1 : first->last > second->last;
}

static void take_chains(struct builder *builder)
{
	struct wait_chains *chains = builder->chains;

	chains->chains = xcalloc(chains->nr_links, sizeof(*chains->chains));
	for (uint32_t i = 0; i < chains->nr_links; i++) {
		finish_wait(&builder->sums[i]);
		if (!builder->sums[i].chain.nr)
			continue;
		chains->chains[chains->nr] = builder->sums[i].chain;
		chains->chains[chains->nr++].last = i;
	}
	if (chains->nr)
		qsort(chains->chains, chains->nr, sizeof(*chains->chains), compare_chains);
}

static uint64_t count_states(const struct model *model)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < model->nr_threads; i++)
		nr += model->threads[i].states.nr;
	return nr;
}

struct wait_chains wait_chains_compute(const struct model *model, const struct task_stats *stats,
				       const struct lock_contention *locks)
{
	struct wait_chains chains = { .has_causes = blocked_waits_have_causes(model) };
	struct builder builder = { .model = model, .locks = locks, .chains = &chains };

	if (!chains.has_causes)
		return chains;
	builder.waits = blocked_waits_find(model);
	builder.looked_at = xcalloc(model->nr_threads, sizeof(*builder.looked_at));
	builder.tops = top_spans_compute(model, stats);
	builder.steps_left = WAIT_CHAINS_LEAST_STEPS + WAIT_CHAINS_STEPS * count_states(model);
	divide_waits(&builder);
	take_chains(&builder);
	pair_table_free(&builder.words);
	pair_table_free(&builder.kinds);
	pair_table_free(&builder.places);
	free(builder.sums);
	free(builder.looked_at);
	top_spans_free(&builder.tops);
	blocked_waits_free(&builder.waits);
	return chains;
}

void wait_chains_free(struct wait_chains *chains)
{
	free(chains->links);
	free(chains->chains);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for the end of a team: threads do parts of regions, arrive one after the other, and the master
 * marks the end. Their annotations are drained in batches, in any order among threads. Each wait must
 * end with its team, in one model and in windows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/builder.h"
#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/window/window.h"

#define NR_THREADS 5
#define NR_REGIONS 400
#define FIRST_TID 100
#define MAX_NOTES (NR_REGIONS * (3 * NR_THREADS + 1))
#define BEHIND_ALL_NS 10000000

/* An annotation, as a thread makes it. */
struct note {
	uint64_t time_ns;
	uint64_t drained_ns;
	int thread;
	enum trace_event_kind kind;
	const char *name;
	int64_t value;
};

/* A wait, as the thread knows it. */
struct truth {
	uint64_t start_ns;
	uint64_t end_ns;
	bool open;
};

static struct trace *trace;
static struct note notes[MAX_NOTES];
static size_t nr_notes;
static struct truth truths[NR_THREADS][NR_REGIONS];
static size_t nr_truths[NR_THREADS];

static void note_at(uint64_t time_ns, int thread, enum trace_event_kind kind, const char *name,
		    int64_t value)
{
	notes[nr_notes++] = (struct note){ time_ns, 0, thread, kind, name, value };
}

static uint64_t below(uint64_t most)
{
	return (uint64_t)rand() % most;
}

/* Threads from 1 on take part or not; the master is thread 0. Every 50th mark is missing. */
static uint64_t region(uint64_t from_ns, int64_t team)
{
	bool is_marked = team % 50 != 49;
	uint64_t end_ns = from_ns, arrived_ns[NR_THREADS] = { 0 };

	for (int thread = 0; thread < NR_THREADS; thread++) {
		if (thread && !below(3))
			continue;
		arrived_ns[thread] = from_ns + 10 + below(200);
		if (arrived_ns[thread] > end_ns)
			end_ns = arrived_ns[thread];
		note_at(from_ns + below(10), thread, TRACE_SPAN_BEGIN, "parallel", team);
		note_at(arrived_ns[thread], thread, TRACE_SPAN_END, NULL, 0);
		note_at(arrived_ns[thread], thread, TRACE_SPAN_BEGIN, "barrier @team_omp", team);
	}
	end_ns += 5;
	for (int thread = 0; thread < NR_THREADS; thread++) {
		if (arrived_ns[thread])
			truths[thread][nr_truths[thread]++] = (struct truth){ arrived_ns[thread],
									      end_ns, !is_marked };
	}
	if (is_marked)
		note_at(end_ns, 0, TRACE_MARK, "@team_omp", team);
	return end_ns;
}

/* Without a mark, a wait ends where its thread begins its next region; the last one, with the trace. */
static void bound_open_waits(void)
{
	for (int thread = 0; thread < NR_THREADS; thread++) {
		size_t wait = 0;

		for (size_t i = 0; i < nr_notes; i++) {
			if (notes[i].thread != thread || notes[i].kind != TRACE_SPAN_BEGIN ||
			    notes[i].name[0] != 'p')
				continue;
			if (wait && truths[thread][wait - 1].open)
				truths[thread][wait - 1].end_ns = notes[i].time_ns;
			wait++;
		}
		if (truths[thread][wait - 1].open)
			truths[thread][wait - 1].end_ns = BEHIND_ALL_NS;
	}
}

/* A thread keeps up to @most annotations before they are drained together. */
static void drain_in_batches(size_t most)
{
	for (int thread = 0; thread < NR_THREADS; thread++) {
		size_t first = 0, held = 0, batch = 1 + below(most);

		for (size_t i = 0; i < nr_notes; i++) {
			if (notes[i].thread != thread || ++held < batch)
				continue;
			for (; first <= i; first++)
				if (notes[first].thread == thread)
					notes[first].drained_ns = notes[i].time_ns + below(50);
			held = 0;
			batch = 1 + below(most);
		}
		for (; first < nr_notes; first++)
			if (notes[first].thread == thread)
				notes[first].drained_ns = BEHIND_ALL_NS - 1;
	}
}

static void merge_by_drain(struct note **order)
{
	uint64_t last_ns[NR_THREADS] = { 0 };

	/* In each thread, the batches come one after the other. */
	for (size_t i = 0; i < nr_notes; i++) {
		uint64_t *last = &last_ns[notes[i].thread];

		if (notes[i].drained_ns < *last)
			notes[i].drained_ns = *last;
		*last = notes[i].drained_ns;
		order[i] = &notes[i];
	}
	/* Stable, for equal times: an insertion sort is enough for almost sorted notes. */
	for (size_t i = 1; i < nr_notes; i++) {
		struct note *note = order[i];
		size_t at = i;

		for (; at && order[at - 1]->drained_ns > note->drained_ns; at--)
			order[at] = order[at - 1];
		order[at] = note;
	}
}

static void make_script(unsigned int seed, size_t most)
{
	uint64_t time_ns = 1000;

	srand(seed);
	nr_notes = 0;
	memset(nr_truths, 0, sizeof(nr_truths));
	for (int64_t team = 1; team <= NR_REGIONS; team++)
		time_ns = region(time_ns + below(30), team);
	assert_true(time_ns < BEHIND_ALL_NS - 1000);
	bound_open_waits();
	drain_in_batches(most);
}

static void feed(struct model_builder *builder, uint64_t time_ns, int thread,
		 const struct note *note)
{
	struct trace_event event = { .time_ns = time_ns, .cpu = thread, .tid = FIRST_TID + thread };

	event.kind = note->kind;
	event.annot.tgid = FIRST_TID;
	event.annot.true_ns = note->time_ns;
	event.annot.has_value = note->name != NULL;
	event.annot.value = note->value;
	if (note->name)
		event.annot.name = trace_intern(trace, note->name);
	if (note->name && note->name[0] == 'b')
		event.annot.span_kind = TRACE_SPAN_WAIT;
	model_builder_feed(builder, &event);
}

static void feed_script(struct model_builder *builder)
{
	static const struct note first = { .kind = TRACE_CONFIG };
	struct note **order = calloc(nr_notes, sizeof(*order));

	feed(builder, 0, 0, &first);
	merge_by_drain(order);
	for (size_t i = 0; i < nr_notes; i++)
		feed(builder, order[i]->drained_ns, order[i]->thread, order[i]);
	feed(builder, BEHIND_ALL_NS, 0, &first);
	free(order);
}

static uint32_t thread_index(const struct model *model, int thread)
{
	for (uint32_t i = 0; i < model->nr_threads; i++)
		if (model->threads[i].tid == FIRST_TID + thread)
			return i;
	fail_msg("no thread %d", FIRST_TID + thread);
	return 0;
}

/* The waits of a thread, wherever their rows went. */
struct waits {
	size_t nr;
	struct truth rows[NR_REGIONS];
};

static struct waits found[NR_THREADS];

static void collect(const struct model *model)
{
	uint32_t barrier = trace_intern(trace, "barrier");

	for (int thread = 0; thread < NR_THREADS; thread++) {
		const struct span_table *spans;

		if ((size_t)thread >= model->nr_threads)
			break;
		spans = &model->threads[thread_index(model, thread)].spans;
		for (size_t i = 0; i < spans->nr; i++) {
			if (spans->kind[i] != TRACE_SPAN_WAIT)
				continue;
			assert_int_equal(spans->name[i], barrier);
			assert_int_equal(spans->depth[i], 0);
			assert_true(found[thread].nr < NR_REGIONS);
			found[thread].rows[found[thread].nr++] =
				(struct truth){ spans->start_ns[i], spans->end_ns[i],
						!!(spans->flags[i] & SPAN_OPEN_END) };
		}
		assert_int_equal(model->threads[thread_index(model, thread)].marks.nr, 0);
		assert_int_equal(model->threads[thread_index(model, thread)].leads_teams, !thread);
		assert_true(model->threads[thread_index(model, thread)].joins_teams);
	}
}

static int compare_starts(const void *a, const void *b)
{
	const struct truth *first = a, *second = b;

	return first->start_ns < second->start_ns ? -1 : first->start_ns > second->start_ns;
}

static void expect_truth(void)
{
	for (int thread = 0; thread < NR_THREADS; thread++) {
		assert_int_equal(found[thread].nr, nr_truths[thread]);
		qsort(found[thread].rows, found[thread].nr, sizeof(found[thread].rows[0]),
		      compare_starts);
		for (size_t i = 0; i < found[thread].nr; i++) {
			const struct truth *got = &found[thread].rows[i];
			const struct truth *wanted = &truths[thread][i];

			assert_int_equal(got->start_ns, wanted->start_ns);
			assert_int_equal(got->end_ns, wanted->end_ns);
			assert_int_equal(got->open, wanted->open);
		}
	}
}

static void check_whole(void)
{
	struct model_builder builder;
	struct model *model;

	memset(found, 0, sizeof(found));
	model_builder_init(&builder, trace);
	feed_script(&builder);
	model = model_builder_finish(&builder);
	collect(model);
	expect_truth();
	model_free(model);
}

/* Windows have no names of threads: those are numbered as they came, and the rest has all. */
static struct model_builder *windowed;

static void collect_window(void *context, const struct model *window, uint64_t from_ns,
			   uint64_t to_ns)
{
	uint32_t barrier = trace_intern(trace, "barrier");

	(void)context;
	for (size_t i = 0; i < window->nr_threads; i++) {
		int thread = windowed->model->threads[i].tid - FIRST_TID;
		const struct span_table *spans = &window->threads[i].spans;

		for (size_t row = 0; row < spans->nr; row++) {
			assert_in_range(spans->start_ns[row], from_ns, to_ns);
			assert_in_range(spans->end_ns[row], from_ns, to_ns);
			if (spans->kind[row] != TRACE_SPAN_WAIT)
				continue;
			assert_int_equal(spans->name[row], barrier);
			found[thread].rows[found[thread].nr++] =
				(struct truth){ spans->start_ns[row], spans->end_ns[row],
						!!(spans->flags[row] & SPAN_OPEN_END) };
		}
	}
}

static void check_windows(size_t nr_events_each)
{
	const struct model_sink sink = { .take = collect_window };
	struct model_windows windows = { .sink = &sink, .nr_events_each = nr_events_each };
	struct model_builder builder;
	struct model *rest;

	memset(found, 0, sizeof(found));
	model_builder_init(&builder, trace);
	windowed = &builder;
	model_builder_use_windows(&builder, &windows);
	feed_script(&builder);
	rest = model_builder_finish(&builder);
	collect(rest);
	expect_truth();
	model_free(rest);
}

static void test_in_any_order(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 20; seed++) {
		make_script(seed, 1 + seed * 7 % 250);
		check_whole();
		check_windows(20 + seed * 37);
	}
}

/* Each at once, as without batches. */
static void test_at_once(void **state)
{
	(void)state;
	make_script(1, 1);
	check_whole();
	check_windows(100);
}

static void feed_one(struct model_builder *builder, uint64_t time_ns, enum trace_event_kind kind,
		     const char *name, int64_t value)
{
	const struct note note = { time_ns, 0, 0, kind, name, value };

	feed(builder, time_ns, 0, &note);
}

/* A program that the process executed before had a team of that number: its mark is not of this wait. */
static void test_mark_of_program_before(void **state)
{
	const uint64_t wait_ns = 1000 + 2 * TEAM_CLOCK_SLACK_NS, next_ns = wait_ns + 500;
	struct model_builder builder;
	struct span_table *spans;
	struct model *model;

	(void)state;
	model_builder_init(&builder, trace);
	feed_one(&builder, 0, TRACE_CONFIG, NULL, 0);
	feed_one(&builder, 1000, TRACE_MARK, "@team_omp", 1);
	feed_one(&builder, wait_ns, TRACE_SPAN_BEGIN, "barrier @team_omp", 1);
	feed_one(&builder, next_ns, TRACE_SPAN_BEGIN, "parallel", 2);
	model = model_builder_finish(&builder);
	spans = &model->threads[thread_index(model, 0)].spans;
	assert_int_equal(spans->start_ns[0], wait_ns);
	assert_int_equal(spans->end_ns[0], next_ns);
	assert_true(spans->flags[0] & SPAN_OPEN_END);
	model_free(model);
}

/* The mark of the oldest wait comes when that is not kept any more. */
static void test_too_many_without_mark(void **state)
{
	struct model_builder builder;
	struct span_table *spans;
	struct model *model;

	(void)state;
	model_builder_init(&builder, trace);
	for (int64_t i = 0; i <= TEAM_WAITS_KEPT; i++)
		feed_one(&builder, 1000 + 10 * (uint64_t)i, TRACE_SPAN_BEGIN, "barrier @team_omp",
			 i);
	for (int64_t i = 0; i <= TEAM_WAITS_KEPT; i++)
		feed_one(&builder, 1000000 + 10 * (uint64_t)i, TRACE_MARK, "@team_omp", i);
	model = model_builder_finish(&builder);
	spans = &model->threads[thread_index(model, 0)].spans;
	assert_int_equal(spans->nr, TEAM_WAITS_KEPT + 1);
	for (size_t i = 0; i < spans->nr; i++) {
		assert_int_equal(!!(spans->flags[i] & SPAN_OPEN_END), i == 0);
		if (i < TEAM_WAITS_KEPT)
			assert_int_equal(spans->end_ns[i], spans->start_ns[i] + 10);
	}
	model_free(model);
}

static int open_trace(void **state)
{
	(void)state;
	/* For its strings only. */
	return trace_open("tests/data/plain-6.1.dat", &trace);
}

static int close_trace(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_in_any_order),
		cmocka_unit_test(test_mark_of_program_before),
		cmocka_unit_test(test_too_many_without_mark),
	};

	return cmocka_run_group_tests_name("team_waits", tests, open_trace, close_trace);
}

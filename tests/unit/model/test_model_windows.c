// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * A timeline in windows has each row of the whole one exactly once, where its times say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_events.h"
#include "events.h"
#include "model/states/state_delta.h"
#include "model/window/rest.h"
#include "model/window/window.h"

#define FIRST_TID 100
#define MAX_WINDOWS 800

/* Rows as text, so that those of any table can be put in order and compared. */
struct rows {
	size_t nr;
	char (*text)[128];
};

/* What a sink has seen. */
struct collected {
	struct rows rows;
	size_t nr_windows;
	uint64_t cuts_ns[MAX_WINDOWS];
	uint64_t to_ns;
};

static void add_row(struct rows *rows, const char *table, uint32_t owner, const uint64_t *values,
		    int nr_values)
{
	char *text;
	int length;

	if (rows->nr % 1024 == 0)
		rows->text = realloc(rows->text, (rows->nr + 1024) * sizeof(*rows->text));
	text = rows->text[rows->nr++];
	length = snprintf(text, sizeof(*rows->text), "%s %u", table, owner);
	for (int i = 0; i < nr_values; i++)
		length += snprintf(text + length, sizeof(*rows->text) - (size_t)length, " %llu",
				   (unsigned long long)values[i]);
}

#define ROW(rows, table, owner, ...)                                         \
	add_row(rows, table, (uint32_t)(owner), (uint64_t[]){ __VA_ARGS__ }, \
		sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static void collect_states(struct rows *rows, size_t thread, const struct state_table *states)
{
	for (size_t i = 0; i < states->nr; i++)
		ROW(rows, "state", thread, states->start_ns[i],
		    states->end_ns ? states->end_ns[i] : states->start_ns[i + 1], states->state[i],
		    (uint64_t)states->cpu[i], states->migrated[i]);
}

static void collect_annotations(struct rows *rows, size_t thread, const struct thread *t)
{
	const struct span_table *spans = &t->spans;
	const struct mark_table *marks = &t->marks;
	const struct kernel_slice_table *kernel = &t->kernel_slices;

	for (size_t i = 0; i < spans->nr; i++)
		ROW(rows, "span", thread, spans->start_ns[i], spans->end_ns[i], spans->name[i],
		    spans->kind[i], spans->depth[i], spans->flags[i], spans->drained_ns[i]);
	for (size_t i = 0; i < kernel->nr; i++)
		ROW(rows, "kernel", thread, kernel->start_ns[i], kernel->end_ns[i], kernel->name[i],
		    kernel->kind[i], kernel->depth[i], kernel->flags[i],
		    (uint64_t)kernel->value[i]);
	for (size_t i = 0; i < marks->nr; i++)
		ROW(rows, "mark", thread, marks->time_ns[i], marks->name[i], marks->is_counter[i],
		    (uint64_t)marks->value[i], marks->drained_ns[i]);
	for (size_t i = 0; i < t->causes.nr; i++)
		ROW(rows, "cause", thread, t->causes.start_ns[i], t->causes.cause[i],
		    t->causes.frames[i], t->causes.system_call[i], t->causes.object[i],
		    t->causes.object_id[i], t->causes.holder[i]);
	for (size_t i = 0; i < t->waker_stacks.nr; i++)
		ROW(rows, "waker", thread, t->waker_stacks.time_ns[i], t->waker_stacks.stack[i]);
	for (size_t i = 0; i < t->stack_points.nr; i++)
		ROW(rows, "stack", thread, t->stack_points.time_ns[i], t->stack_points.user[i],
		    t->stack_points.kernel[i]);
}

static void collect_cpu(struct rows *rows, int cpu, const struct cpu *c)
{
	for (size_t i = 0; i < c->slices.nr; i++)
		ROW(rows, "slice", cpu, c->slices.start_ns[i], c->slices.end_ns[i],
		    c->slices.thread[i], c->slices.end_state[i]);
	for (size_t i = 0; i < c->gaps.nr; i++)
		ROW(rows, "gap", cpu, c->gaps.start_ns[i], c->gaps.end_ns[i], c->gaps.kind[i]);
	for (size_t i = 0; i < c->interrupts.nr; i++)
		ROW(rows, "interrupt", cpu, c->interrupts.start_ns[i], c->interrupts.end_ns[i],
		    c->interrupts.thread[i], c->interrupts.name[i], c->interrupts.kind[i],
		    c->interrupts.depth[i], c->interrupts.flags[i]);
	for (size_t i = 0; i < c->idle.nr; i++)
		ROW(rows, "idle", cpu, c->idle.start_ns[i], c->idle.end_ns[i], c->idle.state[i],
		    c->idle.flags[i]);
	for (size_t i = 0; i < c->frequencies.nr; i++)
		ROW(rows, "frequency", cpu, c->frequencies.start_ns[i], c->frequencies.end_ns[i],
		    c->frequencies.khz[i]);
}

static void collect_delta(struct rows *rows, size_t thread, const struct state_delta *delta)
{
	for (size_t i = 0; i < delta->rows.nr; i++)
		ROW(rows, "put in", thread, delta->rows.start_ns[i], delta->rows.state[i],
		    (uint64_t)delta->rows.cpu[i]);
	for (size_t i = 0; i < delta->nr; i++)
		ROW(rows, "edit", thread, delta->edits[i].nr_put_in, delta->edits[i].nr_left_out,
		    delta->edits[i].nr_kept);
}

static void collect(struct rows *rows, const struct model *model)
{
	const struct migration_table *moves = &model->migrations;
	const struct slice_count_table *counts = &model->slice_counts;

	for (size_t i = 0; i < model->nr_threads; i++) {
		collect_states(rows, i, &model->threads[i].states);
		collect_annotations(rows, i, &model->threads[i]);
		if (model->state_deltas)
			collect_delta(rows, i, &model->state_deltas[i]);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		collect_cpu(rows, cpu, &model->cpus[cpu]);
	for (size_t i = 0; i < moves->nr; i++)
		ROW(rows, "migration", moves->thread[i], moves->left_ns[i], moves->time_ns[i],
		    (uint64_t)moves->from_cpu[i], (uint64_t)moves->to_cpu[i]);
	for (size_t i = 0; i < model->uncore_readings.nr; i++)
		ROW(rows, "reading", model->uncore_readings.counter[i],
		    model->uncore_readings.start_ns[i], model->uncore_readings.end_ns[i],
		    model->uncore_readings.count[i], model->uncore_readings.running_ns[i]);
	for (size_t i = 0; i < model->block_io.nr; i++)
		ROW(rows, "request", model->block_io.device[i], model->block_io.start_ns[i],
		    model->block_io.end_ns[i], model->block_io.thread[i], model->block_io.flags[i]);
	for (size_t i = 0; i < model->timed_sleeps.nr; i++)
		ROW(rows, "timed sleep", model->timed_sleeps.thread[i],
		    model->timed_sleeps.start_ns[i], model->timed_sleeps.end_ns[i],
		    model->timed_sleeps.late_ns[i], model->timed_sleeps.slack_ns[i]);
	for (size_t i = 0; i < model->samples.nr; i++)
		ROW(rows, "sample", model->samples.thread[i], model->samples.time_ns[i],
		    model->samples.event[i], model->samples.ip[i], model->samples.addr[i]);
	for (size_t i = 0; i < model->wakeups.nr; i++)
		ROW(rows, "wakeup", model->wakeups.wakee[i], model->wakeups.time_ns[i],
		    model->wakeups.waker[i]);
	for (size_t i = 0; i < counts->nr; i++)
		ROW(rows, "counts", counts->thread[i], counts->start_ns[i], counts->end_ns[i],
		    (uint64_t)counts->cpu[i], counts->invalid[i],
		    counts->counts[i * counts->nr_counters],
		    counts->counts[i * counts->nr_counters + 1]);
}

static void expect_within(const uint64_t *start_ns, const uint64_t *end_ns, size_t nr,
			  uint64_t from_ns, uint64_t to_ns)
{
	for (size_t i = 0; i < nr; i++) {
		assert_in_range(start_ns[i], from_ns, to_ns);
		assert_in_range(end_ns[i], start_ns[i], to_ns);
		assert_true(!i || start_ns[i] >= start_ns[i - 1]);
	}
}

/* A cause is where the state is that it is of. */
static void expect_causes_beside_states(const struct thread *thread)
{
	const struct state_table *states = &thread->states;

	for (size_t i = 0; i < thread->causes.nr; i++) {
		size_t row = column_find(states->start_ns, states->nr, thread->causes.start_ns[i]);

		assert_int_not_equal(row, SIZE_MAX);
		assert_int_equal(states->start_ns[row], thread->causes.start_ns[i]);
	}
}

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct collected *collected = context;

	assert_int_equal(from_ns, collected->to_ns);
	assert_true(to_ns >= from_ns);
	assert_true(collected->nr_windows < MAX_WINDOWS);
	collected->cuts_ns[collected->nr_windows] = to_ns;
	for (size_t i = 0; i < window->nr_threads; i++) {
		const struct thread *thread = &window->threads[i];

		expect_within(thread->states.start_ns, thread->states.start_ns + 1,
			      thread->states.nr, from_ns, to_ns);
		expect_within(thread->spans.start_ns, thread->spans.end_ns, thread->spans.nr,
			      from_ns, to_ns);
		expect_within(thread->marks.time_ns, thread->marks.time_ns, thread->marks.nr,
			      from_ns, to_ns);
		if (!window->state_deltas)
			expect_causes_beside_states(thread);
	}
	for (int cpu = 0; cpu < window->nr_cpus; cpu++) {
		const struct slice_table *slices = &window->cpus[cpu].slices;

		assert_int_equal(window->cpus[cpu].gaps.nr, 0);
		expect_within(slices->start_ns, slices->end_ns, slices->nr, from_ns, to_ns);
		expect_within(window->cpus[cpu].interrupts.start_ns,
			      window->cpus[cpu].interrupts.end_ns, window->cpus[cpu].interrupts.nr,
			      from_ns, to_ns);
		expect_within(window->cpus[cpu].idle.start_ns, window->cpus[cpu].idle.end_ns,
			      window->cpus[cpu].idle.nr, from_ns, to_ns);
		expect_within(window->cpus[cpu].frequencies.start_ns,
			      window->cpus[cpu].frequencies.end_ns,
			      window->cpus[cpu].frequencies.nr, from_ns, to_ns);
	}
	expect_within(window->wakeups.time_ns, window->wakeups.time_ns, window->wakeups.nr, from_ns,
		      to_ns);
	collect(&collected->rows, window);
	collected->nr_windows++;
	collected->to_ns = to_ns;
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void expect_same_rows(struct rows *got, struct rows *wanted)
{
	qsort(got->text, got->nr, sizeof(*got->text), compare);
	qsort(wanted->text, wanted->nr, sizeof(*wanted->text), compare);
	for (size_t i = 0; i < got->nr && i < wanted->nr; i++)
		assert_string_equal(got->text[i], wanted->text[i]);
	assert_int_equal(got->nr, wanted->nr);
}

/* An annotation of the past ends them: rows are not in the order of their ends. */
static void feed_counts_of_batch(uint64_t time_ns, int cpu)
{
	int32_t tid = script_switched_to(cpu);

	if (!tid || rand() % 8)
		return;
	feed_drained_at(time_ns);
	feed_counts_of_batch_at(time_ns, cpu, tid, (uint64_t[]){ 3, 4 }, 2);
	feed_begin_at(time_ns - (uint64_t)rand() % 60, cpu, tid, 60, TRACE_SPAN_WORK);
	feed_drained_at(0);
}

/* From event @last_kept on, rows that @windows keeps are kept no longer; NULL: they are, or there are none. */
static void feed_script_and_keep(unsigned int seed, int nr_events, struct model_windows *windows,
				 int last_kept)
{
	uint64_t time_ns = 1000;

	srand(seed);
	feed_pmu_event_at(time_ns, 0, 50, 0, 0);
	feed_pmu_event_at(time_ns, 1, 51, 0, 0);
	for (int i = 0; i < nr_events; i++) {
		if (windows && i == last_kept)
			windows_keep_no_longer(windows);
		time_ns += (uint64_t)rand() % 3;
		/* Annotations come out of a ring: those from here on speak of the past. */
		feed_drained_at(rand() % 4 ? 0 : time_ns + (uint64_t)rand() % 40);
		feed_anything_at(time_ns, FIRST_TID, (unsigned int)rand());
		feed_counts_of_batch(time_ns, rand() % 4);
	}
	feed_drained_at(0);
}

static void feed_script(unsigned int seed, int nr_events)
{
	feed_script_and_keep(seed, nr_events, NULL, 0);
}

static struct model *whole(unsigned int seed, int nr_events)
{
	script_begin();
	feed_script(seed, nr_events);
	return script_end();
}

static void expect_order_in_rest(const struct model *rest)
{
	for (size_t i = 0; i < rest->nr_threads; i++) {
		const struct state_table *states = &rest->threads[i].states;
		const struct span_table *spans = &rest->threads[i].spans;

		for (size_t j = 1; j < states->nr; j++)
			assert_true(states->start_ns[j] >= states->end_ns[j - 1]);
		for (size_t j = 1; j < spans->nr; j++)
			assert_true(spans->start_ns[j] > spans->start_ns[j - 1] ||
				    (spans->start_ns[j] == spans->start_ns[j - 1] &&
				     spans->depth[j] >= spans->depth[j - 1]) ||
				    spans->end_ns[j - 1] == spans->start_ns[j]);
	}
}

/* In order, and begun before a cut behind which there is another window. */
static void expect_loose_interrupts(const struct interrupt_table *interrupts,
				    const struct collected *collected)
{
	for (size_t i = 0; i < interrupts->nr; i++) {
		assert_true(!i || interrupts->start_ns[i] >= interrupts->start_ns[i - 1]);
		assert_true(collected->nr_windows > 1 &&
			    interrupts->start_ns[i] <
				    collected->cuts_ns[collected->nr_windows - 2]);
	}
}

static void expect_same_totals(const struct model *rest, const struct model *all)
{
	assert_int_equal(rest->nr_threads, all->nr_threads);
	for (size_t i = 0; i < all->nr_threads; i++) {
		assert_memory_equal(&rest->threads[i].totals, &all->threads[i].totals,
				    sizeof(all->threads[i].totals));
		assert_int_equal(rest->threads[i].tid, all->threads[i].tid);
		assert_int_equal(rest->threads[i].in_session, all->threads[i].in_session);
		assert_int_equal(rest->threads[i].nr_unmatched_ends,
				 all->threads[i].nr_unmatched_ends);
	}
	assert_int_equal(rest->duration_ns, all->duration_ns);
	assert_int_equal(rest->nr_reordered, all->nr_reordered);
}

static bool crosses(const struct collected *collected, uint64_t start_ns, uint64_t end_ns)
{
	for (size_t i = 0; i < collected->nr_windows; i++) {
		if (start_ns < collected->cuts_ns[i] && collected->cuts_ns[i] <= end_ns)
			return true;
	}
	return false;
}

/* What is in the rest has a reason to be: a cut, or that it came late. */
static void expect_reasons(const struct model *rest, const struct collected *collected)
{
	assert_int_equal(rest->wakeups.nr, 0);
	for (int cpu = 0; cpu < rest->nr_cpus; cpu++) {
		const struct slice_table *slices = &rest->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr; i++)
			/* That it was lost shows only later. */
			assert_true(slices->end_state[i] == STATE_UNKNOWN ||
				    crosses(collected, slices->start_ns[i], slices->end_ns[i]));
		expect_loose_interrupts(&rest->cpus[cpu].interrupts, collected);
	}
	for (size_t i = 0; i < rest->nr_threads; i++) {
		const struct mark_table *marks = &rest->threads[i].marks;

		expect_causes_beside_states(&rest->threads[i]);
		for (size_t j = 0; j < marks->nr; j++)
			assert_true(crosses(collected, marks->time_ns[j], marks->drained_ns[j]));
	}
}

static void check(unsigned int seed, int nr_events, size_t nr_events_each)
{
	struct model *all = whole(seed, nr_events), *rest;
	struct collected got = { 0 }, wanted = { 0 };
	const struct model_sink sink = { .take = take, .context = &got };
	struct model_windows windows = { .sink = &sink, .nr_events_each = nr_events_each };
	struct model_builder *builder = script_begin();

	model_builder_use_windows(builder, &windows);
	feed_script(seed, nr_events);
	rest = model_builder_finish(builder);
	expect_same_totals(rest, all);
	expect_order_in_rest(rest);
	expect_reasons(rest, &got);
	collect(&got.rows, rest);
	collect(&wanted.rows, all);
	expect_same_rows(&got.rows, &wanted.rows);
	assert_true(got.nr_windows + 3 > (size_t)nr_events / (nr_events_each + 8));
	assert_int_equal(got.to_ns, all->duration_ns);
	free(got.rows.text);
	free(wanted.rows.text);
	model_free(rest);
	model_free(all);
}

static void take_state(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
		       uint64_t end_ns)
{
	struct collected *collected = context;

	ROW(&collected->rows, "time", thread, state, start_ns, end_ns);
}

/* Returns the rest; in @all the whole model if rows are kept. */
static struct model *run_logged(unsigned int seed, int nr_events, size_t nr_events_each,
				struct collected *got, struct model **all)
{
	const struct model_sink sink = {
		.take = take, .state = take_state, .step_ns = 16, .context = got
	};
	struct model_windows windows = { .sink = &sink,
					 .nr_events_each = nr_events_each,
					 .keeps = all };
	struct model_builder *builder = script_begin();
	struct model *model;

	model_builder_use_windows(builder, &windows);
	feed_script(seed, nr_events);
	model = model_builder_finish(builder);
	if (!all)
		return model;
	*all = model;
	return windows.kept_rest;
}

static void expect_same_order(const struct rows *got, const struct rows *wanted)
{
	for (size_t i = 0; i < got->nr && i < wanted->nr; i++)
		assert_string_equal(got->text[i], wanted->text[i]);
	assert_int_equal(got->nr, wanted->nr);
}

/* Whether rows stay or leave: the windows are the same, and so is the rest, and what stays is the whole model. */
static void check_kept(unsigned int seed, int nr_events, size_t nr_events_each)
{
	struct collected got = { 0 }, wanted = { 0 };
	struct rows kept_rows = { 0 }, all_rows = { 0 };
	struct model *all = whole(seed, nr_events), *kept;
	struct model *wanted_rest = run_logged(seed, nr_events, nr_events_each, &wanted, NULL);
	struct model *got_rest = run_logged(seed, nr_events, nr_events_each, &got, &kept);

	collect(&got.rows, got_rest);
	collect(&wanted.rows, wanted_rest);
	expect_same_order(&got.rows, &wanted.rows);
	assert_int_equal(got.nr_windows, wanted.nr_windows);
	collect(&kept_rows, kept);
	collect(&all_rows, all);
	expect_same_order(&kept_rows, &all_rows);
	expect_same_totals(got_rest, all);
	expect_same_totals(kept, all);
	free(got.rows.text);
	free(wanted.rows.text);
	free(kept_rows.text);
	free(all_rows.text);
	rest_free(got_rest);
	model_free(wanted_rest);
	model_free(kept);
	model_free(all);
}

/* Rows that are kept for a while leave, and the windows and the rest are the same. */
static void check_kept_no_longer(unsigned int seed, int nr_events, size_t nr_events_each,
				 int last_kept)
{
	struct collected got = { 0 }, wanted = { 0 };
	struct model *wanted_rest = run_logged(seed, nr_events, nr_events_each, &wanted, NULL);
	const struct model_sink sink = {
		.take = take, .state = take_state, .step_ns = 16, .context = &got
	};
	struct model_windows windows = { .sink = &sink,
					 .nr_events_each = nr_events_each,
					 .keeps = true };
	struct model_builder *builder = script_begin();
	struct model *rest;

	model_builder_use_windows(builder, &windows);
	feed_script_and_keep(seed, nr_events, &windows, last_kept);
	rest = model_builder_finish(builder);
	assert_false(windows.keeps);
	assert_null(windows.kept_rest);
	collect(&got.rows, rest);
	collect(&wanted.rows, wanted_rest);
	expect_same_order(&got.rows, &wanted.rows);
	expect_same_totals(rest, wanted_rest);
	free(got.rows.text);
	free(wanted.rows.text);
	model_free(rest);
	model_free(wanted_rest);
}

static void test_kept_no_longer(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 200; seed++)
		check_kept_no_longer(seed, 300, 1 + seed % 40, (int)seed % 200);
	check_kept_no_longer(7, 30000, 5000, 12000);
	check_kept_no_longer(8, 30000, 100, 25000);
}

static void test_kept(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 200; seed++)
		check_kept(seed, 300, 1 + seed % 40);
	check_kept(7, 30000, 5000);
	check_kept(8, 30000, 100);
	check_kept(3, 1000, 1000000);
}

static void test_any_events(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 200; seed++)
		check(seed, 300, 1 + seed % 40);
}

static void test_many_events(void **state)
{
	(void)state;
	check(7, 30000, 5000);
	check(8, 30000, 100);
}

static void test_one_window(void **state)
{
	(void)state;
	check(3, 1000, 1000000);
}

/* Divided afterwards, at the times that the events came to, or none. */
static void test_divided(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 100; seed++) {
		struct model *all = whole(seed, 300), *divided = whole(seed, 300);
		uint64_t cuts_ns[] = { 20, 100, 101, 250 };
		struct collected got = { 0 }, wanted = { 0 };
		const struct model_sink sink = { .take = take, .context = &got };

		model_divide(divided, cuts_ns, seed % 5, &sink);
		assert_int_equal(got.nr_windows, seed % 5 + 1);
		expect_same_totals(divided, all);
		collect(&got.rows, divided);
		collect(&wanted.rows, all);
		expect_same_rows(&got.rows, &wanted.rows);
		free(got.rows.text);
		free(wanted.rows.text);
		model_free(divided);
		model_free(all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_events), cmocka_unit_test(test_many_events),
		cmocka_unit_test(test_one_window), cmocka_unit_test(test_divided),
		cmocka_unit_test(test_kept),	   cmocka_unit_test(test_kept_no_longer),
	};

	return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}

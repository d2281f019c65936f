// SPDX-License-Identifier: GPL-2.0
/*
 * A part of a recorded timeline against the whole: the same rows, cut at its edges, whether it comes
 * at once or in windows; and the time of each thread in each state as model_account() has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/account.h"
#include "model/reading.h"
#include "model/window/clip.h"
#include "model/window/filter.h"

#define TRACE "tests/data/zstd-6.12.dat"
#define NR_CUTS 7

/* A sum of hashes: the same for the same rows in any order. */
static uint64_t hash_row(const uint64_t *values, size_t nr)
{
	uint64_t hash = 14695981039346656037u;

	for (size_t i = 0; i < nr; i++) {
		hash = (hash ^ values[i]) * 1099511628211u;
		hash ^= hash >> 29;
	}
	return hash * (hash | 1);
}

#define ROW(...) hash_row((uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)

static uint64_t hash_thread(uint64_t at, const struct thread *thread)
{
	const struct state_table *states = &thread->states;
	const struct span_table *spans = &thread->spans;
	const struct mark_table *marks = &thread->marks;
	uint64_t sum = 0;

	for (size_t i = 0; i < states->nr; i++)
		sum += ROW(1, at, states->start_ns[i],
			   states->end_ns ? states->end_ns[i] : states->start_ns[i + 1],
			   states->state[i], (uint64_t)states->cpu[i], states->migrated[i]);
	for (size_t i = 0; i < spans->nr; i++)
		sum += ROW(2, at, spans->start_ns[i], spans->end_ns[i], spans->name[i],
			   spans->kind[i], spans->depth[i], spans->flags[i]);
	for (size_t i = 0; i < marks->nr; i++)
		sum += ROW(3, at, marks->time_ns[i], marks->name[i], (uint64_t)marks->value[i]);
	for (size_t i = 0; i < thread->causes.nr; i++)
		sum += ROW(7, at, thread->causes.start_ns[i], thread->causes.cause[i],
			   thread->causes.frames[i], thread->causes.object_id[i]);
	for (size_t i = 0; i < thread->stack_points.nr; i++)
		sum += ROW(8, at, thread->stack_points.time_ns[i], thread->stack_points.user[i],
			   thread->stack_points.kernel[i]);
	return sum;
}

static uint64_t hash_model(const struct model *model)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < model->nr_threads; i++)
		sum += hash_thread(i, &model->threads[i]);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		for (size_t i = 0; i < slices->nr; i++)
			sum += ROW(4, (uint64_t)cpu, slices->start_ns[i], slices->end_ns[i],
				   slices->thread[i], slices->end_state[i]);
	}
	for (size_t i = 0; i < model->wakeups.nr; i++)
		sum += ROW(5, model->wakeups.time_ns[i], model->wakeups.waker[i],
			   model->wakeups.wakee[i]);
	for (size_t i = 0; i < model->migrations.nr; i++)
		sum += ROW(6, model->migrations.time_ns[i], model->migrations.left_ns[i],
			   model->migrations.thread[i]);
	return sum;
}

static struct model *read_whole(struct trace **trace)
{
	struct model *model;

	assert_int_equal(trace_open(TRACE, trace), 0);
	assert_int_equal(model_build(*trace, &model), 0);
	return model;
}

static struct model *read_part(struct trace **trace, const struct model_filter *filter)
{
	struct selection *selection;
	struct model *model;

	assert_int_equal(trace_open(TRACE, trace), 0);
	assert_int_equal(selection_new(*trace, filter, NULL, &selection), 0);
	assert_int_equal(selection_build(selection, *trace, &model), 0);
	selection_free(selection);
	return model;
}

static void done(struct trace *trace, struct model *model)
{
	model_free(model);
	trace_close(trace);
}

static bool is_known(const struct thread_account *account, uint64_t length_ns)
{
	return account->state_ns[STATE_UNKNOWN] + account->state_ns[STATE_DEAD] < length_ns;
}

/* Both figures that go with the page and those of any range: of threads in their order. */
static void check_account(const struct model *whole, const struct model *part, uint64_t from_ns,
			  uint64_t to_ns)
{
	uint64_t end_ns = to_ns < whole->duration_ns ? to_ns : whole->duration_ns;
	uint32_t at = 0;

	assert_int_equal(part->start_ns, whole->start_ns + from_ns);
	assert_int_equal(part->duration_ns, end_ns - from_ns);
	for (uint32_t i = 0; i < whole->nr_threads; i++) {
		struct thread_account all, some;
		const struct state_checkpoint *totals;

		model_account(whole, i, from_ns, end_ns, &all);
		if (!is_known(&all, end_ns - from_ns))
			continue;
		while (at < part->nr_threads && part->threads[at].tid != whole->threads[i].tid)
			at++;
		assert_in_range(at, 0, part->nr_threads - 1);
		model_account(part, at, 0, part->duration_ns, &some);
		assert_memory_equal(all.state_ns, some.state_ns, sizeof(all.state_ns));
		totals = &part->threads[at].totals;
		for (int state = STATE_RUNNING; state < NR_THREAD_STATES; state++)
			assert_int_equal(totals->state_ns[state], all.state_ns[state]);
		assert_int_equal(totals->nr_switches, all.nr_switches);
		assert_int_equal(totals->nr_preemptions, all.nr_preemptions);
		assert_int_equal(totals->nr_migrations, all.nr_migrations);
	}
}

static const unsigned int ranges[][2] = { { 0, 100 },  { 0, 10 }, { 33, 67 }, { 50, 51 },
					  { 95, 100 }, { 1, 99 }, { 60, 200 } };

static struct model_filter range_filter(const struct model *whole, size_t range)
{
	struct model_filter filter = { 0 };

	filter.from.text = "from";
	filter.from.since_start = range % 2;
	filter.from.ns = whole->duration_ns * ranges[range][0] / 100;
	filter.to = filter.from;
	filter.to.ns = whole->duration_ns * ranges[range][1] / 100;
	if (!filter.from.since_start) {
		filter.from.ns += whole->start_ns;
		filter.to.ns += whole->start_ns;
	}
	return filter;
}

static void test_times(void **state)
{
	struct trace *trace;
	struct model *whole = read_whole(&trace);

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		struct model_filter filter = range_filter(whole, i);
		struct trace *again;
		struct model *part = read_part(&again, &filter);

		check_account(whole, part, whole->duration_ns * ranges[i][0] / 100,
			      whole->duration_ns * ranges[i][1] / 100);
		done(again, part);
	}
	done(trace, whole);
}

struct divided {
	const struct clip *clip;
	uint64_t sum;
};

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct divided *divided = context;
	struct model *clipped;

	if (!clip_has_window(divided->clip, from_ns, to_ns))
		return;
	clipped = clip_model(divided->clip, window);
	divided->sum += hash_model(clipped);
	model_free(clipped);
}

/* Every second thread, between two times. Returns how many wakeups of them there are. */
static size_t check_windows(struct model *whole, uint64_t from_ns, uint64_t to_ns,
			    const uint64_t *cuts_ns, size_t nr_cuts)
{
	uint32_t *index = calloc(whole->nr_threads, sizeof(*index));
	struct clip clip = {
		.from_ns = from_ns,
		.to_ns = to_ns,
		.nr_index = whole->nr_threads,
		.index = index,
		.nr_threads = whole->nr_threads,
		.totals = calloc(2 * whole->nr_threads, sizeof(*clip.totals)),
	};
	struct divided divided = { .clip = &clip };
	const struct model_sink sink = { .take = take, .context = &divided };
	struct state_checkpoint *at_once = clip.totals;
	struct model *clipped;
	size_t nr_wakeups;
	uint64_t sum;

	for (uint32_t i = 0; i < whole->nr_threads; i++)
		index[i] = i % 2 ? i / 2 : MODEL_NO_THREAD;
	clipped = clip_model(&clip, whole);
	sum = hash_model(clipped);
	nr_wakeups = clipped->wakeups.nr;
	model_free(clipped);
	clip.totals += whole->nr_threads;
	model_divide(whole, cuts_ns, nr_cuts, &sink);
	take(&divided, whole, 0, whole->duration_ns);
	assert_int_equal(divided.sum, sum);
	assert_memory_equal(at_once, clip.totals, whole->nr_threads * sizeof(*at_once));
	free(at_once);
	free(index);
	return nr_wakeups;
}

static void test_windows(void **state)
{
	size_t nr_wakeups = 0;

	(void)state;
	for (uint64_t i = 0; i < 8; i++) {
		uint64_t cuts_ns[NR_CUTS];
		struct trace *trace;
		struct model *whole = read_whole(&trace);

		for (uint64_t j = 0; j < NR_CUTS; j++)
			cuts_ns[j] = whole->duration_ns * (j + 1) / (NR_CUTS + 1);
		nr_wakeups += check_windows(whole, whole->duration_ns * i / 10,
					    whole->duration_ns * (i + 2) / 10, cuts_ns, NR_CUTS);
		done(trace, whole);
	}
	assert_true(nr_wakeups > 0);
}

/* From a cut to a cut, where something happened at each: that at the first one is in it. */
static void test_from_cut_to_cut(void **state)
{
	(void)state;
	for (size_t i = 1; i < 20; i++) {
		struct trace *trace;
		struct model *whole = read_whole(&trace);
		const uint64_t *times_ns = whole->wakeups.time_ns;
		size_t step = whole->wakeups.nr / 21;
		uint64_t cuts_ns[] = { times_ns[step * i], times_ns[step * (i + 1)] };

		check_windows(whole, cuts_ns[0], cuts_ns[1], cuts_ns, 2);
		done(trace, whole);
	}
}

/* A part has what begins with it, but not what begins where it ends, or ends where it begins. */
static void test_edges(void **state)
{
	struct clip clip = { .from_ns = 100, .to_ns = 200 };

	(void)state;
	assert_false(clip_has(&clip, 50, 99));
	assert_false(clip_has(&clip, 50, 100));
	assert_true(clip_has(&clip, 50, 101));
	assert_true(clip_has(&clip, 100, 100));
	assert_true(clip_has(&clip, 199, 300));
	assert_false(clip_has(&clip, 200, 200));
	assert_false(clip_has(&clip, 200, 300));
	assert_false(clip_has_window(&clip, 0, 99));
	assert_true(clip_has_window(&clip, 0, 100));
	assert_true(clip_has_window(&clip, 199, 300));
	assert_false(clip_has_window(&clip, 200, 300));
	clip.to_end = true;
	assert_true(clip_has(&clip, 200, 200));
	assert_true(clip_has_window(&clip, 200, 200));
}

static void test_threads(void **state)
{
	struct model_filter filter = { .threads = "229,a1" };
	struct trace *trace;
	struct model *part;

	(void)state;
	part = read_part(&trace, &filter);
	assert_int_equal(part->nr_threads, 2);
	assert_int_equal(part->threads[0].tid, 228);
	assert_int_equal(part->threads[1].tid, 229);
	for (int cpu = 0; cpu < part->nr_cpus; cpu++) {
		for (size_t i = 0; i < part->cpus[cpu].slices.nr; i++)
			assert_in_range(part->cpus[cpu].slices.thread[i], 0, 1);
	}
	assert_true(part->threads[0].in_session);
	done(trace, part);
}

static void test_cpus(void **state)
{
	static bool cpus[FILTER_MAX_CPUS] = { [1] = true, [3] = true };
	struct model_filter filter = { .cpus = cpus };
	struct trace *trace, *again;
	struct model *whole = read_whole(&trace), *part = read_part(&again, &filter);
	bool ran[64] = { false };

	(void)state;
	for (int cpu = 0; cpu < part->nr_cpus; cpu++) {
		const struct slice_table *slices = &part->cpus[cpu].slices;

		assert_int_equal(slices->nr, cpu % 2 ? whole->cpus[cpu].slices.nr : 0);
		assert_int_equal(part->cpus[cpu].seen, cpu % 2 ? whole->cpus[cpu].seen : 0);
		for (size_t i = 0; i < slices->nr; i++)
			ran[slices->thread[i]] = true;
	}
	assert_in_range(part->nr_threads, 1, whole->nr_threads - 1);
	for (size_t i = 0; i < part->nr_threads; i++)
		assert_true(ran[i]);
	done(again, part);
	done(trace, whole);
}

static void expect_time(const char *text, bool since_start, uint64_t ns)
{
	struct filter_time time = { 0 };

	assert_true(filter_time_parse(&time, text));
	assert_int_equal(time.since_start, since_start);
	assert_int_equal(time.ns, ns);
}

static void test_parse(void **state)
{
	static const char *const wrong[] = { "",     "+",      "x",   "-1",  "+-1",  " 1",
					     "1 s",  "1h",     "++1", "nan", "1e99", "1,5",
					     "0x1x", "0x10ms", "0X1", "+ms" };
	struct filter_time time;

	(void)state;
	expect_time("5000.123456789", false, 5000123456789u);
	expect_time("999999999.999999999", false, 999999999999999999u);
	expect_time("+1.5s", true, 1500000000);
	expect_time("+200ms", true, 200000000);
	expect_time("+7us", true, 7000);
	expect_time("+7ns", true, 7);
	expect_time("0", false, 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(filter_time_parse(&time, wrong[i]));
}

static void test_parse_duration(void **state)
{
	static const char *const wrong[] = { "", "5", "+5ms", "-5ms", "ms", "5m", "1e99s" };
	double ns;

	(void)state;
	assert_true(filter_duration_parse(&ns, "1.5s") && ns == 1.5e9);
	assert_true(filter_duration_parse(&ns, "5ms") && ns == 5e6);
	assert_true(filter_duration_parse(&ns, "0.5ns") && ns == 0.5);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_false(filter_duration_parse(&ns, wrong[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),	cmocka_unit_test(test_windows),
		cmocka_unit_test(test_edges),	cmocka_unit_test(test_from_cut_to_cut),
		cmocka_unit_test(test_threads), cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_parse),	cmocka_unit_test(test_parse_duration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

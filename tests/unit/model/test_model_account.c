// SPDX-License-Identifier: GPL-2.0
/*
 * Ranges of threads' lives in a recorded timeline, against the sum over all of their states; and a
 * model that is given up, as it has too many events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/account.h"
#include "model/reading.h"
#include "model/model.h"

#define TRACE "tests/data/scene-contend.dat"
#define NR_RANGES 200 /* of each thread */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A row that begins in the range is a switch, if it is one, and a migration. */
static struct thread_account sum_up(const struct model *model, const struct state_table *states,
				    uint64_t from_ns, uint64_t to_ns)
{
	struct thread_account sum = { 0 };
	uint64_t known_ns = 0;

	for (size_t row = 0; row < states->nr; row++) {
		uint64_t start_ns = later(states->start_ns[row], from_ns);
		uint64_t end_ns = earlier(states->start_ns[row + 1], to_ns);
		enum thread_state state = (enum thread_state)states->state[row];
		bool begins = states->start_ns[row] >= from_ns &&
			      (states->start_ns[row] < to_ns || to_ns >= model->duration_ns);

		if (end_ns > start_ns) {
			sum.state_ns[state] += end_ns - start_ns;
			known_ns += end_ns - start_ns;
		}
		sum.nr_switches += begins && state >= STATE_PREEMPTED && state != STATE_RUNNABLE;
		sum.nr_preemptions += begins && state == STATE_PREEMPTED;
		sum.nr_migrations += begins && states->migrated[row];
	}
	sum.state_ns[STATE_UNKNOWN] += to_ns - from_ns - known_ns;
	return sum;
}

static void check_range(const struct model *model, uint32_t thread, uint64_t from_ns,
			uint64_t to_ns)
{
	struct thread_account account, sum;

	model_account(model, thread, from_ns, to_ns, &account);
	sum = sum_up(model, &model->threads[thread].states, from_ns, to_ns);
	assert_memory_equal(&account, &sum, sizeof(sum));
}

/* From one row's time to that of another, near or far, and a little beside them. */
static void check_thread(const struct model *model, uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;

	for (int i = 0; i < NR_RANGES; i++) {
		size_t from = (size_t)random() % (states->nr + 1);
		size_t nr = (size_t)random() % (i % 2 ? 150 : 4);
		size_t to = from + nr < states->nr ? from + nr : states->nr;
		uint64_t from_ns = states->start_ns[from] + (uint64_t)random() % 3;
		uint64_t to_ns = states->start_ns[to] + (uint64_t)random() % 1000;

		if (from_ns < to_ns)
			check_range(model, thread, from_ns, to_ns);
	}
	check_range(model, thread, 0, model->duration_ns + 1);
}

static void test_ranges(void **state)
{
	struct trace *trace;
	struct model *model;
	size_t most = 0;

	(void)state;
	srandom(4);
	assert_int_equal(trace_open(TRACE, &trace), 0);
	assert_int_equal(model_build(trace, &model), 0);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		most = later(most, model->threads[i].states.nr);
		check_thread(model, i);
	}
	assert_true(most > 2 * STATE_CHECKPOINT_ROWS);
	model_free(model);
	trace_close(trace);
}

static struct model *build(uint64_t most_events, uint64_t *read_ns)
{
	struct trace *trace;
	struct model *model;

	assert_int_equal(trace_open(TRACE, &trace), 0);
	assert_int_equal(model_build_again(trace, most_events, read_ns, &model), 0);
	trace_close(trace);
	return model;
}

/* Annotations in batches are events, too. */
static uint64_t count_events(void)
{
	struct trace_event event;
	struct trace *trace;
	uint64_t nr = 0;

	assert_int_equal(trace_open(TRACE, &trace), 0);
	while (trace_next(trace, &event) > 0)
		nr++;
	assert_true(nr > trace_info(trace)->nr_events);
	trace_close(trace);
	return nr;
}

static void test_too_many(void **state)
{
	uint64_t nr = count_events(), read_ns, half_ns;
	struct model *model = build(nr, &read_ns);

	(void)state;
	assert_non_null(model);
	assert_int_equal(read_ns, model->duration_ns);
	model_free(model);
	assert_null(build(nr - 1, &read_ns));
	assert_null(build(nr / 2, &half_ns));
	assert_true(half_ns > 0 && half_ns < read_ns);
	assert_null(build(0, &read_ns));
	assert_int_equal(read_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

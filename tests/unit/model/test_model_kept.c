// SPDX-License-Identifier: GPL-2.0
/* SLOW */
/*
 * A trace that is streamed and kept: the whole model is as the one that is built of it, up to how many events; of more,
 * only windows and the rest are there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "model/reading.h"
#include "model/window/window.h"

/* Switches, one each 100 ns: more than two windows of them. */
#define NR_EVENTS 270000
#define NR_WINDOWS 3

static char path[] = "/tmp/test_model_kept.XXXXXX";

static int make_trace(void **state)
{
	char command[512];
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	snprintf(
		command, sizeof(command),
		"awk 'BEGIN { for (i = 0; i < %d; i++) print 1000 + i * 100, 0, 100 + i %% 2, \"switch\", "
		"\"prev_pid=\" 100 + i %% 2, \"next_pid=\" 101 - i %% 2, \"prev_state=1\" }' | "
		"tests/lib/script_trace.py %s",
		NR_EVENTS, path);
	return system(command);
}

static int remove_trace(void **state)
{
	(void)state;
	return unlink(path);
}

struct windows_seen {
	size_t nr;
	size_t nr_slices;
	uint64_t state_ns;
};

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct windows_seen *seen = context;

	(void)from_ns;
	(void)to_ns;
	seen->nr++;
	seen->nr_slices += window->cpus[0].slices.nr;
}

static void take_state(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
		       uint64_t end_ns)
{
	struct windows_seen *seen = context;

	(void)thread;
	if (state == STATE_RUNNING)
		seen->state_ns += end_ns - start_ns;
}

static struct trace *stream(uint64_t most_events, struct windows_seen *seen,
			    struct kept_model *kept)
{
	const struct model_sink sink = {
		.take = take, .state = take_state, .step_ns = 1 << 20, .context = seen
	};
	struct trace *trace;

	*seen = (struct windows_seen){ 0 };
	assert_int_equal(trace_open(path, &trace), 0);
	assert_int_equal(model_stream_kept(trace, &sink, most_events, kept), 0);
	assert_int_equal(seen->nr, NR_WINDOWS);
	/* A cut is at an event, so no slice crosses it; the last one begins with the last event. */
	assert_int_equal(seen->nr_slices, NR_EVENTS - 1);
	assert_int_equal(kept->rest->cpus[0].slices.nr, 0);
	assert_int_equal(kept->rest->nr_switches, NR_EVENTS);
	return trace;
}

static struct model *built(struct trace **trace)
{
	struct model *model;

	assert_int_equal(trace_open(path, trace), 0);
	assert_int_equal(model_build(*trace, &model), 0);
	return model;
}

static void expect_same_states(const struct state_table *got, const struct state_table *wanted)
{
	assert_int_equal(got->nr, wanted->nr);
	assert_memory_equal(got->start_ns, wanted->start_ns, (got->nr + 1) * sizeof(uint64_t));
	assert_memory_equal(got->state, wanted->state, got->nr);
}

static void expect_same_slices(const struct slice_table *got, const struct slice_table *wanted)
{
	assert_int_equal(got->nr, wanted->nr);
	assert_memory_equal(got->start_ns, wanted->start_ns, got->nr * sizeof(uint64_t));
	assert_memory_equal(got->end_ns, wanted->end_ns, got->nr * sizeof(uint64_t));
	assert_memory_equal(got->thread, wanted->thread, got->nr * sizeof(uint32_t));
}

static void expect_whole(const struct model *whole)
{
	struct trace *trace;
	struct model *model = built(&trace);

	assert_non_null(whole);
	assert_int_equal(whole->duration_ns, (NR_EVENTS - 1) * 100);
	assert_int_equal(whole->nr_threads, model->nr_threads);
	expect_same_slices(&whole->cpus[0].slices, &model->cpus[0].slices);
	for (size_t i = 0; i < model->nr_threads; i++) {
		expect_same_states(&whole->threads[i].states, &model->threads[i].states);
		assert_memory_equal(&whole->threads[i].totals, &model->threads[i].totals,
				    sizeof(model->threads[i].totals));
	}
	model_free(model);
	trace_close(trace);
}

static void test_all(void **state)
{
	struct windows_seen seen;
	struct kept_model kept;
	struct trace *trace = stream(UINT64_MAX, &seen, &kept);

	(void)state;
	expect_whole(kept.whole);
	assert_int_equal(trace_info(trace)->nr_events, NR_EVENTS);
	kept_model_free(&kept);
	trace_close(trace);
}

static void test_just_enough(void **state)
{
	struct windows_seen seen;
	struct kept_model kept;
	struct trace *trace = stream(NR_EVENTS, &seen, &kept);

	(void)state;
	expect_whole(kept.whole);
	assert_int_equal(kept.read_ns, 0);
	kept_model_free(&kept);
	trace_close(trace);
}

static void test_too_many(void **state)
{
	const uint64_t most_events[] = { 1000, 140000, 200000 };
	struct windows_seen all, seen;
	struct kept_model kept;
	struct trace *trace = stream(UINT64_MAX, &all, &kept);

	(void)state;
	kept_model_free(&kept);
	trace_close(trace);
	for (size_t i = 0; i < sizeof(most_events) / sizeof(most_events[0]); i++) {
		trace = stream(most_events[i], &seen, &kept);
		assert_null(kept.whole);
		assert_int_equal(kept.read_ns, (most_events[i] - 1) * 100);
		assert_int_equal(seen.state_ns, all.state_ns);
		assert_int_equal(trace_info(trace)->nr_events, NR_EVENTS);
		kept_model_free(&kept);
		trace_close(trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_just_enough),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, make_trace, remove_trace);
}

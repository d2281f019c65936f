// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Idle states and frequencies of CPUs: what is told of them, and what is made of those whose begin, end or
 * change is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "events.h"
#include "model/window/clip.h"

#define A 10
#define UNKNOWN IDLE_STATE_UNKNOWN

static void expect_idle(const struct model *model, int cpu, const struct idle_row *wanted,
			size_t nr)
{
	const struct idle_table *got = &model->cpus[cpu].idle;

	assert_int_equal(got->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(got->start_ns[i], wanted[i].start_ns);
		assert_int_equal(got->end_ns[i], wanted[i].end_ns);
		assert_int_equal(got->state[i], wanted[i].state);
		assert_int_equal(got->flags[i], wanted[i].flags);
	}
}

static void expect_khz(const struct model *model, int cpu, const struct frequency_row *wanted,
		       size_t nr)
{
	const struct frequency_table *got = &model->cpus[cpu].frequencies;

	assert_int_equal(got->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(got->start_ns[i], wanted[i].start_ns);
		assert_int_equal(got->end_ns[i], wanted[i].end_ns);
		assert_int_equal(got->khz[i], wanted[i].khz);
	}
}

#define EXPECT(expect, row, model, cpu, ...)                    \
	expect(model, cpu, (const struct row[]){ __VA_ARGS__ }, \
	       sizeof((const struct row[]){ __VA_ARGS__ }) / sizeof(struct row))
#define EXPECT_IDLE(model, cpu, ...) EXPECT(expect_idle, idle_row, model, cpu, __VA_ARGS__)
#define EXPECT_KHZ(model, cpu, ...) EXPECT(expect_khz, frequency_row, model, cpu, __VA_ARGS__)

/* CPU 0 runs A from 1000 to 1100, and from 1900 on. The trace ends at 2000. */
static void begin(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, A + 1, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
}

static struct model *end(void)
{
	feed_switch_at(1900, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void test_idle(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_idle_at(1110, 0, 1);
	feed_idle_at(1300, 0, NOT_IDLE);
	feed_idle_at(1310, 0, 3);
	feed_idle_at(1890, 0, NOT_IDLE);
	model = end();
	EXPECT_IDLE(model, 0, { 110, 300, 1, 0 }, { 310, 890, 3, 0 });
	assert_int_equal(model->cpus[1].idle.nr, 0);
	model_free(model);
}

/* No end is seen before the next begin, before a thread runs, and before the trace's end. */
static void test_ends_are_missing(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_idle_at(1110, 0, 1);
	feed_idle_at(1310, 0, 3);
	feed_idle_at(1500, 1, 2);
	model = end();
	EXPECT_IDLE(model, 0, { 110, 310, 1, IDLE_OPEN_END }, { 310, 900, 3, IDLE_OPEN_END });
	EXPECT_IDLE(model, 1, { 500, 1000, 2, IDLE_OPEN_END });
	model_free(model);
}

/* A CPU that is not idle is not made so by an end; an idle one was so since the last that is known of it. */
static void test_begins_are_missing(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_idle_at(1050, 0, NOT_IDLE);
	feed_idle_at(1070, 1, NOT_IDLE);
	feed_idle_at(1080, 1, NOT_IDLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_idle_at(1400, 0, NOT_IDLE);
	model = end();
	EXPECT_IDLE(model, 0, { 100, 400, UNKNOWN, IDLE_OPEN_BEGIN });
	EXPECT_IDLE(model, 1, { 0, 70, UNKNOWN, IDLE_OPEN_BEGIN },
		    { 70, 80, UNKNOWN, IDLE_OPEN_BEGIN });
	model_free(model);
}

static void test_loss_ends_idle(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_idle_at(1110, 0, 1);
	feed_lost_at(1500, 0, 1200, 9);
	feed_idle_at(1600, 0, NOT_IDLE);
	model = end();
	EXPECT_IDLE(model, 0, { 110, 200, 1, IDLE_OPEN_END },
		    { 500, 600, UNKNOWN, IDLE_OPEN_BEGIN });
	model_free(model);
}

static void test_many_states(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_idle_at(1110, 0, 254);
	feed_idle_at(1120, 0, NOT_IDLE);
	feed_idle_at(1130, 0, 1000);
	feed_idle_at(1140, 0, NOT_IDLE);
	model = end();
	EXPECT_IDLE(model, 0, { 110, 120, 254, 0 }, { 130, 140, UNKNOWN, 0 });
	model_free(model);
}

/* The same again is no change; it holds to the end of the trace. */
static void test_frequencies(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_frequency_at(1200, 0, 0, 2000000);
	feed_frequency_at(1300, 0, 0, 2000000);
	feed_frequency_at(1400, 1, 0, 1000000);
	feed_frequency_at(1400, 1, 1, 3000000);
	model = end();
	EXPECT_KHZ(model, 0, { 200, 400, 2000000 }, { 400, 1000, 1000000 });
	EXPECT_KHZ(model, 1, { 400, 1000, 3000000 });
	model_free(model);
}

/* What a CPU's buffer told may have changed while its events were lost, of whichever CPU. */
static void test_loss_ends_frequencies(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_frequency_at(1200, 0, 0, 2000000);
	feed_frequency_at(1210, 0, 1, 2100000);
	feed_frequency_at(1220, 1, 0, 2200000);
	feed_lost_at(1600, 0, 1500, 1);
	feed_frequency_at(1700, 0, 1, 2100000);
	model = end();
	EXPECT_KHZ(model, 0, { 200, 220, 2000000 }, { 220, 1000, 2200000 });
	EXPECT_KHZ(model, 1, { 210, 500, 2100000 }, { 700, 1000, 2100000 });
	model_free(model);
}

/* CPUs that the trace does not have, and no frequency. */
static void test_nonsense(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_frequency_at(1200, 0, -1, 2000000);
	feed_frequency_at(1200, 0, 70000, 2000000);
	feed_frequency_at(1300, 0, 1, 0);
	model = end();
	assert_int_equal(model->nr_cpus, 2);
	assert_int_equal(model->cpus[0].frequencies.nr, 0);
	assert_int_equal(model->cpus[1].frequencies.nr, 0);
	model_free(model);
}

/* The trace begins with it. */
static void test_first(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_frequency_at(900, 0, 0, 2000000);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT_KHZ(model, 0, { 0, 200, 2000000 });
	model_free(model);
}

static void test_clip(void **state)
{
	struct model *model, *part;
	uint32_t index[2] = { 0, 1 };
	struct state_checkpoint totals[2] = { 0 };
	const struct clip clip = {
		.from_ns = 150,
		.to_ns = 250,
		.index = index,
		.nr_index = 2,
		.nr_threads = 2,
		.totals = totals,
	};

	(void)state;
	begin();
	feed_idle_at(1110, 0, 1);
	feed_frequency_at(1120, 0, 0, 2000000);
	feed_frequency_at(1200, 0, 0, 1000000);
	feed_idle_at(1210, 0, NOT_IDLE);
	feed_idle_at(1220, 0, 2);
	feed_idle_at(1300, 0, NOT_IDLE);
	feed_idle_at(1310, 0, 2);
	model = end();
	part = clip_model(&clip, model);
	EXPECT_IDLE(part, 0, { 0, 60, 1, IDLE_OPEN_BEGIN }, { 70, 100, 2, IDLE_OPEN_END });
	EXPECT_KHZ(part, 0, { 0, 50, 2000000 }, { 50, 100, 1000000 });
	model_free(part);
	model_free(model);
}

#define STEP_DOWN 87
#define STEP_UP 88

static uint64_t step_of(int cpu, uint32_t step)
{
	return (uint64_t)cpu << 32 | step;
}

static void step_begins(uint64_t time_ns, int cpu, uint32_t step, int32_t level)
{
	feed_kernel_at(time_ns, 0, A, TRACE_KERNEL_BEGIN, TRACE_KERNEL_HOTPLUG, step_of(cpu, step),
		       level);
}

static void step_ends(uint64_t time_ns, int cpu, uint32_t step, int64_t result)
{
	feed_step_end_at(time_ns, 0, A, step_of(cpu, step), result);
}

/* A takes CPU 1 down on CPU 0, and brings it up again; then it fails to take it down. */
static void test_offline(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, A + 1, 0, TRACE_OUT_SLEEPING);
	feed_idle_at(1110, 1, 2);
	step_begins(1120, 1, 90, 0);
	step_ends(1130, 1, 90, 0);
	step_begins(1140, 1, STEP_DOWN, TRACE_HOTPLUG_TAKES_DOWN);
	/* Steps inside of it are others. */
	step_begins(1150, 1, 60, 0);
	step_ends(1160, 1, 60, 0);
	step_ends(1200, 1, STEP_DOWN, 0);
	step_begins(1500, 1, 50, 0);
	step_ends(1510, 1, 50, 0);
	step_begins(1600, 1, STEP_UP, TRACE_HOTPLUG_BRINGS_UP);
	feed_switch_at(1620, 1, 0, A + 1, TRACE_OUT_RUNNABLE);
	step_ends(1650, 1, STEP_UP, 0);
	step_begins(1700, 1, STEP_DOWN, TRACE_HOTPLUG_TAKES_DOWN);
	step_ends(1710, 1, STEP_DOWN, -16);
	feed_switch_at(1800, 1, A + 1, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT_IDLE(model, 1, { 110, 200, 2, IDLE_OPEN_END }, { 200, 600, IDLE_STATE_OFFLINE, 0 });
	assert_int_equal(model->cpus[0].idle.nr, 0);
	/* They are what A does in the kernel. */
	assert_int_equal(model->threads[thread_of(model, A, 0)].kernel_slices.nr, 6);
	model_free(model);
}

/* The begin or end of the time is not in the trace; a CPU that ran something was not offline before. */
static void test_offline_at_an_end(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 2, A + 2, 0, TRACE_OUT_SLEEPING);
	step_begins(1100, 2, STEP_UP, TRACE_HOTPLUG_BRINGS_UP);
	step_ends(1110, 2, STEP_UP, 0);
	step_begins(1300, 1, STEP_UP, TRACE_HOTPLUG_BRINGS_UP);
	step_ends(1310, 1, STEP_UP, 0);
	step_begins(1400, 1, STEP_DOWN, TRACE_HOTPLUG_TAKES_DOWN);
	step_ends(1500, 1, STEP_DOWN, 0);
	/* Only a damaged file has such a CPU. */
	step_begins(1600, 4000, STEP_DOWN, TRACE_HOTPLUG_TAKES_DOWN);
	step_ends(1610, 4000, STEP_DOWN, 0);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT_IDLE(model, 1, { 0, 300, IDLE_STATE_OFFLINE, IDLE_OPEN_BEGIN },
		    { 500, 1000, IDLE_STATE_OFFLINE, IDLE_OPEN_END });
	assert_int_equal(model->cpus[2].idle.nr, 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_offline),
		cmocka_unit_test(test_offline_at_an_end),
		cmocka_unit_test(test_ends_are_missing),
		cmocka_unit_test(test_begins_are_missing),
		cmocka_unit_test(test_loss_ends_idle),
		cmocka_unit_test(test_many_states),
		cmocka_unit_test(test_frequencies),
		cmocka_unit_test(test_loss_ends_frequencies),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_clip),
	};

	return RUN_IN_WINDOWS(tests);
}

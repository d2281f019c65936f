// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Interrupts: what is told of them, and what is made of those whose begin or end is missing. A plain
 * list of who had the CPU in each nanosecond is the truth for random ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events.h"
#include "model/account.h"
#include "model/window/clip.h"

#define A 10
#define B 11
#define NOBODY UINT32_MAX
#define LENGTH_NS 20000

struct expected {
	uint64_t start_ns;
	uint64_t end_ns;
	uint32_t thread;
	uint32_t name;
	enum trace_interrupt_kind kind;
	uint8_t depth;
	uint8_t flags;
};

static void expect(const struct model *model, int cpu, const struct expected *wanted, size_t nr)
{
	const struct interrupt_table *got = &model->cpus[cpu].interrupts;

	assert_int_equal(got->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(got->start_ns[i], wanted[i].start_ns);
		assert_int_equal(got->end_ns[i], wanted[i].end_ns);
		assert_int_equal(got->thread[i], wanted[i].thread);
		assert_int_equal(got->name[i], wanted[i].name);
		assert_int_equal(got->kind[i], wanted[i].kind);
		assert_int_equal(got->depth[i], wanted[i].depth);
		assert_int_equal(got->flags[i], wanted[i].flags);
	}
}

#define EXPECT(model, cpu, ...)                                      \
	expect(model, cpu, (const struct expected[]){ __VA_ARGS__ }, \
	       sizeof((const struct expected[]){ __VA_ARGS__ }) / sizeof(struct expected))

static void begin(uint64_t time_ns, int32_t tid, enum trace_interrupt_kind kind, uint32_t id)
{
	feed_interrupt_begin_at(time_ns, 0, tid, kind, id, true);
}

static void end(uint64_t time_ns, int32_t tid, enum trace_interrupt_kind kind, uint32_t id)
{
	feed_interrupt_end_at(time_ns, 0, tid, kind, id);
}

/* Thread A runs from 0 to 1000 but for idle from 400 to 500. */
static void begin_script(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
}

static void test_nested(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_HARDIRQ, 1);
	end(1110, A, TRACE_HARDIRQ, 1);
	begin(1110, A, TRACE_SOFTIRQ, 2);
	begin(1120, A, TRACE_TASKLET, 3);
	begin(1130, A, TRACE_HARDIRQ, 4);
	begin(1131, A, TRACE_IPI, 5);
	end(1132, A, TRACE_IPI, 5);
	end(1140, A, TRACE_HARDIRQ, 4);
	end(1150, A, TRACE_TASKLET, 3);
	end(1160, A, TRACE_SOFTIRQ, 2);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_SLEEPING);
	begin(1420, 0, TRACE_VECTOR, 6);
	end(1430, 0, TRACE_VECTOR, 6);
	feed_switch_at(2000, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_true(model->has_interrupts);
	EXPECT(model, 0, { 100, 110, 0, 1, TRACE_HARDIRQ, 0, INTERRUPT_STEALS },
	       { 110, 160, 0, 2, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS },
	       { 120, 150, 0, 3, TRACE_TASKLET, 1, 0 }, { 130, 140, 0, 4, TRACE_HARDIRQ, 2, 0 },
	       { 131, 132, 0, 5, TRACE_IPI, 3, 0 },
	       { 420, 430, MODEL_NO_THREAD, 6, TRACE_VECTOR, 0, 0 });
	model_free(model);
}

static void test_none(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_false(model->has_interrupts);
	assert_int_equal(model->cpus[0].interrupts.nr, 0);
	model_free(model);
}

/* Those before the first event that tells of a thread are passed over, as is an end alone. */
static void test_before_the_trace(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	begin(500, A, TRACE_HARDIRQ, 1);
	end(600, A, TRACE_HARDIRQ, 1);
	begin(700, A, TRACE_HARDIRQ, 1);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	end(1010, A, TRACE_HARDIRQ, 1);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_int_equal(model->start_ns, 1000);
	assert_int_equal(model->cpus[0].interrupts.nr, 0);
	model_free(model);
}

/* Nothing is switched in an interrupt: it lasted to its last sign at least, which is what came inside. */
static void test_end_is_missing(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_SOFTIRQ, 1);
	begin(1120, A, TRACE_HARDIRQ, 2);
	end(1130, A, TRACE_HARDIRQ, 2);
	feed_switch_at(1400, 0, A, B, TRACE_OUT_SLEEPING);
	begin(1500, B, TRACE_HARDIRQ, 3);
	feed_switch_at(1600, 0, B, A, TRACE_OUT_SLEEPING);
	end(1700, A, TRACE_HARDIRQ, 3);
	begin(1800, A, TRACE_VECTOR, 4);
	feed_switch_at(1900, 1, 0, B, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT(model, 0,
	       { 100, 130, 0, 1, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 120, 130, 0, 2, TRACE_HARDIRQ, 1, 0 },
	       { 500, 500, 1, 3, TRACE_HARDIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 800, 800, 0, 4, TRACE_VECTOR, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END });
	model_free(model);
}

/* The end of the outer one ends the inner ones, as far as is known. */
static void test_inner_end_is_missing(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_SOFTIRQ, 1);
	begin(1110, A, TRACE_TASKLET, 2);
	begin(1120, A, TRACE_HARDIRQ, 3);
	end(1200, A, TRACE_SOFTIRQ, 1);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	EXPECT(model, 0, { 100, 200, 0, 1, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS },
	       { 110, 120, 0, 2, TRACE_TASKLET, 1, INTERRUPT_OPEN_END },
	       { 120, 120, 0, 3, TRACE_HARDIRQ, 2, INTERRUPT_OPEN_END });
	model_free(model);
}

/* A softirq is not inside another, a handler not in another; what is not in a softirq ends it. */
static void test_contradicted(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_HARDIRQ, 1);
	begin(1110, A, TRACE_SOFTIRQ, 2);
	begin(1120, A, TRACE_HARDIRQ, 3);
	begin(1130, A, TRACE_SOFTIRQ, 4);
	feed_interrupt_begin_at(1140, 0, A, TRACE_HARDIRQ, 5, false);
	begin(1150, A, TRACE_HARDIRQ, 6);
	begin(1155, A, TRACE_VECTOR, 7);
	end(1160, A, TRACE_VECTOR, 7);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	EXPECT(model, 0,
	       { 100, 100, 0, 1, TRACE_HARDIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 110, 120, 0, 2, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 120, 120, 0, 3, TRACE_HARDIRQ, 1, INTERRUPT_OPEN_END },
	       { 130, 130, 0, 4, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 140, 140, 0, 5, TRACE_HARDIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 150, 150, 0, 6, TRACE_HARDIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 155, 160, 0, 7, TRACE_VECTOR, 0, INTERRUPT_STEALS });
	model_free(model);
}

static void test_lost(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_SOFTIRQ, 1);
	feed_lost_at(1300, 0, 1100, 5);
	end(1310, A, TRACE_SOFTIRQ, 1);
	begin(1320, A, TRACE_HARDIRQ, 2);
	end(1330, A, TRACE_HARDIRQ, 2);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	EXPECT(model, 0,
	       { 100, 100, 0, 1, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 320, 330, 0, 2, TRACE_HARDIRQ, 0, INTERRUPT_STEALS });
	model_free(model);
}

/* It names who runs, whom the model did not know there. */
static void test_switch_is_missing(void **state)
{
	struct model *model;

	(void)state;
	begin_script();
	begin(1100, A, TRACE_SOFTIRQ, 1);
	begin(1300, B, TRACE_HARDIRQ, 2);
	end(1310, B, TRACE_HARDIRQ, 2);
	feed_switch_at(2000, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT(model, 0,
	       { 100, 100, 0, 1, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END },
	       { 300, 310, 1, 2, TRACE_HARDIRQ, 0, INTERRUPT_STEALS });
	model_free(model);
}

/* Events that may be from the middle of a switch do not prove that A still ran: then nothing was taken from it. */
static void test_unsure(void **state)
{
	struct trace_event event = {
		.time_ns = 1100,
		.tid = A,
		.kind = TRACE_INTERRUPT_BEGIN,
		.interrupt = { .may_be_in_switch = true, .in_softirq = true, .kind = TRACE_SOFTIRQ }
	};
	struct model_builder *builder;
	struct model *model;

	(void)state;
	builder = script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1050, 0, A, 1);
	model_builder_feed(builder, &event);
	event.time_ns = 1150;
	event.kind = TRACE_INTERRUPT_END;
	model_builder_feed(builder, &event);
	feed_mark_at(1300, 0, B, 1);
	feed_switch_at(1400, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	EXPECT(model, 0, { 100, 150, 0, 0, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS });
	assert_int_equal(model->cpus[0].slices.end_ns[0], 50);
	assert_int_equal(stolen_between(&model->threads[0].stolen, 0, 400), 0);
	model_free(model);
}

/* A part of the trace, of one of two threads: what it cuts says so, idle's rows stay. */
static void test_part(void **state)
{
	uint32_t index[] = { MODEL_NO_THREAD, 0 };
	struct state_checkpoint totals[1] = { 0 };
	const struct clip clip = {
		.from_ns = 300,
		.to_ns = 900,
		.index = index,
		.nr_index = 2,
		.nr_threads = 1,
		.totals = totals,
	};
	struct model *model, *part;

	(void)state;
	begin_script();
	begin(1350, A, TRACE_HARDIRQ, 1);
	end(1360, A, TRACE_HARDIRQ, 1);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_SLEEPING);
	begin(1420, 0, TRACE_VECTOR, 2);
	end(1430, 0, TRACE_VECTOR, 2);
	feed_switch_at(1500, 0, 0, B, TRACE_OUT_RUNNABLE);
	begin(1600, B, TRACE_HARDIRQ, 3);
	end(1610, B, TRACE_HARDIRQ, 3);
	begin(1890, B, TRACE_SOFTIRQ, 4);
	end(1950, B, TRACE_SOFTIRQ, 4);
	begin(1960, B, TRACE_HARDIRQ, 5);
	end(1970, B, TRACE_HARDIRQ, 5);
	feed_switch_at(2000, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	part = clip_model(&clip, model);
	assert_true(part->has_interrupts);
	EXPECT(part, 0, { 120, 130, MODEL_NO_THREAD, 2, TRACE_VECTOR, 0, 0 },
	       { 300, 310, 0, 3, TRACE_HARDIRQ, 0, INTERRUPT_STEALS },
	       { 590, 600, 0, 4, TRACE_SOFTIRQ, 0, INTERRUPT_STEALS | INTERRUPT_OPEN_END });
	account_prepare(&part->threads[0], part->duration_ns);
	stolen_prepare(part);
	assert_int_equal(stolen_between(&part->threads[0].stolen, 0, 600), 20);
	model_free(part);
	model_free(model);
}

/* The truth: which interrupts there are, and which of them has the CPU, its index + 1, in each ns. */
struct truth {
	size_t nr;
	struct expected rows[LENGTH_NS];
};

static uint64_t some_ns(uint64_t most)
{
	return 1 + (uint64_t)rand() % most;
}

/* One of @kind from @time_ns on, with others inside it; returns its end. */
static uint64_t make_one(struct truth *truth, uint64_t time_ns, enum trace_interrupt_kind kind,
			 uint8_t depth)
{
	size_t at = truth->nr++;

	truth->rows[at] = (struct expected){
		.start_ns = time_ns, .name = 1 + (uint32_t)rand() % 3, .kind = kind, .depth = depth
	};
	time_ns += some_ns(9);
	for (int inner = kind + 1; inner < NR_TRACE_INTERRUPT_KINDS; inner++) {
		if (rand() % 3 || (kind == TRACE_HARDIRQ) != (inner == TRACE_IPI))
			continue;
		time_ns = make_one(truth, time_ns, inner, depth + 1) + some_ns(9);
	}
	truth->rows[at].end_ns = time_ns;
	return time_ns;
}

static void make_truth(struct truth *truth, unsigned int seed)
{
	static const enum trace_interrupt_kind kinds[] = { TRACE_SOFTIRQ, TRACE_HARDIRQ,
							   TRACE_VECTOR };
	uint64_t time_ns = 1;

	srand(seed);
	truth->nr = 0;
	while (time_ns < LENGTH_NS - 1000)
		time_ns = make_one(truth, time_ns, kinds[rand() % 3], 0) + some_ns(60);
}

static bool is_within_softirqs(const struct truth *truth, size_t at)
{
	for (size_t i = at + 1; i-- > 0;) {
		if (truth->rows[i].kind <= TRACE_TASKLET &&
		    truth->rows[i].start_ns <= truth->rows[at].start_ns &&
		    truth->rows[i].end_ns >= truth->rows[at].end_ns)
			return true;
	}
	return false;
}

/*
 * In the order of time; every @drops-th end is left out, 0: none. Those of tasklets are there: what comes after one in
 * its softirq may as well be inside of it.
 */
static struct model *feed_truth(const struct truth *truth, int drops)
{
	int nr_ends = 0;

	begin_script();
	for (uint64_t ns = 1; ns < LENGTH_NS; ns++) {
		for (size_t i = truth->nr; i-- > 0;) {
			const struct expected *row = &truth->rows[i];

			if (row->end_ns == ns &&
			    !(drops && row->kind != TRACE_TASKLET && ++nr_ends % drops == 0))
				end(1000 + ns, A, row->kind, row->name);
		}
		for (size_t i = 0; i < truth->nr; i++) {
			const struct expected *row = &truth->rows[i];

			if (row->start_ns == ns)
				feed_interrupt_begin_at(1000 + ns, 0, A, row->kind, row->name,
							is_within_softirqs(truth, i));
		}
	}
	feed_switch_at(1000 + LENGTH_NS, 0, A, 0, TRACE_OUT_RUNNABLE);
	return script_end();
}

static void test_random(void **state)
{
	static struct truth truth;

	(void)state;
	for (unsigned int seed = 1; seed < 6; seed++) {
		struct model *model;

		make_truth(&truth, seed);
		assert_true(truth.nr > 100);
		for (size_t i = 0; i < truth.nr; i++)
			truth.rows[i].flags = truth.rows[i].depth ? 0 : INTERRUPT_STEALS;
		model = feed_truth(&truth, 0);
		expect(model, 0, truth.rows, truth.nr);
		model_free(model);
	}
}

/* None lasts longer than it did, and those that do not last as long say so. */
static void test_random_ends_are_missing(void **state)
{
	static struct truth truth;

	(void)state;
	for (unsigned int seed = 1; seed < 6; seed++) {
		const struct interrupt_table *got;
		struct model *model;
		size_t nr_open = 0;

		make_truth(&truth, seed);
		model = feed_truth(&truth, 3);
		got = &model->cpus[0].interrupts;
		assert_int_equal(got->nr, truth.nr);
		for (size_t i = 0; i < truth.nr; i++) {
			bool is_open = got->flags[i] & INTERRUPT_OPEN_END;

			assert_int_equal(got->start_ns[i], truth.rows[i].start_ns);
			assert_true(got->end_ns[i] <= truth.rows[i].end_ns);
			assert_true(is_open || got->end_ns[i] == truth.rows[i].end_ns);
			nr_open += is_open;
		}
		assert_in_range(nr_open, truth.nr / 5, truth.nr / 3);
		model_free(model);
	}
}

static void ipi(uint64_t time_ns, int cpu, uint32_t id, enum trace_ipi ipi)
{
	feed_ipi_begin_at(time_ns, cpu, id, ipi);
	feed_interrupt_end_at(time_ns + 5, cpu, 0, TRACE_VECTOR, id);
}

/* Why CPU 1 is interrupted: what CPU 0 sent last of that kind, but what CPU 2 is sent, and what may have come unseen. */
static void test_reasons(void **state)
{
	static const uint32_t wanted[] = { 0, 101, 102, 0, 0, 105, 0, 0 };
	const struct interrupt_table *got;
	struct model *model;

	(void)state;
	begin_script();
	ipi(1010, 1, 1, TRACE_IPI_RESCHEDULE);
	feed_switch_at(1015, 2, 0, B, TRACE_OUT_RUNNABLE);
	feed_ipi_send_at(1020, 0, 2, true, 101);
	feed_ipi_send_at(1030, 0, 2 | 4, false, 102);
	/* It is taken along. */
	feed_ipi_send_at(1035, 2, 2, true, 103);
	ipi(1040, 1, 1, TRACE_IPI_RESCHEDULE);
	ipi(1050, 1, 2, TRACE_IPI_CALL);
	ipi(1060, 1, 1, TRACE_IPI_RESCHEDULE);
	ipi(1070, 1, 3, TRACE_NO_IPI);
	feed_ipi_send_at(1080, 0, 2, true, 105);
	ipi(1090, 1, 1, TRACE_IPI_RESCHEDULE);
	feed_ipi_send_at(1100, 0, 2, true, 106);
	feed_lost_at(1120, 1, 1110, 1);
	ipi(1130, 1, 1, TRACE_IPI_RESCHEDULE);
	ipi(1140, 1, 2, TRACE_IPI_CALL);
	ipi(1150, 2, 2, TRACE_IPI_CALL);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	got = &model->cpus[1].interrupts;
	assert_int_equal(got->nr, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < got->nr; i++)
		assert_int_equal(got->reason[i], wanted[i]);
	assert_int_equal(model->cpus[2].interrupts.nr, 1);
	assert_int_equal(model->cpus[2].interrupts.reason[0], 102);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_before_the_trace),
		cmocka_unit_test(test_end_is_missing),
		cmocka_unit_test(test_inner_end_is_missing),
		cmocka_unit_test(test_contradicted),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_switch_is_missing),
		cmocka_unit_test(test_unsure),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_random_ends_are_missing),
	};

	return RUN_IN_WINDOWS(tests);
}

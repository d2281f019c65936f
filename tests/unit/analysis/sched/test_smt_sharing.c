// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Threads that share a core with others, from hand-made events and topologies: for how long, and how much slower that makes them,
 * is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/smt_sharing.h"
#include "events.h"
#include "util/random.h"

#define A 101
#define B 102 /* of the session, too */
#define X 201 /* of others: beside A */
#define Y 202 /* on the other core */
#define US 1000ull
#define MS 1000000ull
#define NR 100 /* slices of 1 ms */
#define CYCLES 3000000.0 /* of a slice */
#define ALONE 2.0 /* instructions per cycle */
#define SHARED 1.2

struct rates {
	bool with_instructions;
	bool with_cycles;
	double alone;
	double shared;
	double noise; /* as much more or less, by chance */
	uint64_t invalid; /* so many of the last slices are not counted all the time */
	uint64_t least_shared_slice; /* before this one, A is alone */
};

static struct trace *trace; /* only so that there are strings */
static struct model_builder *builder;
static struct random random_numbers;

static int open_strings(void **state)
{
	(void)state;
	return trace_open("tests/data/scene-quiet.dat", &trace);
}

static int close_strings(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

/* With two CPUs, 0 and 1 share a core, 2 and 3 another one, and so on. */
static void feed_topology(int nr_cpus, int per_core)
{
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		struct trace_event event = { .kind = TRACE_CPU_TOPOLOGY };

		event.cpu_topology.number = cpu;
		event.cpu_topology.core = cpu - cpu % per_core;
		model_builder_feed(builder, &event);
	}
}

static void begin_with(int nr_topology, int per_core)
{
	builder = script_begin();
	feed_topology(nr_topology, per_core);
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
	feed_fork_at(0, 0, A, B, true);
	random_numbers = (struct random){ 1 };
}

static void begin(int nr_topology)
{
	begin_with(nr_topology, 2);
}

static void feed_events(const struct rates *rates)
{
	if (rates->with_instructions)
		feed_pmu_event_at(0, 0, trace_intern(trace, "instructions"), 0, 0);
	if (rates->with_cycles)
		feed_pmu_event_at(0, 1, trace_intern(trace, "cycles"), 0, 0);
}

/* A's slice, of which @share is beside a busy sibling, is over at @at_ns. */
static void end_slice(uint64_t at_ns, const struct rates *rates, double share, bool is_invalid)
{
	double noise = 1 + rates->noise * (2 * random_share(&random_numbers) - 1);
	double ipc = (share * rates->shared + (1 - share) * rates->alone) * noise;
	uint64_t counts[] = { (uint64_t)(CYCLES * ipc), (uint64_t)CYCLES };

	if (is_invalid)
		counts[0] = 0;
	if (rates->with_instructions)
		feed_counts_at(at_ns, 0, A, counts, rates->with_cycles ? 2 : 1, is_invalid);
	feed_switch_at(at_ns, 0, A, 0, TRACE_OUT_RUNNABLE);
	feed_switch_at(at_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
}

/* @tid runs on CPU 1 for @ns. */
static void run_beside(uint64_t at_ns, int32_t tid, uint64_t ns)
{
	feed_switch_at(at_ns, 1, 0, tid, TRACE_OUT_RUNNABLE);
	feed_switch_at(at_ns + ns, 1, tid, 0, TRACE_OUT_SLEEPING);
}

static struct model *end_with_a(void)
{
	struct model *model;

	feed_exit_at(NR * MS, 0, A);
	feed_switch_at(NR * MS, 0, A, 0, TRACE_OUT_DEAD);
	model = script_end();
	model->trace = trace;
	return model;
}

/*
 * A runs on CPU 0 all the time. Of each four slices, CPU 1 has X in the first, nobody in the second, B in the third, and X in half of
 * the last. Y runs on CPU 2 for @busy_ms; then that core is idle.
 */
static struct model *make(const struct rates *rates, uint64_t busy_ms)
{
	static const double shares[] = { 1, 0, 1, 0.5 };
	static const int32_t tids[] = { X, 0, B, X };
	struct model *model;

	begin(4);
	feed_events(rates);
	feed_switch_at(0, 2, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 3, Y + 1, 0, TRACE_OUT_SLEEPING);
	for (uint64_t i = 0; i < NR; i++) {
		double share = i < rates->least_shared_slice ? 0 : shares[i % 4];

		if (i == busy_ms)
			feed_switch_at(i * MS, 2, Y, 0, TRACE_OUT_SLEEPING);
		if (share > 0)
			run_beside(i * MS, tids[i % 4], (uint64_t)(share * (double)MS));
		end_slice((i + 1) * MS, rates, share, i + rates->invalid >= NR);
	}
	model = end_with_a();
	model->threads[thread_of(model, A, 0)].comm = trace_intern(trace, "worker");
	model->threads[thread_of(model, B, 0)].comm = trace_intern(trace, "worker");
	model->threads[thread_of(model, X, 0)].comm = trace_intern(trace, "polluter");
	return model;
}

static struct findings find(const struct model *model, struct smt_sharing *sharing)
{
	struct findings findings = findings_new(model);

	*sharing = smt_sharing_compute(model);
	smt_sharing_add_findings(model, sharing, &findings);
	return findings;
}

static void end(struct model *model, struct smt_sharing *sharing, struct findings *findings)
{
	findings_free(findings);
	smt_sharing_free(sharing);
	model->trace = NULL;
	model_free(model);
}

static const struct smt_sharing_thread *row_of(const struct smt_sharing *sharing,
					       const struct model *model, int32_t tid)
{
	for (size_t i = 0; i < sharing->nr; i++) {
		if (model->threads[sharing->threads[i].thread].tid == tid)
			return &sharing->threads[i];
	}
	fail();
	return NULL;
}

static void assert_near(double value, double truth)
{
	assert_float_equal(value, truth, truth / 100);
}

static const struct rates cycles = { true, true, ALONE, SHARED, 0, 0, 0 };
static const struct rates nothing;

static void test_times(void **state)
{
	struct model *model = make(&cycles, 80);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);
	const struct smt_sharing_thread *a = row_of(&sharing, model, A);
	const struct smt_sharing_thread *b = row_of(&sharing, model, B);

	(void)state;
	assert_true(sharing.has_siblings);
	assert_int_equal(sharing.nr, 2);
	assert_int_equal(a->sums.on_cpu_ns, 100 * MS);
	assert_int_equal(a->sums.shared_ns, 62500 * US);
	assert_int_equal(a->sums.own_ns, 25 * MS);
	assert_int_equal(a->sums.others_ns, 37500 * US);
	assert_int_equal(a->sums.idle_core_ns, 12500 * US);
	assert_string_equal(trace_string(trace, a->worst_program), "polluter");
	assert_int_equal(a->worst_program_ns, 37500 * US);
	assert_int_equal(a->longest_from_ns, 2 * MS);
	assert_int_equal(a->longest_to_ns, 3500 * US);
	assert_int_equal(a->longest_cpu, 0);
	assert_int_equal(a->longest_by_cpu, 1);
	assert_int_equal(b->sums.on_cpu_ns, 25 * MS);
	assert_int_equal(b->sums.shared_ns, 25 * MS);
	assert_int_equal(b->sums.own_ns, 25 * MS);
	assert_int_equal(b->sums.others_ns, 0);
	assert_int_equal(b->sums.idle_core_ns, 5 * MS);
	assert_int_equal(b->worst_program, TRACE_NO_STRING);
	assert_int_equal(sharing.all.shared_ns, 87500 * US);
	assert_int_equal(sharing.all.known_ns, 62500 * US);
	end(model, &sharing, &findings);
}

/* B's rates are not known: of its 5 ms with an idle core, all may be lost. */
static void test_rates(void **state)
{
	struct model *model = make(&cycles, 80);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);
	const struct smt_sharing_thread *a = row_of(&sharing, model, A);

	(void)state;
	assert_int_equal(sharing.measure, SMT_PER_CYCLE);
	assert_true(a->rate.known);
	assert_int_equal(a->rate.alone_slices, 25);
	assert_int_equal(a->rate.shared_slices, 50);
	assert_near(a->rate.alone, ALONE);
	assert_near(a->rate.shared, SHARED);
	assert_near(a->rate.slower, 0.4);
	assert_near(a->rate.slower_low, 0.4);
	assert_near(a->rate.slower_high, 0.4);
	assert_near(a->sums.lost_ns, 25e6);
	assert_near(sharing.all.lost_ns, 25e6);
	assert_near((double)a->at_most_ns, 17e6);
	assert_false(row_of(&sharing, model, B)->rate.known);
	assert_int_equal(row_of(&sharing, model, B)->at_most_ns, 5 * MS);
	assert_near((double)sharing.at_most_ns, 20e6);
	end(model, &sharing, &findings);
}

static void test_finding(void **state)
{
	struct model *model = make(&cycles, 80);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);
	const struct finding *finding = findings.rows;

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(finding->kind, FINDING_SMT_SHARING);
	assert_int_equal(finding->confidence, CONFIDENCE_MEDIUM);
	assert_int_equal(finding->time_lost_ns, 0);
	assert_int_equal(finding->time_lost_at_most_ns, sharing.at_most_ns);
	assert_int_equal(finding->threads[0], thread_of(model, A, 0));
	assert_int_equal(finding->cpus[0], 0);
	assert_int_equal(finding->cpus[1], 1);
	assert_non_null(strstr(finding->text, "2 threads ran for 87.5 ms of 125 ms"));
	assert_non_null(strstr(finding->text, "37.5 ms of that beside other programs "
					      "(37.5 ms beside polluter)"));
	assert_non_null(strstr(finding->text, "1.20 instructions per cycle beside a busy sibling "
					      "and 2.00 alone: it was 40 % (40 to 40 %) slower, "
					      "which cost it 25.0 ms"));
	end(model, &sharing, &findings);
}

/* Without cycles: 3 cycles are 1 ns. A counter that did not run all the time is left out. */
static void test_per_ns(void **state)
{
	static const struct rates per_ns = { true, false, ALONE, SHARED, 0, 8, 0 };
	struct model *model = make(&per_ns, NR);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);
	const struct smt_sharing_thread *a = row_of(&sharing, model, A);

	(void)state;
	assert_int_equal(sharing.measure, SMT_PER_NS);
	assert_int_equal(a->rate.alone_slices, 23);
	assert_near(a->rate.alone, 3 * ALONE);
	assert_near(a->rate.shared, 3 * SHARED);
	assert_near(a->rate.slower, 0.4);
	/* No core is idle: beside B, nothing was avoidable. */
	assert_near((double)sharing.at_most_ns, 15e6);
	end(model, &sharing, &findings);
}

/* The bounds hold the truth, and are about as wide as they must be. */
static void test_noise(void **state)
{
	static const struct rates noisy = { true, true, ALONE, SHARED, 0.2, 0, 0 };
	struct model *model = make(&noisy, 80);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);
	const struct smt_rate *rate = &row_of(&sharing, model, A)->rate;

	(void)state;
	assert_true(rate->known);
	assert_true(rate->slower_low < 0.4 && rate->slower_high > 0.4);
	/* 0.12 of standard deviation: 1.3 % of the mean of 75 slices. */
	assert_true(rate->slower - rate->slower_low > 0.01);
	assert_true(rate->slower_high - rate->slower > 0.01);
	assert_true(rate->slower_high - rate->slower_low < 0.08);
	end(model, &sharing, &findings);
}

/* It is as fast beside a busy sibling: nothing is lost. */
static void test_same_rates(void **state)
{
	static const struct rates same = { true, true, ALONE, ALONE, 0.2, 0, 0 };
	struct model *model = make(&same, NR);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);

	(void)state;
	assert_true(row_of(&sharing, model, A)->rate.known);
	assert_int_equal(sharing.at_most_ns, 0);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
}

/* Nine slices beside a busy sibling are too few. */
static void test_few(void **state)
{
	static const struct rates few = { true, true, ALONE, SHARED, 0, 0, 81 };
	static const struct rates enough = { true, true, ALONE, SHARED, 0, 0, 80 };
	struct smt_sharing sharing;
	struct findings findings;
	struct model *model = make(&few, NR);

	(void)state;
	findings = find(model, &sharing);
	assert_int_equal(row_of(&sharing, model, A)->rate.shared_slices, 9);
	assert_false(row_of(&sharing, model, A)->rate.known);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
	model = make(&enough, NR);
	findings = find(model, &sharing);
	assert_true(row_of(&sharing, model, A)->rate.known);
	end(model, &sharing, &findings);
}

/* Without counts, only an idle core tells that sharing was avoidable. */
static void test_no_counts(void **state)
{
	struct model *model = make(&nothing, 80);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);

	(void)state;
	assert_int_equal(sharing.measure, SMT_NOT_MEASURED);
	assert_int_equal(sharing.at_most_ns, 12500 * US);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_LOW);
	assert_non_null(
		strstr(findings.rows[0].text, "for 17.5 ms, a whole core was idle meanwhile"));
	assert_non_null(strstr(findings.rows[0].text, "how much slower that made it is not known"));
	end(model, &sharing, &findings);
	model = make(&nothing, NR);
	findings = find(model, &sharing);
	assert_int_equal(sharing.all.shared_ns, 87500 * US);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
}

/* A and Y, each alone on its core; X on CPU 1 while A sleeps. */
static struct model *make_quiet(int nr_topology)
{
	struct model *model;

	begin(nr_topology);
	feed_switch_at(0, 2, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 1, X, 0, TRACE_OUT_SLEEPING);
	for (uint64_t i = 0; i < NR; i += 10) {
		feed_switch_at((i + 5) * MS, 0, A, 0, TRACE_OUT_SLEEPING);
		run_beside((i + 5) * MS, X, MS);
		feed_wakeup_at((i + 6) * MS, 0, 0, A, 0);
		feed_switch_at((i + 6) * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	model = script_end();
	model->trace = trace;
	return model;
}

static void test_quiet(void **state)
{
	struct model *model = make_quiet(4);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);

	(void)state;
	assert_true(sharing.has_siblings);
	assert_int_equal(sharing.nr, 0);
	assert_int_equal(sharing.all.shared_ns, 0);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
}

static void test_no_topology(void **state)
{
	struct model *model = make_quiet(0);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);

	(void)state;
	assert_false(sharing.has_siblings);
	assert_int_equal(sharing.nr, 0);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
}

/*
 * A beside X for 100 ms. CPU 2 of the other core is idle; CPU 3 has Y for 60 us of each 150 us up to 20.01 ms, and has lost its
 * events from 30 to 40 ms. With @is_seen unset it has no event at all.
 */
static struct model *make_idle_core(bool is_seen)
{
	begin(6);
	feed_switch_at(0, 1, 0, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 5, 0, X + 9, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 2, Y, 0, TRACE_OUT_SLEEPING);
	for (uint64_t at = 0; is_seen && at < 20 * MS; at += 150 * US) {
		feed_switch_at(at, 3, 0, Y, TRACE_OUT_RUNNABLE);
		feed_switch_at(at + 60 * US, 3, Y, 0, TRACE_OUT_SLEEPING);
	}
	if (is_seen) {
		feed_lost_at(40 * MS, 3, 30 * MS, 1);
		feed_switch_at(40 * MS, 3, Y, 0, TRACE_OUT_SLEEPING);
	}
	return end_with_a();
}

static void test_idle_cores(void **state)
{
	struct model *model = make_idle_core(true);
	struct smt_sharing sharing;
	struct findings findings = find(model, &sharing);

	(void)state;
	assert_int_equal(sharing.all.shared_ns, NR * MS);
	assert_int_equal(sharing.all.idle_core_ns, 69990 * US);
	assert_int_equal(sharing.at_most_ns, 69990 * US);
	end(model, &sharing, &findings);
	model = make_idle_core(false);
	findings = find(model, &sharing);
	assert_int_equal(sharing.all.idle_core_ns, 0);
	assert_int_equal(findings.nr, 0);
	end(model, &sharing, &findings);
}

/* A shares a core all the time, B another one from 10 to 20 ms; a third one is idle. */
static void test_elapsed(void **state)
{
	struct smt_sharing sharing;
	struct findings findings;
	struct model *model;

	(void)state;
	begin(6);
	for (int cpu = 4; cpu < 6; cpu++)
		feed_switch_at(0, cpu, Y, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(0, 1, 0, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 2, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(10 * MS, 3, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(20 * MS, 3, B, 0, TRACE_OUT_SLEEPING);
	model = end_with_a();
	findings = find(model, &sharing);
	assert_int_equal(row_of(&sharing, model, A)->at_most_ns, NR * MS);
	assert_int_equal(row_of(&sharing, model, B)->at_most_ns, 10 * MS);
	assert_int_equal(sharing.at_most_ns, NR * MS);
	assert_int_equal(findings.rows[0].nr_threads, 2);
	end(model, &sharing, &findings);
}

/* Four CPUs share a core: beside A, there is X all the time, and B from 20 to 30 ms. */
static void test_four(void **state)
{
	struct smt_sharing sharing;
	struct findings findings;
	struct model *model;

	(void)state;
	begin_with(4, 4);
	feed_switch_at(0, 1, 0, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(0, 3, Y, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(20 * MS, 2, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(30 * MS, 2, B, 0, TRACE_OUT_SLEEPING);
	model = end_with_a();
	findings = find(model, &sharing);
	assert_int_equal(row_of(&sharing, model, A)->sums.shared_ns, NR * MS);
	assert_int_equal(row_of(&sharing, model, A)->sums.own_ns, 10 * MS);
	assert_int_equal(row_of(&sharing, model, A)->sums.others_ns, 90 * MS);
	assert_int_equal(row_of(&sharing, model, B)->sums.own_ns, 10 * MS);
	assert_int_equal(sharing.all.idle_core_ns, 0);
	end(model, &sharing, &findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),	   cmocka_unit_test(test_rates),
		cmocka_unit_test(test_finding),	   cmocka_unit_test(test_per_ns),
		cmocka_unit_test(test_noise),	   cmocka_unit_test(test_same_rates),
		cmocka_unit_test(test_few),	   cmocka_unit_test(test_no_counts),
		cmocka_unit_test(test_quiet),	   cmocka_unit_test(test_no_topology),
		cmocka_unit_test(test_idle_cores), cmocka_unit_test(test_elapsed),
		cmocka_unit_test(test_four),
	};

	return cmocka_run_group_tests_name("SMT sharing", tests, open_strings, close_strings);
}

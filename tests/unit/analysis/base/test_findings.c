// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Findings: whose time they are shares of, which are told, and in what order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/base/findings.h"
#include "events.h"

#define A 101
#define B 102
#define STRANGER 50

/* The session lives from 1000 to 11000: A from 1000 to 6000, B from 2000 to 11000. */
static struct model *make_session(bool lose)
{
	script_begin();
	feed_switch_at(0, 0, 0, STRANGER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 1, A);
	feed_fork_at(2000, 1, A, B, true);
	feed_switch_at(6000, 1, A, B, TRACE_OUT_DEAD);
	if (lose)
		feed_lost_at(7000, 0, 6500, 3);
	feed_switch_at(11000, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(15000, 0, STRANGER, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void test_session_is_from_first_to_last(void **state)
{
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);

	(void)state;
	assert_int_equal(findings.session_from_ns, 1000);
	assert_int_equal(findings.session_to_ns, 11000);
	findings_free(&findings);
	model_free(model);
}

static void test_empty_model(void **state)
{
	struct model *model;
	struct findings findings;

	(void)state;
	script_begin();
	model = script_end();
	findings = findings_new(model);
	/* Nothing is no share of nothing, either. */
	finding_set_text(findings_add(&findings, FINDING_MIGRATIONS, 0, 0, 0), "nothing");
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, 0);
	assert_int_equal(findings.session_from_ns, findings.session_to_ns);
	findings_free(&findings);
	model_free(model);
}

static void add(struct findings *findings, enum finding_kind kind, uint64_t lost_ns,
		const char *text)
{
	finding_set_text(findings_add(findings, kind, lost_ns, 0, 10), "%s", text);
}

/* 100 ns are a hundredth of the session. */
static void test_most_lost_comes_first_and_little_is_left_out(void **state)
{
	static const char *const wanted[] = { "most", "first of its like", "second",
					      "just enough" };
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);

	(void)state;
	add(&findings, FINDING_MIGRATIONS, 99, "too little");
	add(&findings, FINDING_INTERFERENCE, 500, "second");
	add(&findings, FINDING_MIGRATIONS, 100, "just enough");
	add(&findings, FINDING_WAKEUP_LATENCY, 0, "nothing");
	add(&findings, FINDING_SWITCH_MISSES, 900, "most");
	add(&findings, FINDING_IMBALANCE, 500, "first of its like");
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, 4);
	for (size_t i = 0; i < findings.nr; i++) {
		assert_string_equal(findings.rows[i].text, wanted[i]);
		assert_int_equal(findings.rows[i].caveats, 0);
	}
	findings_free(&findings);
	model_free(model);
}

/* What is left out is still known; of what is not, it is what the worst finding cost. */
static void test_most_lost_of_what_is_left_out(void **state)
{
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);

	(void)state;
	add(&findings, FINDING_MIGRATIONS, 98, "too little");
	add(&findings, FINDING_MIGRATIONS, 97, "less");
	add(&findings, FINDING_INTERFERENCE, 500, "enough");
	assert_false(findings_note_loss(&findings, FINDING_IMBALANCE, 99));
	assert_true(findings_note_loss(&findings, FINDING_INTERFERENCE, 100));
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings_most_lost_ns(&findings, FINDING_MIGRATIONS), 98);
	assert_int_equal(findings_most_lost_ns(&findings, FINDING_IMBALANCE), 99);
	assert_int_equal(findings_most_lost_ns(&findings, FINDING_INTERFERENCE), 500);
	assert_int_equal(findings_most_lost_ns(&findings, FINDING_SPIN_WASTE), 0);
	findings_free(&findings);
	model_free(model);
}

/* A bound ranks as much as what is sure; CPU time comes behind all, and does not make little time more. */
static void test_bounds_and_cpu_time(void **state)
{
	static const char *const wanted[] = { "at most 700", "500", "more CPU time", "CPU time" };
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);

	(void)state;
	/* A's 5000, and 5000 of B. */
	assert_int_equal(findings.session_cpu_ns, 10000);
	add(&findings, FINDING_IMBALANCE, 500, "500");
	add(&findings, FINDING_WAKEUP_LATENCY, 0, "at most 700");
	findings.rows[1].time_lost_at_most_ns = 700;
	add(&findings, FINDING_WAKEUP_LATENCY, 0, "at most 99");
	findings.rows[2].time_lost_at_most_ns = 99;
	add(&findings, FINDING_MIGRATIONS, 0, "CPU time");
	findings.rows[3].cpu_time_lost_ns = 100;
	add(&findings, FINDING_MIGRATIONS, 0, "more CPU time");
	findings.rows[4].cpu_time_lost_ns = 9000;
	add(&findings, FINDING_MIGRATIONS, 0, "too little CPU time");
	findings.rows[5].cpu_time_lost_ns = 99;
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, 4);
	for (size_t i = 0; i < findings.nr; i++)
		assert_string_equal(findings.rows[i].text, wanted[i]);
	assert_false(finding_is_cpu_time_only(&findings.rows[0]));
	assert_true(finding_is_cpu_time_only(&findings.rows[2]));
	findings_free(&findings);
	model_free(model);
}

static void test_of_one_kind_and_cost_the_earlier_comes_first(void **state)
{
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);

	(void)state;
	findings_add(&findings, FINDING_IMBALANCE, 500, 7000, 8000);
	findings_add(&findings, FINDING_IMBALANCE, 500, 3000, 9000);
	findings_add(&findings, FINDING_IMBALANCE, 500, 5000, 6000);
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, 3);
	assert_int_equal(findings.rows[0].from_ns, 3000);
	assert_int_equal(findings.rows[1].from_ns, 5000);
	assert_int_equal(findings.rows[2].from_ns, 7000);
	findings_free(&findings);
	model_free(model);
}

/* The session's only one of its name needs no number, whoever else has it. */
static void test_namesakes_have_numbers(void **state)
{
	struct model *model = make_session(false);
	struct trace *trace; /* only so that there are strings */
	uint32_t a = thread_of(model, A, 0), b = thread_of(model, B, 0);

	(void)state;
	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	for (size_t i = 0; i < model->nr_threads; i++)
		model->threads[i].comm = trace_intern(trace, "worker");
	assert_string_equal(thread_label(model, a).text, "worker (101)");
	assert_string_equal(thread_label(model, b).text, "worker (102)");
	assert_string_equal(thread_label(model, thread_of(model, STRANGER, 0)).text, "worker");
	model->threads[b].comm = trace_intern(trace, "");
	assert_string_equal(thread_label(model, a).text, "worker");
	assert_string_equal(thread_label(model, b).text, "(no name)");
	model_free(model);
	trace_close(trace);
}

static void test_losses_are_a_caveat_of_all(void **state)
{
	struct model *model = make_session(true);
	struct findings findings = findings_new(model);

	(void)state;
	add(&findings, FINDING_MIGRATIONS, 5000, "one");
	add(&findings, FINDING_IMBALANCE, 4000, "two");
	findings.rows[1].caveats = CAVEAT_FEW;
	findings_rank(&findings, model);
	assert_int_equal(findings.rows[0].caveats, CAVEAT_LOST_EVENTS);
	assert_int_equal(findings.rows[1].caveats, CAVEAT_LOST_EVENTS | CAVEAT_FEW);
	findings_free(&findings);
	model_free(model);
}

/*
 * A switch is missing on CPU 0 between 1000 and 11000, and A came in by that: of both nothing is known
 * from 0 to 10000 of the model.
 */
static struct model *make_missing_switch(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_switch_at(11000, 0, STRANGER, A, TRACE_OUT_SLEEPING);
	feed_switch_at(21000, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void test_missing_switches_are_a_caveat_of_all(void **state)
{
	struct findings findings;
	struct model *model = make_missing_switch();

	(void)state;
	findings = findings_new(model);
	add(&findings, FINDING_MIGRATIONS, 5000, "one");
	findings_rank(&findings, model);
	assert_int_equal(findings.rows[0].caveats, CAVEAT_MISSING_SWITCHES);
	findings_free(&findings);
	model_free(model);
}

static void assert_unknown_here(const struct finding *finding, bool is_unknown)
{
	assert_int_equal(!!(finding->caveats & CAVEAT_UNKNOWN_HERE), is_unknown);
	assert_int_equal(finding->confidence, is_unknown ? CONFIDENCE_LOW : CONFIDENCE_MEDIUM);
}

static void test_evidence_may_be_unknown(void **state)
{
	static const struct {
		uint64_t from_ns;
		uint64_t to_ns;
		int cpu;
		int32_t tid;
		bool is_unknown;
	} rows[] = {
		{ 0, 20000, -1, A, true },
		{ 9999, 20000, -1, A, true },
		{ 10000, 20000, -1, A, false },
		{ 10000, 50000, 0, A, false },
		{ 9999, 12000, 0, STRANGER, true },
		{ 9000, 12000, 1, STRANGER, false },
		{ 11000, 12000, 0, STRANGER, false },
	};
	struct findings findings;
	struct model *model = make_missing_switch();

	(void)state;
	findings = findings_new(model);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		/* As they come, so they are ranked. */
		struct finding *finding = findings_add(&findings, FINDING_MIGRATIONS, 9000 - i,
						       rows[i].from_ns, rows[i].to_ns);

		finding_set_text(finding, "it");
		finding_add_thread(finding, thread_of(model, rows[i].tid, 0));
		if (rows[i].cpu >= 0)
			finding_add_cpu(finding, rows[i].cpu);
	}
	findings_rank(&findings, model);
	assert_int_equal(findings.nr, sizeof(rows) / sizeof(rows[0]));
	for (size_t i = 0; i < findings.nr; i++)
		assert_unknown_here(&findings.rows[i], rows[i].is_unknown);
	findings_free(&findings);
	model_free(model);
}

static void test_evidence_names_each_once(void **state)
{
	struct model *model = make_session(false);
	struct findings findings = findings_new(model);
	struct finding *finding = findings_add(&findings, FINDING_IMBALANCE, 5000, 3, 4);

	(void)state;
	finding_add_thread(finding, 2);
	finding_add_thread(finding, 1);
	finding_add_thread(finding, 2);
	finding_add_cpu(finding, 7);
	finding_add_cpu(finding, 7);
	assert_int_equal(finding->nr_threads, 2);
	assert_int_equal(finding->threads[0], 2);
	assert_int_equal(finding->threads[1], 1);
	assert_int_equal(finding->nr_cpus, 1);
	assert_int_equal(finding->cpus[0], 7);
	assert_int_equal(finding->from_ns, 3);
	assert_int_equal(finding->to_ns, 4);
	assert_int_equal(finding->confidence, CONFIDENCE_MEDIUM);
	finding_set_text(finding, "first %d", 1);
	finding_set_text(finding, "then %d", 2);
	assert_string_equal(finding->text, "then 2");
	findings_free(&findings);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_session_is_from_first_to_last),
		cmocka_unit_test(test_empty_model),
		cmocka_unit_test(test_most_lost_comes_first_and_little_is_left_out),
		cmocka_unit_test(test_most_lost_of_what_is_left_out),
		cmocka_unit_test(test_bounds_and_cpu_time),
		cmocka_unit_test(test_of_one_kind_and_cost_the_earlier_comes_first),
		cmocka_unit_test(test_namesakes_have_numbers),
		cmocka_unit_test(test_losses_are_a_caveat_of_all),
		cmocka_unit_test(test_missing_switches_are_a_caveat_of_all),
		cmocka_unit_test(test_evidence_may_be_unknown),
		cmocka_unit_test(test_evidence_names_each_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

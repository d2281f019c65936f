// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/unit/analysis/replay/replays.c */
/*
 * What the cures of findings would gain, by replays of made-up events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/replay/finding_gains.h"
#include "analysis/replay/trials.h"
#include "replays.h"

static void add(struct findings *findings, enum finding_kind kind, uint64_t lost_ns,
		enum run_change_kind cure, uint32_t name)
{
	findings_add(findings, kind, lost_ns, 0, 1)->cure = (struct run_change){ .kind = cure,
										 .name = name };
}

static const struct finding *find(const struct findings *findings, enum finding_kind kind)
{
	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->rows[i].kind == kind)
			return &findings->rows[i];
	}
	fail();
	return NULL;
}

static struct findings gains_of(struct model *model, struct findings findings)
{
	struct replay_session session = replay_open(model);

	finding_gains_compute(&findings, &session.oracle);
	replay_close(&session);
	return findings;
}

static void expect_gain(const struct findings *findings, enum finding_kind kind, int64_t gain_ns)
{
	const struct finding *finding = find(findings, kind);

	assert_true(finding->has_gain);
	assert_true(llabs(finding->gain_ns - gain_ns) < 100000);
	assert_true(finding->gain_least_ns <= finding->gain_ns);
	assert_true(finding->gain_most_ns >= finding->gain_ns);
}

/* A perfect balance saves 1 ms of 3 in each round. That of no region, and locks that nobody has, are not known to save any. */
static void test_gains(void **state)
{
	struct model *model = make_unbalanced();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_LOCK_CONTENTION, 9 * MS, CHANGE_NO_LOCK, replay_lock);
	add(&findings, FINDING_LOOP_SCHEDULE, 8 * MS, CHANGE_BALANCE, SECTION);
	add(&findings, FINDING_IMBALANCE, 1 * MS, CHANGE_BALANCE, WORK);
	add(&findings, FINDING_MIGRATIONS, 20 * MS, CHANGE_PIN, TRACE_NO_STRING);
	add(&findings, FINDING_IDLE_WAITS, 5 * MS, CHANGE_UNPIN, TRACE_NO_STRING);
	add(&findings, FINDING_IO_WAIT, 4 * MS, CHANGE_NONE, TRACE_NO_STRING);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_IMBALANCE, NR_ROUNDS * MS);
	expect_gain(&findings, FINDING_MIGRATIONS, 0);
	assert_false(find(&findings, FINDING_LOCK_CONTENTION)->has_gain);
	assert_false(find(&findings, FINDING_LOOP_SCHEDULE)->has_gain);
	/* They may run anywhere already. */
	assert_false(find(&findings, FINDING_IDLE_WAITS)->has_gain);
	assert_false(find(&findings, FINDING_IO_WAIT)->has_gain);
	/* By what is gained, or may be lost. */
	assert_int_equal(findings.rows[0].kind, FINDING_IMBALANCE);
	assert_int_equal(findings.rows[1].kind, FINDING_LOCK_CONTENTION);
	assert_int_equal(findings.rows[5].kind, FINDING_MIGRATIONS);
	findings_free(&findings);
	model_free(model);
}

/* Without the session's own program, its work is gone: that cures nothing. */
static void test_gain_of_strangers(void **state)
{
	struct model *model = make_with_stranger();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_INTERFERENCE, 9 * MS, CHANGE_WITHOUT, OTHER);
	add(&findings, FINDING_SLOW_INSTANCES, 8 * MS, CHANGE_WITHOUT, OTHER);
	add(&findings, FINDING_WAKEUP_LATENCY, 7 * MS, CHANGE_WITHOUT, OWN);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_INTERFERENCE, NR_ROUNDS * MS);
	expect_gain(&findings, FINDING_SLOW_INSTANCES, NR_ROUNDS * MS);
	assert_false(find(&findings, FINDING_WAKEUP_LATENCY)->has_gain);
	findings_free(&findings);
	model_free(model);
}

/* With as many CPUs as it has, nothing is changed. */
static void test_gain_of_cpus(void **state)
{
	(void)state;
	for (int nr_cpus = 1; nr_cpus <= 2; nr_cpus++) {
		struct model *model = make_crowded(NR_ROUNDS, 3 * MS);
		struct findings findings = { 0 };

		add(&findings, FINDING_OVERSUBSCRIPTION, 9 * MS, CHANGE_CPUS, TRACE_NO_STRING);
		findings.rows[0].cure.nr_cpus = nr_cpus;
		findings = gains_of(model, findings);
		if (nr_cpus == 1)
			assert_false(findings.rows[0].has_gain);
		else
			expect_gain(&findings, FINDING_OVERSUBSCRIPTION, NR_ROUNDS * 3 * MS);
		findings_free(&findings);
		model_free(model);
	}
}

static void test_gain_of_chunks(void **state)
{
	struct model *model = make_chunks();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_TASK_GRANULARITY, 9 * MS, CHANGE_MERGE, WORK);
	add(&findings, FINDING_LOOP_SCHEDULE, 7 * MS, CHANGE_MERGE, SECTION);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_TASK_GRANULARITY, (NR_ROUNDS - 2) * MS);
	assert_false(find(&findings, FINDING_LOOP_SCHEDULE)->has_gain);
	findings_free(&findings);
	model_free(model);
}

static void test_gain_of_futexes(void **state)
{
	struct model *model = make_waiting(false);
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_LOCK_CONTENTION, 9 * MS, CHANGE_NO_LOCK, replay_futex);
	add(&findings, FINDING_LOCK_CONVOY, 8 * MS, CHANGE_NO_LOCK, replay_lock);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_LOCK_CONTENTION, 10 * MS);
	assert_false(find(&findings, FINDING_LOCK_CONVOY)->has_gain);
	findings_free(&findings);
	model_free(model);
}

static void test_no_gain(void **state)
{
	struct model *model = make_inexplicable();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_MIGRATIONS, 9 * MS, CHANGE_PIN, TRACE_NO_STRING);
	findings = gains_of(model, findings);
	assert_false(findings.rows[0].has_gain);
	findings_free(&findings);
	model_free(model);
}

static bool tries_without_stranger(struct model *model)
{
	struct replay_session session = replay_open(model);
	struct trials trials = trials_compute(&session.oracle);
	bool is_tried = false;

	assert_true(session.oracle.base.has_answer);
	for (size_t i = 0; i < trials.nr; i++)
		is_tried |= trials.rows[i].change.kind == CHANGE_WITHOUT &&
			    trials.rows[i].change.name == OTHER;
	trials_free(&trials);
	replay_close(&session);
	return is_tried;
}

/* Without the stranger, threads would wait for ever: what that gains is not known. */
static void test_stuck(void **state)
{
	struct model *model = make_entangled(true), *other = make_with_stranger();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_INTERFERENCE, 3 * MS, CHANGE_WITHOUT, OTHER);
	findings = gains_of(model, findings);
	assert_false(find(&findings, FINDING_INTERFERENCE)->has_gain);
	findings_free(&findings);
	assert_false(tries_without_stranger(model));
	assert_true(tries_without_stranger(other));
	model_free(other);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gains),
		cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_gain_of_strangers),
		cmocka_unit_test(test_gain_of_cpus),
		cmocka_unit_test(test_gain_of_chunks),
		cmocka_unit_test(test_gain_of_futexes),
		cmocka_unit_test(test_no_gain),
	};

	return cmocka_run_group_tests(tests, replay_open_trace, replay_close_trace);
}

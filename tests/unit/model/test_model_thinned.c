// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/model/thinned.c tests/unit/model/made_up_machine.c tests/lib/events.c tests/lib/model_check.c */
/*
 * Traces of which switches, wakeups or a CPU were left out, without a mark: no state is claimed that the
 * whole trace refutes; how much is unknown is told as a figure. Of a whole trace nothing is missing.
 *
 * The made-up machine is no kernel: recorded traces are used as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "events.h"
#include "model_check.h"
#include "model/states/gaps.h"
#include "thinned.h"

#define NR_MACHINES 20

static const char *const samples[] = {
	"plain-6.1.dat",     "plain-6.12.dat",	  "marker-6.1.dat",
	"marker-6.12.dat",   "scene-contend.dat", "scene-hop.dat",
	"scene-migrate.dat", "scene-queue.dat",	  "scene-wakeup.dat",
};

#define NR_SAMPLES (sizeof(samples) / sizeof(samples[0]))

static struct event_list events_of_sample(size_t i)
{
	char path[64];

	snprintf(path, sizeof(path), "tests/data/%s", samples[i]);
	return events_of_file(path);
}

static struct claims thin(const struct event_list *all, enum thinning thinning, int k,
			  uint64_t *nr_missing)
{
	struct event_list rest = events_thinned(all, thinning, k);
	struct model *full = model_of(all), *thinned = model_of(&rest);
	struct claims claims = claims_of(thinned, full);

	check_model(thinned);
	*nr_missing = model_missing_switches(thinned);
	assert_true(thinning != EVERY_SWITCH || *nr_missing <= all->nr - rest.nr);
	model_free(full);
	model_free(thinned);
	events_free(&rest);
	return claims;
}

static void expect_no_refuted_claim(const struct event_list *all, enum thinning thinning, int k,
				    const char *what, const char *of)
{
	uint64_t nr_missing;
	struct claims claims = thin(all, thinning, k, &nr_missing);

	printf("# %s: %s %d left out: %llu switches are missing, %.1f %% is unknown\n", of, what, k,
	       (unsigned long long)nr_missing,
	       100.0 * (double)claims.unknown_ns / (double)(claims.life_ns + 1));
	for (int i = 0; i < NR_THREAD_STATES; i++) {
		if (claims.refuted_by_state_ns[i])
			print_error("%s: refuted: %s for %llu ns\n", of, thread_state_name(i),
				    (unsigned long long)claims.refuted_by_state_ns[i]);
	}
	assert_int_equal(claims.refuted_ns, 0);
}

static void thin_each(enum thinning thinning, int k, const char *what)
{
	for (unsigned int seed = 0; seed < NR_MACHINES; seed++) {
		struct event_list all = events_made_up(seed, false);

		expect_no_refuted_claim(&all, thinning, k, what, "made up");
		events_free(&all);
	}
	for (size_t i = 0; i < NR_SAMPLES; i++) {
		struct event_list all = events_of_sample(i);

		expect_no_refuted_claim(&all, thinning, k, what, samples[i]);
		events_free(&all);
	}
}

/*
 * With events of other kinds, which name a task that has left, too: these refute nothing by themselves,
 * and confirm nothing.
 */
static void thin_with_others(enum thinning thinning, int from, int to, const char *what)
{
	for (unsigned int seed = 0; seed < 5 * NR_MACHINES; seed++) {
		struct event_list all = events_made_up(seed, true);

		for (int k = from; k < to; k++)
			expect_no_refuted_claim(&all, thinning, k, what, "made up, with others");
		events_free(&all);
	}
}

static void test_other_events(void **state)
{
	(void)state;
	thin_with_others(EVERY_SWITCH, 2, 8, "each switch of");
	thin_with_others(EVERY_WAKEUP, 2, 8, "each wakeup of");
	thin_with_others(WHOLE_CPU, 0, 4, "CPU");
}

static void test_switches_left_out(void **state)
{
	(void)state;
	thin_each(EVERY_SWITCH, 2, "each switch of");
	thin_each(EVERY_SWITCH, 3, "each switch of");
	thin_each(EVERY_SWITCH, 7, "each switch of");
	thin_each(EVERY_SWITCH, 50, "each switch of");
}

static void test_wakeups_left_out(void **state)
{
	(void)state;
	thin_each(EVERY_WAKEUP, 2, "each wakeup of");
	thin_each(EVERY_WAKEUP, 3, "each wakeup of");
	thin_each(EVERY_WAKEUP, 7, "each wakeup of");
	thin_each(EVERY_WAKEUP, 50, "each wakeup of");
}

static void test_cpu_left_out(void **state)
{
	(void)state;
	thin_each(WHOLE_CPU, 0, "CPU");
	thin_each(WHOLE_CPU, 1, "CPU");
}

static void expect_nothing_missing(const struct event_list *all)
{
	struct model *model = model_of(all);

	assert_false(model_has_gaps(model, GAP_MISSING));
	assert_int_equal(model_missing_switches(model), 0);
	model_free(model);
}

/* Of the made-up machine's threads nothing is unknown but what was before they were first seen. */
static void test_nothing_left_out(void **state)
{
	(void)state;
	for (unsigned int seed = 0; seed < 2 * NR_MACHINES; seed++) {
		struct event_list all = events_made_up(seed / 2, seed % 2);
		struct model *model = model_of(&all);

		for (size_t i = 0; i < model->nr_threads; i++) {
			const struct state_table *states = &model->threads[i].states;

			for (size_t row = 0; row < states->nr; row++)
				assert_int_not_equal(states->state[row], STATE_UNKNOWN);
		}
		model_free(model);
		expect_nothing_missing(&all);
		events_free(&all);
	}
	for (size_t i = 0; i < NR_SAMPLES; i++) {
		struct event_list all = events_of_sample(i);

		expect_nothing_missing(&all);
		events_free(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_left_out), cmocka_unit_test(test_switches_left_out),
		cmocka_unit_test(test_wakeups_left_out), cmocka_unit_test(test_cpu_left_out),
		cmocka_unit_test(test_other_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

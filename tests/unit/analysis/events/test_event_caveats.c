// SPDX-License-Identifier: GPL-2.0
/*
 * Why figures of events may not be what they seem to be: each reason alone, and none where there is none.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "analysis/events/event_caveats.h"

#define DESCRIBED 1 /* a string's id: the trace has the event's annot_config */

/* Which apply to the first event, a letter each. */
static const char *caveats_of(const struct model *model)
{
	static const char letters[] = "kpvstxn";
	static char text[NR_EVENT_CAVEATS + 1];
	size_t nr = 0;

	for (size_t i = 0; i < NR_EVENT_CAVEATS; i++) {
		if (event_has_caveat(model, 0, (enum event_caveat)i))
			text[nr++] = letters[i];
	}
	text[nr] = '\0';
	return text;
}

static const char *caveats_of_event(struct pmu_event event)
{
	struct model model = { .nr_pmu_events = 1, .pmu_events = &event };

	event.text = DESCRIBED;
	return caveats_of(&model);
}

static void test_skid(void **state)
{
	(void)state;
	assert_string_equal(caveats_of_event((struct pmu_event){ .period = 10007 }), "k");
	assert_string_equal(caveats_of_event((struct pmu_event){ .period = 10007, .precise = 1 }),
			    "k");
	assert_string_equal(caveats_of_event((struct pmu_event){ .period = 10007, .precise = 2 }),
			    "");
	assert_string_equal(caveats_of_event(
				    (struct pmu_event){ .period = 10007, .is_software = true }),
			    "");
	assert_string_equal(caveats_of_event(
				    (struct pmu_event){ .period = 10007, .by_ratio = true }),
			    "");
	assert_string_equal(caveats_of_event((struct pmu_event){ .is_counted = true }), "");
}

static void test_step(void **state)
{
	static const uint64_t in_step[] = { 2, 4096, 9999, 10005, 100000 };
	static const uint64_t others[] = { 0, 1, 7, 10007, 500009 };

	(void)state;
	for (size_t i = 0; i < sizeof(in_step) / sizeof(in_step[0]); i++) {
		struct pmu_event event = { .period = in_step[i], .precise = 2 };

		assert_string_equal(caveats_of_event(event), "p");
		event.by_ratio = true;
		assert_string_equal(caveats_of_event(event), "");
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_string_equal(caveats_of_event((struct pmu_event){ .period = others[i],
									 .precise = 2 }),
				    "");
}

static void test_step_of_a_clock(void **state)
{
	struct pmu_event clock = { .is_software = true, .is_clock = true, .period = 1000000 };

	(void)state;
	assert_string_equal(caveats_of_event(clock), "p");
	clock.period = 1000070;
	assert_string_equal(caveats_of_event(clock), "");
}

static void test_smt(void **state)
{
	struct cpu_topology cpus[] = { { .known = true, .core = 0 }, { .known = true, .core = 0 } };
	struct pmu_event event = { .text = DESCRIBED, .is_counted = true };
	struct model model = { .nr_pmu_events = 1, .pmu_events = &event, .topology = { 2, cpus } };

	(void)state;
	assert_string_equal(caveats_of(&model), "s");
	event.is_software = true;
	assert_string_equal(caveats_of(&model), "");
	event.is_software = false;
	cpus[1].core = 1;
	assert_string_equal(caveats_of(&model), "");
	cpus[1].core = -1;
	assert_string_equal(caveats_of(&model), "");
}

static void test_virtual(void **state)
{
	struct pmu_event event = { .text = DESCRIBED, .is_counted = true };
	struct model model = { .nr_pmu_events = 1, .pmu_events = &event };

	(void)state;
	assert_string_equal(caveats_of(&model), "");
	model.is_virtual = true;
	assert_string_equal(caveats_of(&model), "v");
	event.is_software = true;
	assert_string_equal(caveats_of(&model), "");
}

static void test_time_without_it(void **state)
{
	uint64_t start_ns[] = { 10 }, end_ns[] = { 20 };
	uint8_t of[] = { 0 }, gap[] = { ANNOT_PMU_THROTTLED };
	struct pmu_event event = { .is_counted = true };
	struct model model = { .nr_pmu_events = 1, .pmu_events = &event };

	(void)state;
	model.pmu_gaps.nr = 1;
	model.pmu_gaps.start_ns = start_ns;
	model.pmu_gaps.end_ns = end_ns;
	model.pmu_gaps.event = of;
	model.pmu_gaps.state = gap;
	assert_string_equal(caveats_of(&model), "x");
	gap[0] = ANNOT_PMU_FAILED;
	assert_string_equal(caveats_of(&model), "n");
	end_ns[0] = 10;
	assert_string_equal(caveats_of(&model), "");
	end_ns[0] = 20;
	of[0] = 1;
	assert_string_equal(caveats_of(&model), "");
}

static void test_turns(void **state)
{
	(void)state;
	assert_string_equal(caveats_of_event(
				    (struct pmu_event){ .is_counted = true, .is_shared = true }),
			    "t");
}

/* Nothing was measured, or nothing is known of how. */
static void test_no_event(void **state)
{
	struct pmu_event event = { .period = 4, .text = TRACE_NO_STRING };
	struct model model = { .nr_pmu_events = 1, .pmu_events = &event };

	(void)state;
	assert_string_equal(caveats_of_event((struct pmu_event){ .period = 4, .error = EBUSY }),
			    "");
	assert_string_equal(caveats_of(&model), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_skid),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_step_of_a_clock),
		cmocka_unit_test(test_smt),
		cmocka_unit_test(test_virtual),
		cmocka_unit_test(test_time_without_it),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_no_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

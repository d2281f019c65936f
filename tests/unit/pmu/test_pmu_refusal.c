// SPDX-License-Identifier: GPL-2.0
/* What is said of an event that the kernel refuses. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/refusal.h"

static const struct pmu_refusal_facts without_pmu = { .paranoid = 2 };
static const struct pmu_refusal_facts with_pmu = { .has_pmu = true, .paranoid = 2 };
static const struct pmu_refusal_facts watched = { .has_pmu = true, .nmi_watchdog = true };

static void expect(const struct pmu_refusal_facts *facts, int error, bool is_software, bool sampled,
		   const char *wanted)
{
	char why[256];

	pmu_refusal_explain(facts, error, is_software, sampled, why, sizeof(why));
	if (!strstr(why, wanted) || strchr(why, '\n'))
		fail_msg("errno %d: '%s' has no '%s'", error, why, wanted);
}

static void no_pmu(void **state)
{
	(void)state;
	expect(&without_pmu, ENOENT, false, true, "the kernel has no PMU here");
	expect(&without_pmu, ENOENT, false, true, "page_faults works");
	expect(&without_pmu, EOPNOTSUPP, false, false, "the kernel has no PMU here");
	expect(&without_pmu, ENODEV, false, true, "the kernel has no PMU here");
	/* The PMU is not what is missing. */
	expect(&without_pmu, ENOENT, true, true, "does not support it");
	expect(&without_pmu, EINVAL, false, true, "refuses these masks");
}

static void with_a_pmu(void **state)
{
	(void)state;
	expect(&with_pmu, ENOENT, false, true, "does not support it");
	expect(&with_pmu, EOPNOTSUPP, false, true, "cannot sample it");
	expect(&with_pmu, EOPNOTSUPP, false, false, "does not support it");
	expect(&with_pmu, EINVAL, false, true, "refuses these masks");
	expect(&with_pmu, ENODATA, false, true, "second event");
	expect(&with_pmu, EIO, false, true, strerror(EIO));
}

static void counters_taken(void **state)
{
	static const int errors[] = { EBUSY, ENOSPC, EAGAIN };

	(void)state;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		expect(&watched, errors[i], false, true, "NMI watchdog");
		expect(&watched, errors[i], false, true, "kernel.nmi_watchdog=0");
		expect(&with_pmu, errors[i], false, true, "all counters are taken: by other tools");
	}
}

static void not_permitted(void **state)
{
	(void)state;
	expect(&with_pmu, EACCES, false, false, "CAP_PERFMON (perf_event_paranoid is 2)");
	expect(&without_pmu, EPERM, true, false, "CAP_PERFMON (perf_event_paranoid is 2)");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pmu),
		cmocka_unit_test(with_a_pmu),
		cmocka_unit_test(counters_taken),
		cmocka_unit_test(not_permitted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * From names to codes, as on a Skylake. The codes are those of Intel's manual (umask << 8 | event),
 * in which libpfm4's tables are not looked up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pmu/encode.h"
#include "pmu/names.h"
#include "pmu/places.h"
#include "pmu/request.h"
#include "util/diag.h"

#define TYPE_HARDWARE 0
#define TYPE_SOFTWARE 1
#define TYPE_RAW 4

static struct pmu_code encode(const char *name)
{
	struct pmu_code code;
	char why[REQUEST_WHY_BYTES] = "";

	if (pmu_encode(name, true, true, &code, why, sizeof(why)) != PMU_ENCODED)
		fail_msg("%s: %s", name, why);
	free(code.stands_for);
	code.stands_for = NULL;
	return code;
}

static void expect_raw(const char *name, uint64_t config, uint64_t config1, int precise)
{
	struct pmu_code code = encode(name);

	if (code.config != config || code.config1 != config1 || code.precise != precise)
		fail_msg("%s: config 0x%llx config1 %llu precise %d", name,
			 (unsigned long long)code.config, (unsigned long long)code.config1,
			 code.precise);
	assert_int_equal(code.type, TYPE_RAW);
	assert_false(code.is_software);
}

static void aliases_have_intels_codes(void **state)
{
	(void)state;
	expect_raw("l1_cache_miss", 0x08d1, 0, 3);
	expect_raw("l2_cache_miss", 0x10d1, 0, 3);
	expect_raw("l3_cache_miss", 0x20d1, 0, 3);
	expect_raw("dtlb_load_miss", 0x11d0, 0, 3);
	expect_raw("dtlb_store_miss", 0x12d0, 0, 3);
	expect_raw("split_loads", 0x41d0, 0, 3);
	expect_raw("split_stores", 0x42d0, 0, 3);
	expect_raw("memory_loads", 0x81d0, 0, 3);
	expect_raw("memory_stores", 0x82d0, 0, 3);
	expect_raw("branch_miss", 0x00c5, 0, 3);
	expect_raw("icache_miss", 0x01c6, 0x12, 3);
	expect_raw("page_walk_cycles", 0x1001008, 0, 0);
	expect_raw("instr_retired", 0x00c0, 0, 0);
	expect_raw("L1_Cache_Miss", 0x08d1, 0, 3);
}

static void frequent_events_have_a_longer_period(void **state)
{
	(void)state;
	assert_int_equal(encode("l1_cache_miss").default_period, 20011);
	assert_int_equal(encode("l1_cache_miss:u").default_period, 20011);
	assert_int_equal(encode("l1_cache_miss:period=500").period, 500);
	assert_int_equal(encode("l2_cache_miss").default_period, 0);
	/* Who asks for Intel's own name gets what is the default of all. */
	assert_int_equal(encode("MEM_LOAD_RETIRED:L1_MISS").default_period, 0);
	assert_int_equal(encode("page_faults").default_period, 0);
}

static void latency_has_a_threshold(void **state)
{
	(void)state;
	expect_raw("load_latency", 0x01cd, 30, 3);
	expect_raw("load_latency:64", 0x01cd, 64, 3);
	expect_raw("load_latency:64:u", 0x01cd, 64, 3);
	expect_raw("load_latency:u", 0x01cd, 30, 3);
	expect_raw("load_latency:ldlat=500", 0x01cd, 500, 3);
	assert_false(encode("load_latency:64:u").kernel);
	assert_true(encode("load_latency:64:u").user);
}

static void library_names_and_raw_codes_work(void **state)
{
	(void)state;
	expect_raw("MEM_LOAD_RETIRED:L1_MISS", 0x08d1, 0, 3);
	expect_raw("mem_load_retired.l1_miss", 0x08d1, 0, 3);
	expect_raw("skl::MEM_LOAD_RETIRED:L1_MISS", 0x08d1, 0, 3);
	expect_raw("LONGEST_LAT_CACHE:MISS", 0x412e, 0, 0);
	/* A raw code is as precise as the event that has it. */
	expect_raw("r08d1", 0x08d1, 0, 3);
	expect_raw("r412e", 0x412e, 0, 0);
	/* Only some of this event's masks are precise. */
	expect_raw("INST_RETIRED:ANY_P", 0x00c0, 0, 0);
	expect_raw("INST_RETIRED:PREC_DIST", 0x01c0, 0, 3);
}

static void expect_software(const char *name, uint64_t config)
{
	struct pmu_code code = encode(name);

	assert_int_equal(code.type, TYPE_SOFTWARE);
	assert_int_equal(code.config, config);
	assert_int_equal(code.precise, 0);
	assert_true(code.is_software);
}

static void kernels_events_work_on_any_cpu(void **state)
{
	(void)state;
	expect_software("page_faults", 2);
	expect_software("cpu_clock", 0);
	expect_software("page-faults", 2);
	expect_software("context_switches", 3);
	expect_software("cpu_migrations", 4);
	expect_software("minor_faults", 5);
	expect_software("major_faults", 6);
	assert_int_equal(encode("instructions").type, TYPE_HARDWARE);
	/* What the kernel makes of it here is not known. */
	assert_int_equal(encode("instructions").precise, 0);
}

static void modifiers_win(void **state)
{
	struct pmu_code code;

	(void)state;
	assert_int_equal(encode("l1_cache_miss:precise=1").precise, 1);
	assert_int_equal(encode("l1_cache_miss:precise=0").precise, 0);
	assert_int_equal(encode("r412e:precise=2").precise, 2);
	assert_int_equal(encode("l1_cache_miss:period=77").period, 77);
	assert_int_equal(encode("l1_cache_miss").period, 0);
	code = encode("l1_cache_miss");
	assert_true(code.user && code.kernel && !code.sides_named);
	code = encode("l1_cache_miss:k");
	assert_true(!code.user && code.kernel && code.sides_named);
	code = encode("r08d1:u");
	assert_true(code.user && !code.kernel && code.sides_named);
}

static void expect_wrong(const char *name, const char *in_why)
{
	char why[REQUEST_WHY_BYTES] = "";
	struct pmu_code code;

	assert_int_equal(pmu_encode(name, true, true, &code, why, sizeof(why)), PMU_NAME_WRONG);
	if (!strstr(why, in_why) || strchr(why, '\n'))
		fail_msg("%s: '%s' has no '%s'", name, why, in_why);
}

static void wrong_names_are_explained(void **state)
{
	(void)state;
	expect_wrong("l1_cache_mis", "did you mean 'l1_cache_miss'?");
	expect_wrong("mem_load_retird:L1_MISS", "did you mean 'MEM_LOAD_RETIRED'?");
	expect_wrong("no_such_thing", "no such event on Intel Skylake");
	expect_wrong("", "no such event");
	expect_wrong("MEM_LOAD_RETIRED", "it needs a mask");
	expect_wrong("MEM_LOAD_RETIRED", "annot list MEM_LOAD_RETIRED");
	expect_wrong("MEM_LOAD_RETIRED:L9_MISS", "no such mask or modifier");
	expect_wrong("l1_cache_miss:nonsense", "annot list MEM_LOAD_RETIRED");
	expect_wrong("load_latency:x", "no such mask or modifier");
	expect_wrong("page_faults:precise=1", "no such mask or modifier");
	expect_wrong("l1_cache_miss:freq=100", "freq is not supported");
	expect_wrong("l1_cache_miss:excl", "excl is not supported");
	expect_wrong("l1_cache_miss:mg", "guests are not told apart");
	expect_wrong("l1_cache_miss:cpu=1", "cpu is not supported");
	expect_wrong("rxyz", "no such event");
}

static void expect_list(const char *list, const struct pmu_request_rules *rules, const char *wanted)
{
	struct pmu_requests requests = { 0 };
	char names[256] = "";

	assert_int_equal(pmu_requests_add(&requests, list, rules), EXIT_OK);
	for (size_t i = 0; i < requests.nr; i++) {
		const struct pmu_request *request = &requests.requests[i];

		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s/%s%s",
			 i ? " " : "", request->name, request->code.user ? "u" : "",
			 request->code.kernel ? "k" : "");
	}
	assert_string_equal(names, wanted);
	pmu_requests_free(&requests);
}

static void lists_are_taken_apart(void **state)
{
	const struct pmu_request_rules both = {
		.command = "test", .user = true, .kernel = true, .apart = true
	};
	const struct pmu_request_rules together = { .command = "test",
						    .user = true,
						    .kernel = true };
	const struct pmu_request_rules user = { .command = "test", .user = true, .apart = true };

	(void)state;
	expect_list("page_faults", &both, "page_faults:u/u page_faults:k/k");
	expect_list("page_faults:u,r08d1", &both, "page_faults:u/u r08d1:u/u r08d1:k/k");
	expect_list("page_faults,l1_cache_miss", &together, "page_faults/uk l1_cache_miss/uk");
	expect_list("page_faults,r08d1:k", &user, "page_faults/u r08d1:k/k");
}

static void bad_lists_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		",",
		"page_faults,",
		"page_faults,page_faults",
		"page_faults:u,page_faults",
		"nonsense",
	};
	const struct pmu_request_rules both = {
		.command = "test", .user = true, .kernel = true, .apart = true
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pmu_requests requests = { 0 };

		assert_int_equal(pmu_requests_add(&requests, bad[i], &both), EXIT_USAGE);
		pmu_requests_free(&requests);
	}
}

/* They have addresses themselves, or the CPU has no IBS. */
static void no_event_needs_places_of_others(void **state)
{
	struct pmu_requests requests = { 0 };
	const struct pmu_request_rules rules = { .command = "test", .user = true };

	(void)state;
	assert_int_equal(pmu_requests_add(&requests,
					  "l1_cache_miss,memory_stores:k,LLC-LOAD-MISSES", &rules),
			 EXIT_OK);
	assert_int_equal(pmu_places_add(&requests, 16, "test"), EXIT_OK);
	assert_int_equal(requests.nr, 3);
	pmu_requests_free(&requests);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(aliases_have_intels_codes),
		cmocka_unit_test(frequent_events_have_a_longer_period),
		cmocka_unit_test(latency_has_a_threshold),
		cmocka_unit_test(library_names_and_raw_codes_work),
		cmocka_unit_test(kernels_events_work_on_any_cpu),
		cmocka_unit_test(modifiers_win),
		cmocka_unit_test(wrong_names_are_explained),
		cmocka_unit_test(lists_are_taken_apart),
		cmocka_unit_test(bad_lists_are_refused),
		cmocka_unit_test(no_event_needs_places_of_others),
	};

	if (pmu_names_open("skl"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

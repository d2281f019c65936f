// SPDX-License-Identifier: GPL-2.0
/*
 * Which events bring IBS along, as on a Zen 2. IBS is this machine's, if it has any.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmu/names.h"
#include "pmu/places.h"
#include "pmu/sysfs_event.h"
#include "util/diag.h"

#define MOST 4

static void add(struct pmu_requests *requests, const char *list, bool counted)
{
	const struct pmu_request_rules rules = {
		.command = "test",
		.counted = counted,
		.user = true,
		.kernel = true,
	};

	assert_int_equal(pmu_requests_add(requests, list, &rules), EXIT_OK);
}

/* What is added to @sampled; NULL: nothing. */
static void expect(const char *sampled, const char *added)
{
	struct pmu_requests requests = { 0 };
	size_t nr;

	add(&requests, sampled, false);
	nr = requests.nr;
	assert_int_equal(pmu_places_add(&requests, MOST, "test"), EXIT_OK);
	if (!added) {
		assert_int_equal(requests.nr, nr);
	} else {
		assert_int_equal(requests.nr, nr + 1);
		assert_string_equal(requests.requests[nr].name, added);
		assert_false(requests.requests[nr].counted);
		/* Not that of -c. */
		assert_int_equal(requests.requests[nr].code.period, 500000);
	}
	pmu_requests_free(&requests);
}

static bool has_ibs(void)
{
	return !access(SYSFS_PMUS "/ibs_op", F_OK);
}

static enum pmu_places places_of(const char *name)
{
	const struct pmu_alias *alias = pmu_alias_find(name, strlen(name));
	struct pmu_code code;
	char why[REQUEST_WHY_BYTES];
	enum pmu_places places;

	if (pmu_encode(name, true, true, &code, why, sizeof(why)) != PMU_ENCODED)
		return pmu_places_of(alias, NULL);
	places = pmu_places_of(alias, &code);
	free(code.stands_for);
	return places;
}

static void zen_needs_ibs(void **state)
{
	enum pmu_places of_ibs = has_ibs() ? PLACES_OF_IBS : PLACES_MISSING;

	(void)state;
	assert_int_equal(places_of("l1_cache_miss"), of_ibs);
	assert_int_equal(places_of("memory_stores"), of_ibs);
	assert_int_equal(places_of("load_latency"), of_ibs);
	assert_int_equal(places_of("instr_retired"), PLACES_OWN);
	assert_int_equal(places_of("page_faults"), PLACES_OWN);
	expect("l1_cache_miss", has_ibs() ? "ibs_op" : NULL);
	expect("l1_cache_miss:u", has_ibs() ? "ibs_op:u" : NULL);
	expect("l1_cache_miss:u,memory_stores:k", has_ibs() ? "ibs_op" : NULL);
	expect("l1_cache_miss:k:period=100", has_ibs() ? "ibs_op:k" : NULL);
	expect("l1_cache_miss:precise=0", NULL);
	expect("l1_cache_miss,ibs_op:u:period=2000", NULL);
	expect("ibs_op/cnt_ctl=1/,l1_cache_miss", NULL);
	expect("instr_retired", NULL);
	expect("l1_cache_miss,l2_cache_miss,memory_loads,memory_stores", NULL);
}

static void what_is_counted_needs_none(void **state)
{
	struct pmu_requests requests = { 0 };

	(void)state;
	add(&requests, "l1_cache_miss", true);
	add(&requests, "instr_retired", false);
	assert_int_equal(pmu_places_add(&requests, MOST, "test"), EXIT_OK);
	assert_int_equal(requests.nr, 2);
	pmu_requests_free(&requests);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zen_needs_ibs),
		cmocka_unit_test(what_is_counted_needs_none),
	};

	if (pmu_names_open("amd64_fam17h_zen2"))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Events in perf's notation, of PMUs that are made here as the kernel describes its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "pmu/names.h"
#include "pmu/request.h"
#include "pmu/sysfs_event.h"
#include "pmu/uncore.h"
#include "util/diag.h"
#include "util/xalloc.h"

static char folder[] = "/tmp/annot-pmus-XXXXXX";

static void make_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(path);
}

static void make_folder(const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);

	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
}

static int make_pmus(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	make_folder("ibs_op");
	make_folder("ibs_op/format");
	make_file("ibs_op/type", "9\n");
	make_file("ibs_op/format/cnt_ctl", "config:19\n");
	make_folder("box_0");
	make_folder("box_0/format");
	make_folder("box_0/events");
	make_file("box_0/type", "4294967295\n");
	make_file("box_0/format/event", "config:0-7,32-35\n");
	make_file("box_0/format/umask", "config:8-15\n");
	make_file("box_0/format/filter", "config1:0-63\n");
	make_file("box_0/format/odd", "configX:0-7\n");
	make_file("box_0/format/wide", "config:60-64\n");
	make_file("box_0/events/reads", "event=0x3f1,umask=0x2\n");
	make_folder("typeless");
	make_folder("power");
	make_folder("power/format");
	make_folder("power/events");
	make_file("power/type", "21\n");
	make_file("power/cpumask", "0,18\n");
	make_file("power/format/event", "config:0-7\n");
	make_file("power/events/energy-pkg", "event=0x02\n");
	make_file("power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n");
	make_file("power/events/energy-pkg.unit", "Joules\n");
	make_file("power/events/odd", "event=0x03\n");
	make_file("power/events/odd.scale", "1e400\n");
	make_file("power/events/odd.unit", "Joules\n");
	make_folder("nowhere");
	make_file("nowhere/type", "22\n");
	make_file("nowhere/cpumask", "\n");
	return 0;
}

static int remove_pmus(void **state)
{
	char *command = xasprintf("rm -r %s", folder);
	int status = system(command);

	(void)state;
	free(command);
	return status;
}

static struct pmu_code encode(const char *name)
{
	struct pmu_code code = { .user = true, .kernel = true };
	char why[256] = "";

	if (sysfs_event_encode(folder, name, &code, why, sizeof(why)) != PMU_ENCODED)
		fail_msg("%s: %s", name, why);
	return code;
}

static void expect_wrong(const char *name, enum pmu_encoding result, const char *words)
{
	struct pmu_code code = { .user = true };
	char why[256] = "";

	assert_int_equal(sysfs_event_encode(folder, name, &code, why, sizeof(why)), result);
	if (!strstr(why, words))
		fail_msg("%s: \"%s\" has no \"%s\"", name, why, words);
}

static void terms_go_to_their_bits(void **state)
{
	struct pmu_code code = encode("box_0/event=0xabc,umask=18,filter=0xffffffffffffffff/");

	(void)state;
	assert_int_equal(code.type, UINT32_MAX);
	/* The low eight bits, and the four above them further up. */
	assert_int_equal(code.config, 0xa000012bc);
	assert_int_equal(code.config1, UINT64_MAX);
	assert_int_equal(code.config2, 0);
	assert_true(code.user && code.kernel && !code.sides_named && !code.is_software);
	assert_int_equal(code.period, 0);
	assert_int_equal(encode("box_0/reads/").config, 0x3000002f1);
	assert_int_equal(encode("box_0/reads,config2=7/").config2, 7);
	assert_int_equal(encode("box_0//").config, 0);
}

static void modifiers_follow(void **state)
{
	struct pmu_code code = encode("ibs_op/cnt_ctl,period=48/ppu");

	(void)state;
	assert_int_equal(code.config, 1 << 19);
	assert_int_equal(code.precise, 2);
	assert_int_equal(code.period, 48);
	assert_true(code.user && !code.kernel && code.sides_named);
	assert_true(!encode("ibs_op//:k").user);
	assert_true(encode("ibs_op//:k").kernel);
	code = encode("ibs_op/cnt_ctl/pp:u:period=0x40:precise=1");
	assert_int_equal(code.period, 64);
	assert_int_equal(code.precise, 1);
	assert_true(code.user && !code.kernel);
	/* What AMD's driver rounds down to. */
	assert_int_equal(code.period_step, 16);
	assert_int_equal(encode("box_0/reads/").period_step, 0);
}

static void what_is_wrong_is_told(void **state)
{
	(void)state;
	expect_wrong("none/event=1/", PMU_NOT_HERE, "no PMU 'none'");
	expect_wrong("typeless/event=1/", PMU_NOT_HERE, "no PMU 'typeless'");
	expect_wrong("ibs_op/cnt_ctl=2/", PMU_NAME_WRONG,
		     "'cnt_ctl=0x2' has more bits than ibs_op");
	expect_wrong("box_0/event=0x1000/", PMU_NAME_WRONG, "more bits");
	expect_wrong("ibs_op/frob=1/", PMU_NAME_WRONG, "has no 'frob'");
	expect_wrong("ibs_op/cnt_ctl=x/", PMU_NAME_WRONG, "not TERM=NUMBER");
	expect_wrong("ibs_op/cnt_ctl=/", PMU_NAME_WRONG, "not TERM=NUMBER");
	expect_wrong("ibs_op/=1/", PMU_NAME_WRONG, "not TERM=NUMBER");
	expect_wrong("ibs_op/period=0/", PMU_NAME_WRONG, "1 or more");
	expect_wrong("ibs_op/cnt_ctl=1/x", PMU_NAME_WRONG, "'x' is not one of its modifiers");
	expect_wrong("ibs_op/cnt_ctl=1/u:period=0", PMU_NAME_WRONG, "'period=0' is not period=N");
	expect_wrong("ibs_op/cnt_ctl=1/:precise=4", PMU_NAME_WRONG, "'precise=4' is not");
	expect_wrong("ibs_op/cnt_ctl=1/:e=1", PMU_NAME_WRONG, "'e=1' is not");
	expect_wrong("ibs_op/cnt_ctl=1/pppp", PMU_NAME_WRONG, "'p' may stand 3 times");
	expect_wrong("ibs_op/cnt_ctl=1", PMU_NAME_WRONG, "PMU/TERM=VALUE");
	expect_wrong("box_0/odd=1/", PMU_NAME_WRONG, "format of 'odd' is not known");
	expect_wrong("box_0/wide=1/", PMU_NAME_WRONG, "format of 'wide' is not known");
}

/* Names become parts of paths. */
static void names_stay_in_the_folder(void **state)
{
	(void)state;
	expect_wrong("../ibs_op/", PMU_NAME_WRONG, "PMU/TERM=VALUE");
	expect_wrong(".//", PMU_NAME_WRONG, "PMU/TERM=VALUE");
	expect_wrong("/event=1/", PMU_NAME_WRONG, "PMU/TERM=VALUE");
	expect_wrong("box_0/../", PMU_NAME_WRONG, "not TERM=NUMBER");
}

static void lists_are_cut_behind_the_event(void **state)
{
	(void)state;
	assert_int_equal(sysfs_event_length("ibs_op/a=1,b=2/u,other"), 16);
	assert_int_equal(sysfs_event_length("l1_cache_miss:u,ibs_op/a,b/"), 15);
	assert_int_equal(sysfs_event_length("ibs_op/a,b"), 8);
	assert_int_equal(sysfs_event_length("page_faults"), 11);
	assert_true(sysfs_event_is_one("ibs_op/a"));
	assert_false(sysfs_event_is_one("ibs_op"));
}

static void expect_uncore(const char *name, double scale, const char *unit)
{
	struct uncore_event *event = xcalloc(1, sizeof(*event));

	assert_true(encode(name).is_uncore);
	assert_true(uncore_event_read(folder, name, event));
	assert_true(event->cpus.has[0] && event->cpus.has[18]);
	assert_false(event->cpus.has[1]);
	assert_true(event->scale == scale);
	assert_string_equal(event->unit, unit);
	free(event);
}

static void events_of_sockets_are_known(void **state)
{
	struct uncore_event *event = xcalloc(1, sizeof(*event));

	(void)state;
	assert_false(encode("box_0/reads/").is_uncore);
	expect_uncore("power/energy-pkg/", 0x1p-32, "Joules");
	/* Written as numbers, it may be any event. */
	expect_uncore("power/event=2/", 1, "");
	/* A scale that is no number is none, and then the unit is wrong, too. */
	expect_uncore("power/odd/", 1, "");
	expect_wrong("power/energy-pkg/u", PMU_NAME_WRONG, "counts for a socket");
	assert_false(uncore_event_read(folder, "nowhere/event=1/", event));
	assert_false(uncore_event_read(folder, "box_0/reads/", event));
	free(event);
}

static int add(const char *list, bool counted, bool takes_uncore, struct pmu_requests *requests)
{
	const struct pmu_request_rules rules = {
		.command = "test",
		.counted = counted,
		.takes_uncore = takes_uncore,
		.user = true,
		.kernel = true,
		.apart = true,
	};

	return pmu_requests_add(requests, list, &rules);
}

static void expect_instances(const char *name, const char *wanted)
{
	char **names, text[256] = "";
	size_t nr;

	names = sysfs_event_instances(folder, name, &nr);
	for (size_t i = 0; i < nr; i++) {
		strcat(strcat(text, names[i]), " ");
		free(names[i]);
	}
	assert_null(names[nr]);
	free(names);
	assert_string_equal(text, wanted);
}

static void a_name_without_number_is_of_all(void **state)
{
	(void)state;
	make_folder("imc_10");
	make_folder("imc_2");
	make_folder("imc_0");
	make_folder("imc_0x1");
	make_folder("imc_free_0");
	make_folder("cha");
	make_folder("cha_0");
	expect_instances("imc/reads/", "imc_0/reads/ imc_2/reads/ imc_10/reads/ ");
	expect_instances("imc_2/reads/", "");
	expect_instances("cha/reads/", "");
	expect_instances("im/reads/", "");
	expect_instances("../imc/reads/", "");
}

static void note_name(void *context, const char *name, const struct uncore_event *event)
{
	char *names = context;

	assert_true(event->cpus.has[0]);
	strcat(strcat(names, name), " ");
}

static void events_of_sockets_are_listed(void **state)
{
	char names[256] = "";

	(void)state;
	uncore_for_each(folder, note_name, names);
	assert_string_equal(names, "power/energy-pkg/ power/odd/ ");
	uncore_for_each("/nowhere", note_name, names);
}

static void events_of_sockets_go_elsewhere(void **state)
{
	struct pmu_requests requests = { 0 }, uncore = { 0 };
	struct pmu_request shared = { .name = xstrndup("power/energy-pkg/", 17),
				      .counted = true,
				      .code.is_uncore = true };

	(void)state;
	if (pmu_names_open("skl"))
		fail();
	pmu_requests_append(&requests, &shared);
	assert_int_equal(add("page-faults", true, true, &requests), EXIT_OK);
	assert_int_equal(requests.nr, 3);
	pmu_requests_take_uncore(&requests, &uncore);
	assert_int_equal(requests.nr, 2);
	assert_string_equal(requests.requests[0].name, "page-faults:u");
	assert_string_equal(requests.requests[1].name, "page-faults:k");
	assert_int_equal(uncore.nr, 1);
	assert_string_equal(uncore.requests[0].name, "power/energy-pkg/");
	pmu_requests_free(&requests);
	pmu_requests_free(&uncore);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_go_to_their_bits),
		cmocka_unit_test(modifiers_follow),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(names_stay_in_the_folder),
		cmocka_unit_test(lists_are_cut_behind_the_event),
		cmocka_unit_test(events_of_sockets_are_known),
		cmocka_unit_test(a_name_without_number_is_of_all),
		cmocka_unit_test(events_of_sockets_are_listed),
		cmocka_unit_test(events_of_sockets_go_elsewhere),
	};

	return cmocka_run_group_tests(tests, make_pmus, remove_pmus);
}

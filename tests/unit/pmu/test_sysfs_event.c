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

#include "pmu/sysfs_event.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_go_to_their_bits),
		cmocka_unit_test(modifiers_follow),
		cmocka_unit_test(what_is_wrong_is_told),
		cmocka_unit_test(names_stay_in_the_folder),
		cmocka_unit_test(lists_are_cut_behind_the_event),
	};

	return cmocka_run_group_tests(tests, make_pmus, remove_pmus);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Which events annot record --topdown counts, by CPU: libpfm4 takes this one for another. The codes are those of Intel's manual and of
 * the kernel's tables.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "pmu/cpu_model.h"
#include "pmu/names.h"
#include "pmu/topdown.h"
#include "util/diag.h"

static const struct pmu_request_rules rules = {
	.command = "record",
	.counted = true,
	.user = true,
	.kernel = false,
};

#define TEXT_BYTES 4096

struct expected {
	const char *name;
	uint64_t config;
	unsigned int group; /* of those that go together; 0: there are none */
};

static void print_events(FILE *out, const struct pmu_requests *requests)
{
	for (size_t i = 0; i < requests->nr; i++) {
		const struct pmu_request *request = &requests->requests[i];

		if (requests->needs_groups)
			fprintf(out, "%u%s ", request->group, request->goes_whole ? " whole" : "");
		fprintf(out, "%s 0x%llx%s\n", request->name,
			(unsigned long long)request->code.config,
			request->counted && request->is_of_topdown && request->code.user &&
					!request->code.kernel ?
				"" :
				" wrong");
	}
}

/* libpfm4 takes a name of a CPU once: in a process of its own. Returns the status of pmu_topdown_add(). */
static int list_events(const char *cpu, enum topdown_first first, char *text)
{
	struct pmu_requests requests = { 0 };
	int fds[2], status;
	FILE *in, *out;
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	if (!child) {
		if (pmu_names_open(cpu))
			_exit(EXIT_USAGE);
		status = pmu_topdown_add(&requests, first, &rules);
		out = fdopen(fds[1], "w");
		print_events(out, &requests);
		fclose(out);
		_exit(status);
	}
	close(fds[1]);
	in = fdopen(fds[0], "r");
	text[fread(text, 1, TEXT_BYTES - 1, in)] = '\0';
	fclose(in);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void write_events(const struct expected *expected, char *truth)
{
	truth[0] = '\0';
	for (; expected->name; expected++) {
		size_t length = strlen(truth);

		if (expected->group)
			length += (size_t)snprintf(truth + length, TEXT_BYTES - length, "%u%s ",
						   expected->group,
						   expected->group == 1 ? "" : " whole");
		snprintf(truth + length, TEXT_BYTES - length, "%s 0x%llx\n", expected->name,
			 (unsigned long long)expected->config);
	}
}

static void check(const char *cpu, enum topdown_first first, const struct expected *expected)
{
	char text[TEXT_BYTES], truth[TEXT_BYTES];

	write_events(expected, truth);
	assert_int_equal(list_events(cpu, first, text), EXIT_OK);
	assert_string_equal(text, truth);
}

/* With level 2 first: the events begin with @expected, or have them one behind the other. */
static void check_first(const char *cpu, const struct expected *expected)
{
	char text[TEXT_BYTES], truth[TEXT_BYTES];

	write_events(expected, truth);
	assert_int_equal(list_events(cpu, TOPDOWN_FIRST_LEVEL2, text), EXIT_OK);
	assert_ptr_equal(strstr(text, truth), text);
}

static void check_has(const char *cpu, const struct expected *expected)
{
	char text[TEXT_BYTES], truth[TEXT_BYTES];

	write_events(expected, truth);
	assert_int_equal(list_events(cpu, TOPDOWN_FIRST_LEVEL2, text), EXIT_OK);
	assert_non_null(strstr(text, truth));
}

static void test_skylake(void **state)
{
	static const struct expected slots_first[] = {
		{ "CYCLES", 0, 0 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 0 },
		{ "UOPS_ISSUED:ANY", 0x010e, 0 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 0 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x010d, 0 },
		{ "CYCLE_ACTIVITY:STALLS_MEM_ANY", 0x140014a3, 0 },
		{ "EXE_ACTIVITY:BOUND_ON_STORES", 0x40a6, 0 },
		{ "CYCLE_ACTIVITY:STALLS_TOTAL", 0x040004a3, 0 },
		{ "EXE_ACTIVITY:1_PORTS_UTIL", 0x02a6, 0 },
		{ "EXE_ACTIVITY:2_PORTS_UTIL", 0x04a6, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L1D_MISS", 0x0c000ca3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L2_MISS", 0x050005a3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L3_MISS", 0x060006a3, 0 },
		{ NULL, 0, 0 },
	};

	(void)state;
	check("skl", TOPDOWN_FIRST_SLOTS, slots_first);
}

static void test_memory_first(void **state)
{
	static const struct expected memory_first[] = {
		{ "CYCLES", 0, 0 },
		{ "CYCLE_ACTIVITY:STALLS_MEM_ANY", 0x140014a3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L1D_MISS", 0x0c000ca3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L2_MISS", 0x050005a3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L3_MISS", 0x060006a3, 0 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 0 },
		{ "UOPS_ISSUED:ANY", 0x010e, 0 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 0 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x010d, 0 },
		{ "EXE_ACTIVITY:BOUND_ON_STORES", 0x40a6, 0 },
		{ "CYCLE_ACTIVITY:STALLS_TOTAL", 0x040004a3, 0 },
		{ "EXE_ACTIVITY:1_PORTS_UTIL", 0x02a6, 0 },
		{ "EXE_ACTIVITY:2_PORTS_UTIL", 0x04a6, 0 },
		{ NULL, 0, 0 },
	};

	(void)state;
	check("skl", TOPDOWN_FIRST_MEMORY, memory_first);
}

static void test_later(void **state)
{
	static const struct expected icx[] = {
		{ "TOPDOWN:SLOTS", 0x0400, 0 },
		{ "UOPS_RETIRED:SLOTS", 0x02c2, 0 },
		{ "TOPDOWN:BACKEND_BOUND_SLOTS", 0x02a4, 0 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 0 },
		{ "CYCLE_ACTIVITY:STALLS_MEM_ANY", 0x140014a3, 0 },
		{ "EXE_ACTIVITY:BOUND_ON_STORES", 0x020040a6, 0 },
		{ "CYCLE_ACTIVITY:STALLS_TOTAL", 0x040004a3, 0 },
		{ "EXE_ACTIVITY:1_PORTS_UTIL", 0x02a6, 0 },
		{ "EXE_ACTIVITY:2_PORTS_UTIL", 0x04a6, 0 },
		{ "CYCLES", 0, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L1D_MISS", 0x0c000ca3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L2_MISS", 0x050005a3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L3_MISS", 0x060006a3, 0 },
		{ NULL, 0, 0 },
	};
	static const struct expected spr[] = {
		{ "TOPDOWN:SLOTS", 0x0400, 0 },
		{ "UOPS_RETIRED:SLOTS", 0x02c2, 0 },
		{ "TOPDOWN:BACKEND_BOUND_SLOTS", 0x02a4, 0 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 0 },
		{ "TOPDOWN:MEMORY_BOUND_SLOTS", 0x10a4, 0 },
		{ "CYCLES", 0, 0 },
		{ "EXE_ACTIVITY:BOUND_ON_LOADS", 0x050021a6, 0 },
		{ "MEMORY_ACTIVITY:STALLS_L1D_MISS", 0x03000347, 0 },
		{ "MEMORY_ACTIVITY:STALLS_L2_MISS", 0x05000547, 0 },
		{ "MEMORY_ACTIVITY:STALLS_L3_MISS", 0x09000947, 0 },
		{ NULL, 0, 0 },
	};

	(void)state;
	check("icx", TOPDOWN_FIRST_SLOTS, icx);
	check("spr", TOPDOWN_FIRST_SLOTS, spr);
}

/* What waits for L3 and for memory follows from hits and misses of L3. */
static void test_haswell(void **state)
{
	static const struct expected hsw[] = {
		{ "CYCLES", 0, 0 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 0 },
		{ "UOPS_ISSUED:ANY", 0x010e, 0 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 0 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x0100030d, 0 },
		{ "CYCLE_ACTIVITY:STALLS_LDM_PENDING", 0x060006a3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L1D_PENDING", 0x0c000ca3, 0 },
		{ "CYCLE_ACTIVITY:STALLS_L2_PENDING", 0x050005a3, 0 },
		{ "MEM_LOAD_UOPS_RETIRED:L3_HIT", 0x04d1, 0 },
		{ "MEM_LOAD_UOPS_RETIRED:L3_MISS", 0x20d1, 0 },
		{ NULL, 0, 0 },
	};

	(void)state;
	check("hsw", TOPDOWN_FIRST_SLOTS, hsw);
}

/* Each part of level 2 has what it needs of level 1 beside it; the levels of memory come last. */
static void test_level2(void **state)
{
	static const struct expected skl[] = {
		{ "CYCLES", 0, 1 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 1 },
		{ "UOPS_ISSUED:ANY", 0x010e, 1 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 1 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x010d, 1 },
		{ "CYCLES", 0, 2 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 2 },
		{ "UOPS_ISSUED:ANY", 0x010e, 2 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 2 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x010d, 2 },
		{ "CYCLE_ACTIVITY:STALLS_MEM_ANY", 0x140014a3, 2 },
		{ "EXE_ACTIVITY:BOUND_ON_STORES", 0x40a6, 2 },
		{ "CYCLE_ACTIVITY:STALLS_TOTAL", 0x040004a3, 2 },
		{ "EXE_ACTIVITY:1_PORTS_UTIL", 0x02a6, 2 },
		{ "EXE_ACTIVITY:2_PORTS_UTIL", 0x04a6, 2 },
		{ "CYCLES", 0, 3 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 3 },
		{ "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE", 0x0400019c, 3 },
		{ "CYCLES", 0, 4 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 4 },
		{ "UOPS_ISSUED:ANY", 0x010e, 4 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x010d, 4 },
		{ "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, 4 },
		{ "MACHINE_CLEARS:COUNT", 0x010401c3, 4 },
		{ "CYCLES", 0, 5 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 5 },
		{ "UOPS_RETIRED:MACRO_FUSED", 0x04c2, 5 },
		{ "INSTRUCTIONS", 1, 5 },
		{ NULL, 0, 0 },
	};
	static const struct expected hsw_2[] = {
		{ "CYCLES", 0, 2 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 2 },
		{ "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE", 0x0400019c, 2 },
		{ "CYCLES", 0, 3 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 3 },
		{ "UOPS_ISSUED:ANY", 0x010e, 3 },
		{ "INT_MISC:RECOVERY_CYCLES", 0x0100030d, 3 },
		{ "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, 3 },
		{ "MACHINE_CLEARS:COUNT", 0x010401c3, 3 },
		{ "CYCLES", 0, 4 },
		{ "UOPS_RETIRED:RETIRE_SLOTS", 0x02c2, 4 },
		{ "UOPS_ISSUED:ANY", 0x010e, 4 },
		{ "snb::IDQ:MS_UOPS", 0x3079, 4 },
		{ NULL, 0, 0 },
	};
	static const struct expected icx_2[] = {
		{ "TOPDOWN:SLOTS", 0x0400, 3 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 3 },
		{ "icl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE", 0x0500019c, 3 },
		{ "INT_MISC:UOP_DROPPING", 0x100d, 3 },
		{ "TOPDOWN:SLOTS", 0x0400, 4 },
		{ "UOPS_RETIRED:SLOTS", 0x02c2, 4 },
		{ "TOPDOWN:BACKEND_BOUND_SLOTS", 0x02a4, 4 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 4 },
		{ "BR_MISP_RETIRED:ALL_BRANCHES", 0xc5, 4 },
		{ "MACHINE_CLEARS:COUNT", 0x010401c3, 4 },
		{ "TOPDOWN:SLOTS", 0x0400, 5 },
		{ "UOPS_RETIRED:SLOTS", 0x02c2, 5 },
		{ "UOPS_ISSUED:ANY", 0x010e, 5 },
		{ "IDQ:MS_UOPS", 0x3079, 5 },
		{ "IDQ:MITE_UOPS", 0x0479, 5 },
		{ "UOPS_DECODED:DEC0", 0x0156, 5 },
		{ "UOPS_DECODED:DEC0:CYCLES", 0x01000156, 5 },
		{ NULL, 0, 0 },
	};
	static const struct expected spr_2[] = {
		{ "TOPDOWN:SLOTS", 0x0400, 2 },
		{ "UOPS_RETIRED:SLOTS", 0x02c2, 2 },
		{ "TOPDOWN:BACKEND_BOUND_SLOTS", 0x02a4, 2 },
		{ "IDQ_UOPS_NOT_DELIVERED:CORE", 0x019c, 2 },
		{ "TOPDOWN:BR_MISPREDICT_SLOTS", 0x08a4, 2 },
		{ NULL, 0, 0 },
	};

	(void)state;
	check_first("skl", skl);
	check_has("hsw", hsw_2);
	check_has("icx", icx_2);
	check_has("spr", spr_2);
}

static void test_none(void **state)
{
	char text[TEXT_BYTES];

	(void)state;
	assert_int_equal(list_events("nhm", TOPDOWN_FIRST_SLOTS, text), EXIT_BAD_INPUT);
	assert_string_equal(text, "");
}

static void test_cpu_model(void **state)
{
	static const char text[] =
		"processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
		"model name\t: AMD EPYC 9654 96-Core Processor\n\nprocessor\t: 1\ncpu family\t: 6\n";
	char path[] = "/tmp/annot-cpuinfo-XXXXXX";
	int fd = mkstemp(path);
	struct cpu_model cpu;

	(void)state;
	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	cpu = cpu_model_read(path);
	unlink(path);
	assert_string_equal(cpu.vendor, "AuthenticAMD");
	assert_int_equal(cpu.family, 25);
	assert_int_equal(cpu.model, 17);
	assert_string_equal(cpu_model_read("/nowhere").vendor, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_skylake),	  cmocka_unit_test(test_memory_first),
		cmocka_unit_test(test_later),	  cmocka_unit_test(test_haswell),
		cmocka_unit_test(test_level2),	  cmocka_unit_test(test_none),
		cmocka_unit_test(test_cpu_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

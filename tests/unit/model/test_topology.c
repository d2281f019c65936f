// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Where the CPUs stand: as it is recorded, as it is read, and how far it is from one to another.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "events.h"
#include "model/topology.h"
#include "record/log/topology_log.h"
#include "trace/lines/cpu_topology.h"

#define A 101

static struct cpu_cache caches[CPU_TOPOLOGY_MAX_CACHES];

static bool parse(const char *line, struct trace_event *event)
{
	size_t bytes = strlen(line);
	char *exact = malloc(bytes);
	bool parsed;

	memset(event, 0x5a, sizeof(*event));
	memcpy(exact, line, bytes);
	parsed = cpu_topology_is_line(exact, bytes) &&
		 cpu_topology_parse((struct scan_text){ exact, exact + bytes }, caches, event);
	free(exact);
	return parsed;
}

static void test_reads_a_line(void **state)
{
	struct trace_event event;

	(void)state;
	assert_true(
		parse("annot|cpu|3|2|0|1|1d:32768:64:8:64:2,2u:1048576:64:16:1024:0\n", &event));
	assert_int_equal(event.kind, TRACE_CPU_TOPOLOGY);
	assert_int_equal(event.cpu_topology.number, 3);
	assert_int_equal(event.cpu_topology.core, 2);
	assert_int_equal(event.cpu_topology.package, 0);
	assert_int_equal(event.cpu_topology.node, 1);
	assert_int_equal(event.cpu_topology.nr_caches, 2);
	assert_int_equal(event.cpu_topology.caches[0].level, 1);
	assert_int_equal(event.cpu_topology.caches[0].kind, 'd');
	assert_int_equal(event.cpu_topology.caches[0].size_bytes, 32768);
	assert_int_equal(event.cpu_topology.caches[0].line_bytes, 64);
	assert_int_equal(event.cpu_topology.caches[0].ways, 8);
	assert_int_equal(event.cpu_topology.caches[0].sets, 64);
	assert_int_equal(event.cpu_topology.caches[0].group, 2);
	assert_int_equal(event.cpu_topology.caches[1].level, 2);
	assert_int_equal(event.cpu_topology.caches[1].kind, 'u');
	assert_int_equal(event.cpu_topology.caches[1].group, 0);
	assert_true(parse("annot|cpu|0|-1|-1|-1|", &event));
	assert_int_equal(event.cpu_topology.core, -1);
	assert_int_equal(event.cpu_topology.node, -1);
	assert_int_equal(event.cpu_topology.nr_caches, 0);
}

static void test_refuses_what_cannot_be(void **state)
{
	static const char *const lines[] = {
		"annot|cpu|",
		"annot|cpu|0",
		"annot|cpu|0|0|0|0",
		"annot|cpu|-1|0|0|0|",
		"annot|cpu|8192|0|0|0|",
		"annot|cpu|x|0|0|0|",
		"annot|cpu|0|-2|0|0|",
		"annot|cpu|0|0|2147483648|0|",
		"annot|cpu|0|0|0||",
		"annot|cpu|0|0|0|0|1",
		"annot|cpu|0|0|0|0|d",
		"annot|cpu|0|0|0|0|1x:1:64:1:1:0",
		"annot|cpu|0|0|0|0|0d:1:64:1:1:0",
		"annot|cpu|0|0|0|0|10d:1:64:1:1:0",
		"annot|cpu|0|0|0|0|1d:1:64:1:1",
		"annot|cpu|0|0|0|0|1d:1:64:1:1:0:0",
		"annot|cpu|0|0|0|0|1d:1:48:1:1:0",
		"annot|cpu|0|0|0|0|1d:1:8192:1:1:0",
		"annot|cpu|0|0|0|0|1d:1:64:-1:1:0",
		"annot|cpu|0|0|0|0|1d:1:64:1:2147483648:0",
		"annot|cpu|0|0|0|0|1d:1099511627777:64:1:1:0",
		"annot|cpu|0|0|0|0|1d:1:64:1:1:8192",
		"annot|cpu|0|0|0|0|,1d:1:64:1:1:0",
	};
	char many[1000] = "annot|cpu|0|0|0|0|";
	struct trace_event event;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (parse(lines[i], &event))
			fail_msg("taken: %s", lines[i]);
	}
	for (int i = 0; i < CPU_TOPOLOGY_MAX_CACHES; i++)
		strcat(many, i ? ",1d:1:64:1:1:0" : "1d:1:64:1:1:0");
	assert_true(parse(many, &event));
	assert_int_equal(event.cpu_topology.nr_caches, CPU_TOPOLOGY_MAX_CACHES);
	strcat(many, ",1d:1:64:1:1:0");
	assert_false(parse(many, &event));
	assert_false(cpu_topology_is_line("annot|cpx|", 10));
	assert_false(cpu_topology_is_line("annot|cpu|", 9));
}

static void put_file(const char *root, const char *file, const char *text)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", root, file);
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0700) || errno == EEXIST);
		*slash = '/';
	}
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", text);
	fclose(out);
}

/* As the kernel shows a CPU with two threads a core. */
static void make_cpu(const char *root)
{
	put_file(root, "cpu5/topology/physical_package_id", "1");
	put_file(root, "cpu5/topology/core_id", "0");
	put_file(root, "cpu5/topology/thread_siblings_list", "4-5");
	put_file(root, "cpu5/node1/cpulist", "4-7");
	put_file(root, "cpu5/cache/index0/level", "1");
	put_file(root, "cpu5/cache/index0/type", "Data");
	put_file(root, "cpu5/cache/index0/size", "48K");
	put_file(root, "cpu5/cache/index0/coherency_line_size", "64");
	put_file(root, "cpu5/cache/index0/ways_of_associativity", "12");
	put_file(root, "cpu5/cache/index0/number_of_sets", "64");
	put_file(root, "cpu5/cache/index0/shared_cpu_list", "4-5");
	put_file(root, "cpu5/cache/index1/level", "3");
	put_file(root, "cpu5/cache/index1/type", "Unified");
	put_file(root, "cpu5/cache/index1/size", "16384K");
	put_file(root, "cpu5/cache/index1/shared_cpu_list", "4,6-7");
	put_file(root, "cpu6/online", "0");
}

static void test_writes_lines(void **state)
{
	char root[] = "/tmp/annot-topology-XXXXXX", line[1000], command[64];
	size_t length;

	(void)state;
	assert_non_null(mkdtemp(root));
	make_cpu(root);
	length = topology_log_format(line, sizeof(line), root, 5);
	assert_string_equal(line, "annot|cpu|5|4|1|1|1d:49152:64:12:64:4,3u:16777216:0:0:0:4");
	assert_int_equal(length, strlen(line));
	/* What there is no room for is left out as a whole. */
	assert_int_equal(topology_log_format(line, 50, root, 5), 37);
	assert_string_equal(line, "annot|cpu|5|4|1|1|1d:49152:64:12:64:4");
	assert_int_equal(topology_log_format(line, 12, root, 5), 0);
	/* Offline; and not there. */
	assert_int_equal(topology_log_format(line, sizeof(line), root, 6), 0);
	assert_int_equal(topology_log_format(line, sizeof(line), root, 7), 0);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static struct model_builder *builder;

static void feed_place(const char *line)
{
	struct trace_event event;

	assert_true(parse(line, &event));
	event.time_ns = 1000;
	event.cpu = 0;
	event.tid = 0;
	model_builder_feed(builder, &event);
}

/* Two packages of two cores of two threads, L2 of the core, L3 of the package; and CPU 8. */
static struct model *two_packages(void)
{
	char line[200];

	builder = script_begin();
	for (int cpu = 7; cpu >= 0; cpu--) {
		int core = cpu & ~1, package = cpu / 4;

		snprintf(line, sizeof(line),
			 "annot|cpu|%d|%d|%d|%d|1i:32768:64:8:64:%d,1d:32768:64:8:64:%d,"
			 "2u:1048576:64:16:1024:%d,3u:8388608:64:16:8192:%d",
			 cpu, core, package, package, core, core, core, package * 4);
		feed_place(line);
	}
	feed_place("annot|cpu|9|9|1|1|1d:32768:64:8:64:9");
	feed_place("annot|cpu|10|10|1|1|2u:1048576:64:16:1024:10");
	feed_place("annot|cpu|11|11|1|1|2u:1048576:64:16:1024:10");
	feed_place("annot|cpu|12|12|1|1|");
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	return script_end();
}

static void test_distances(void **state)
{
	static const struct {
		int from;
		int to;
		enum cpu_distance distance;
	} wanted[] = {
		{ 0, 0, SAME_CPU },	     { 0, 1, SMT_SIBLING },
		{ 0, 2, SHARES_LLC },	     { 3, 1, SHARES_LLC },
		{ 0, 4, OTHER_NODE },	     { 7, 3, OTHER_NODE },
		{ 7, 9, SAME_NODE },	     { 10, 11, SHARES_L2 },
		{ 7, 12, DISTANCE_UNKNOWN }, { 0, 12, OTHER_NODE },
		{ 0, 8, DISTANCE_UNKNOWN },  { 0, 13, DISTANCE_UNKNOWN },
		{ -1, 0, DISTANCE_UNKNOWN },
	};
	struct model *model = two_packages();
	const struct topology *topology = &model->topology;

	(void)state;
	assert_int_equal(topology->nr_cpus, 13);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		assert_int_equal(topology_distance(topology, wanted[i].from, wanted[i].to),
				 wanted[i].distance);
		assert_int_equal(topology_distance(topology, wanted[i].to, wanted[i].from),
				 wanted[i].distance);
	}
	model_free(model);
}

static void test_caches(void **state)
{
	struct model *model = two_packages();
	const struct topology *topology = &model->topology;
	struct topology copy = topology_copy(topology);

	(void)state;
	assert_int_equal(topology_cache(topology, 1, 1)->kind, 'd');
	assert_int_equal(topology_cache(topology, 1, 2)->sets, 1024);
	assert_int_equal(topology_last_cache(topology, 1)->level, 3);
	assert_null(topology_cache(topology, 1, 4));
	assert_null(topology_cache(topology, 8, 1));
	assert_null(topology_last_cache(topology, 12));
	model_free(model);
	assert_int_equal(topology_cache(&copy, 1, 2)->sets, 1024);
	assert_int_equal(topology_distance(&copy, 10, 11), SHARES_L2);
	topology_free(&copy);
}

/* What is told later holds. */
static void test_told_again(void **state)
{
	struct model *model;

	(void)state;
	builder = script_begin();
	feed_place("annot|cpu|1|0|0|0|1d:32768:64:8:64:0");
	feed_place("annot|cpu|1|1|0|0|");
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_int_equal(model->topology.cpus[1].core, 1);
	assert_int_equal(model->topology.cpus[1].nr_caches, 0);
	assert_false(model->topology.cpus[0].known);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_a_line), cmocka_unit_test(test_refuses_what_cannot_be),
		cmocka_unit_test(test_writes_lines), cmocka_unit_test(test_distances),
		cmocka_unit_test(test_caches),	     cmocka_unit_test(test_told_again),
	};

	return RUN_IN_WINDOWS(tests);
}

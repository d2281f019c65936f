// SPDX-License-Identifier: GPL-2.0
#include "libannot_scenario.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../../libannot/device.h"
#include "../../../libannot/raw_ring.h"
#include "annot/annot.h"
#include "uapi/annot.h"

void check_that(bool holds, const char *condition, int line)
{
	if (holds)
		return;
	fprintf(stderr, "line %d: not true: %s\n", line, condition);
	exit(1);
}

static void put(const char *path, const void *bytes, size_t nr_bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	check(fd >= 0 && write(fd, bytes, nr_bytes) == (ssize_t)nr_bytes);
	close(fd);
}

void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

const char *get_text(const char *path)
{
	static char text[1 << 20];
	int fd = open(path, O_RDONLY);
	ssize_t nr_bytes = read(fd, text, sizeof(text) - 1);

	check(fd >= 0 && nr_bytes >= 0);
	close(fd);
	text[nr_bytes] = 0;
	return text;
}

void check_text(const char *path, int line, const char *format, ...)
{
	const char *text = get_text(path);
	char expected[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(expected, sizeof(expected), format, arguments);
	va_end(arguments);
	if (!strcmp(text, expected))
		return;
	fprintf(stderr, "line %d: %s holds '%s', not '%s'\n", line, path, text, expected);
	exit(1);
}

static void put_control(const struct annot_control *control)
{
	struct {
		struct annot_control control;
		char rest[4096 - sizeof(struct annot_control)];
	} page = { .control = *control };

	put("dev/ctl", &page, sizeof(page));
}

void use_module(const struct annot_control *control, int nr_cpus)
{
	static char directory[4096];
	char path[32];
	int cpu;

	check(realpath("dev", directory));
	annot_device_directory = directory;
	put_control(control);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		snprintf(path, sizeof(path), "dev/cpu%d", cpu);
		put_text(path, "");
	}
}

void use_device(uint32_t version)
{
	const struct annot_control control = { .version = version,
					       .oldest_version = version,
					       .recording = ANNOT_RECORDING_RINGS };

	use_module(&control, 256);
}

const char *pinned_device(void)
{
	static char path[32];
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	check(!sched_setaffinity(0, sizeof(set), &set));
	snprintf(path, sizeof(path), "dev/cpu%d", cpu);
	return path;
}

void annotate_each_kind(void)
{
	annot_begin("work");
	annot_wait_begin_value("wait", 1);
	annot_end();
	annot_mark("mark");
	annot_counter("counter", -2);
	annot_end();
}

static int run_scenario(const char *name, const struct scenario *scenarios, size_t nr)
{
	size_t i;

	annot_device_directory = "/nonexistent/annot";
	annot_raw_clock_source = "clocksource";
	for (i = 0; i < nr; i++) {
		if (!strcmp(scenarios[i].name, name)) {
			scenarios[i].run();
			return 0;
		}
	}
	return 2;
}

static void make_directories(const struct scenario *scenario)
{
	check(!mkdir("dev", 0700) && !mkdir("marker", 0700) && !mkdir("marker/events", 0700));
	put_text("marker/tracing_on", scenario->tracing_on ? scenario->tracing_on : "1\n");
	put_text("marker/events/enable", "X\n");
	put_text("marker/trace_marker", "");
	put_text("marker/trace_marker_raw", "");
	put_text("clocksource", "tsc\n");
	check(!mkdir("full", 0700) && !mkdir("full/events", 0700));
	put_text("full/tracing_on", "1\n");
	put_text("full/events/enable", "1\n");
	check(!symlink("/dev/full", "full/trace_marker"));
	check(!symlink("/dev/full", "full/trace_marker_raw"));
}

static void exec_scenario(const struct scenario *scenario, const char *directory)
{
	char program[4096], tracefs[4096];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	int fd;

	check(length > 0);
	program[length] = 0;
	/* whatever was inherited: some scenarios look at numbers */
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	check(!chdir(directory));
	make_directories(scenario);
	snprintf(tracefs, sizeof(tracefs), "%s/%s", directory,
		 scenario->tracefs ? scenario->tracefs : "marker");
	setenv("ANNOT_TRACEFS", tracefs, 1);
	setenv("ANNOT_BACKEND", scenario->backend ? scenario->backend : "auto", 1);
	if (scenario->debug)
		setenv("ANNOT_DEBUG", "1", 1);
	if (scenario->batches)
		setenv("ANNOT_BATCHES", "1", 1);
	if (scenario->before_main)
		setenv("TEST_BEFORE_MAIN", "1", 1);
	execl(program, program, scenario->name, NULL);
	check(false);
}

static void scenario_passes(void **state)
{
	const struct scenario *scenario = *state;
	char directory[] = "/tmp/test_libannot.XXXXXX";
	char command[128];
	pid_t child;
	int status;

	assert_non_null(mkdtemp(directory));
	child = fork();
	if (!child) {
		exec_scenario(scenario, directory);
		_exit(1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	assert_int_equal(system(command), 0);
	assert_int_equal(status, 0);
}

int scenarios_main(int argc, char **argv, const struct scenario *scenarios, size_t nr)
{
	struct CMUnitTest tests[64];
	size_t i;

	if (argc == 2)
		return run_scenario(argv[1], scenarios, nr);
	check(nr <= sizeof(tests) / sizeof(tests[0]));
	for (i = 0; i < nr; i++)
		tests[i] = (struct CMUnitTest){
			.name = scenarios[i].name,
			.test_func = scenario_passes,
			.initial_state = (void *)&scenarios[i],
		};
	return _cmocka_run_group_tests("libannot", tests, nr, NULL, NULL);
}

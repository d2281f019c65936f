// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/doctor/made_machine.c */
/* annot doctor: what any recording needs. */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_machine.h"

#define TRACING "/sys/kernel/tracing"
#define NOBODY 65534

static void mount_tracefs(const struct machine *machine)
{
	static const char *const files[] = {
		"tracing_on",
		"trace_clock",
		"buffer_size_kb",
		"events/enable",
		"events/sched/sched_switch/enable",
		"per_cpu/cpu0/trace_pipe_raw",
	};
	char path[PATH_MAX];

	made_file(machine, "/proc/self/mounts",
		  "sysfs /sys sysfs rw 0 0\ntracefs " TRACING " tracefs rw,relatime 0 0\n");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), TRACING "/%s", files[i]);
		made_file(machine, path, "");
	}
}

static void tracefs(void **state)
{
	struct machine *machine = *state;

	mount_tracefs(machine);
	expect(machine, CHECK_TRACEFS, SEVERITY_OK, "mounted on " TRACING, "");
	made_file(machine, "/sys/kernel/debug/tracing/tracing_on", "1\n");
	made_file(machine, "/proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\n");
	expect(machine, CHECK_TRACEFS, SEVERITY_OK, "/sys/kernel/debug/tracing", "");
	made_file(machine, "/proc/self/mounts", "tracefs " TRACING " tracefs ro 0 0\n");
	expect(machine, CHECK_TRACEFS, SEVERITY_PREVENTS, "read-only",
	       "sudo mount -o remount,rw " TRACING);
}

static void no_tracefs(void **state)
{
	struct machine *machine = *state;

	made_file(machine, "/proc/self/mounts", "sysfs /sys sysfs rw 0 0\n");
	made_file(machine, "/proc/filesystems", "nodev\tsysfs\nnodev\ttracefs\n");
	expect(machine, CHECK_TRACEFS, SEVERITY_PREVENTS, "not mounted",
	       "sudo mount -t tracefs nodev " TRACING);
	expect(machine, CHECK_ACCESS, SEVERITY_UNKNOWN, "not mounted", "");
	expect(machine, CHECK_TRACE_CLOCK, SEVERITY_UNKNOWN, "not mounted", "");
	/* Then annot record mounts it. */
	machine->euid = 0;
	expect(machine, CHECK_TRACEFS, SEVERITY_LIMITS, "not mounted", "sudo mount");
	made_file(machine, "/proc/filesystems", "nodev\tsysfs\n");
	expect(machine, CHECK_TRACEFS, SEVERITY_PREVENTS, "no tracefs", "CONFIG_FTRACE");
}

/* As a user whom modes keep out, which root is not. */
static void expect_refused(const struct machine *machine, const char *what, const char *cure)
{
	uid_t before = geteuid();

	if (!before)
		assert_int_equal(seteuid(NOBODY), 0);
	expect(machine, CHECK_ACCESS, SEVERITY_PREVENTS, what, cure);
	assert_int_equal(seteuid(before), 0);
}

static void access_rights(void **state)
{
	struct machine *machine = *state;
	char path[PATH_MAX];

	mount_tracefs(machine);
	expect(machine, CHECK_ACCESS, SEVERITY_OK, "somebody may trace", "");
	made_remove(machine, TRACING "/trace_clock");
	expect(machine, CHECK_ACCESS, SEVERITY_PREVENTS, "trace_clock: No such file",
	       "CONFIG_FTRACE");
	snprintf(path, sizeof(path), "%s" TRACING "/tracing_on", machine->root);
	assert_int_equal(chmod(path, 0), 0);
	expect_refused(machine, TRACING "/tracing_on: only root has access", "use sudo");
	machine->euid = 0;
	expect_refused(machine, "refused even to root", "another kernel");
}

/* Only root can give a directory away. */
static void access_of_group(void **state)
{
	struct machine *machine = *state;
	const struct group *group = getgrgid(NOBODY);
	char path[PATH_MAX], what[128], cure[128];

	if (geteuid() || !group)
		skip();
	mount_tracefs(machine);
	snprintf(path, sizeof(path), "%s" TRACING, machine->root);
	assert_int_equal(chown(path, 0, NOBODY), 0);
	assert_int_equal(chmod(path, 0750), 0);
	snprintf(what, sizeof(what), TRACING ": only root and the group '%s' may", group->gr_name);
	snprintf(cure, sizeof(cure), "sudo adduser somebody %s, and log in", group->gr_name);
	expect_refused(machine, what, cure);
}

static void trace_clock(void **state)
{
	struct machine *machine = *state;

	mount_tracefs(machine);
	made_file(machine, TRACING "/trace_clock", "[local] global mono mono_raw\n");
	expect(machine, CHECK_TRACE_CLOCK, SEVERITY_OK, "mono", "");
	made_file(machine, TRACING "/trace_clock", "local [mono]\n");
	expect(machine, CHECK_TRACE_CLOCK, SEVERITY_OK, "mono", "");
	made_file(machine, TRACING "/trace_clock", "[local] global mono_raw\n");
	expect(machine, CHECK_TRACE_CLOCK, SEVERITY_PREVENTS, "no trace clock mono",
	       "--clock local");
	made_remove(machine, TRACING "/trace_clock");
	expect(machine, CHECK_TRACE_CLOCK, SEVERITY_UNKNOWN, "only a user who may trace", "");
}

static void switches(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_SWITCHES, SEVERITY_UNKNOWN, "only a user who may trace", "");
	machine->switches = (struct switch_counts){ .tried = true, .error = ENOMEM };
	expect(machine, CHECK_SWITCHES, SEVERITY_UNKNOWN, strerror(ENOMEM), "");
	machine->switches =
		(struct switch_counts){ .tried = true, .made = 400, .off = 401, .on = 400 };
	expect(machine, CHECK_SWITCHES, SEVERITY_UNKNOWN, "none of 800 switches", "");
	machine->switches.with_idle = 12;
	expect(machine, CHECK_SWITCHES, SEVERITY_OK, "12 from or to idle", "");
	machine->switches.on = 300;
	expect(machine, CHECK_SWITCHES, SEVERITY_LIMITS,
	       "100 of 800 switches are missing, 100 onto a CPU", "6.12");
	machine->switches.off = 390;
	expect(machine, CHECK_SWITCHES, SEVERITY_LIMITS,
	       "110 of 800 switches are missing, 100 onto a CPU", "6.12");
}

static void counts_switches(void **state)
{
	static const char *const lines[] = {
		"# tracer: nop",
		"          <idle>-0       [001] d..2. 1.0: sched_switch: prev_comm=swapper/1 prev_pid=0 "
		"prev_prio=120 prev_state=R ==> next_comm=doctor-7 next_pid=8 next_prio=120",
		"        doctor-7-8       [001] d..2. 1.1: sched_switch: prev_comm=doctor-7 prev_pid=8 "
		"prev_prio=120 prev_state=S ==> next_comm=doctor-7 next_pid=9 next_prio=120",
		"        doctor-7-9       [001] d..2. 1.2: sched_switch: prev_comm=doctor-7 prev_pid=9 "
		"prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120",
		"            bash-5       [001] d..2. 1.3: sched_switch: prev_comm=bash prev_pid=5 "
		"prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120",
	};
	struct switch_counts counts = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		switch_counts_add_line(&counts, lines[i], "doctor-7");
	assert_int_equal(counts.off, 2);
	assert_int_equal(counts.on, 2);
	assert_int_equal(counts.with_idle, 2);
}

static void memory(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_MEMORY, SEVERITY_UNKNOWN, "no MemAvailable", "");
	made_file(machine, "/proc/meminfo", "MemTotal: 99999 kB\nMemAvailable:  80000 kB\n");
	expect(machine, CHECK_MEMORY, SEVERITY_OK, "take 16 MB; 78 MB are available", "");
	made_file(machine, "/proc/meminfo", "MemAvailable:  8000 kB\n");
	expect(machine, CHECK_MEMORY, SEVERITY_LIMITS, "7 MB are available",
	       "annot record -b 1000");
}

static void memory_of_cgroup(void **state)
{
	struct machine *machine = *state;

	made_file(machine, "/proc/meminfo", "MemAvailable:  80000 kB\n");
	made_file(machine, "/proc/self/cgroup", "0::/a/b\n");
	made_file(machine, "/sys/fs/cgroup/a/b/memory.max", "max\n");
	expect(machine, CHECK_MEMORY, SEVERITY_OK, "are available", "");
	/* That of one above counts as well. */
	made_file(machine, "/sys/fs/cgroup/a/memory.max", "8388608\n");
	expect(machine, CHECK_MEMORY, SEVERITY_LIMITS, "8 MB the cgroup may have",
	       "annot record -b 1024");
	made_file(machine, "/proc/self/cgroup", "4:memory:/x\n0::/a/b\n");
	expect(machine, CHECK_MEMORY, SEVERITY_OK, "are available", "");
	made_file(machine, "/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "4194304\n");
	expect(machine, CHECK_MEMORY, SEVERITY_LIMITS, "4 MB the cgroup may have",
	       "annot record -b 512");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, made_machine_setup, made_machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(tracefs),	       TEST(no_tracefs),       TEST(access_rights),
		TEST(access_of_group), TEST(trace_clock),      TEST(switches),
		TEST(memory),	       TEST(memory_of_cgroup), TEST(counts_switches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

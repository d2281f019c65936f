// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/doctor/made_machine.c */
/* annot doctor: the PMU, clocks, virtual machines and containers; and how it is printed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "doctor/print.h"
#include "record/log/machine_log.h"
#include "made_machine.h"

#define CLOCKS "/sys/devices/system/clocksource/clocksource0/"

static void perf(void **state)
{
	static const char path[] = "/proc/sys/kernel/perf_event_paranoid";
	struct machine *machine = *state;

	expect(machine, CHECK_PERF, SEVERITY_LIMITS, "no perf events", "CONFIG_PERF_EVENTS");
	made_file(machine, path, "3\n");
	made_file(machine, "/proc/self/status", "CapEff:\t0000000000000000\n");
	expect(machine, CHECK_PERF, SEVERITY_LIMITS, "CAP_PERFMON (perf_event_paranoid is 3)",
	       "kernel.perf_event_paranoid=0");
	made_file(machine, path, "-1\n");
	expect(machine, CHECK_PERF, SEVERITY_LIMITS, "perf_event_paranoid is -1",
	       "annot stat may count");
	made_file(machine, "/proc/self/status", "CapEff:\t0000004000000000\n");
	expect(machine, CHECK_PERF, SEVERITY_OK, "somebody may measure", "");
	made_file(machine, "/proc/self/status", "CapEff:\t0000000000200000\n");
	expect(machine, CHECK_PERF, SEVERITY_OK, "somebody may measure", "");
}

static void pmu(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_PMU, SEVERITY_OK, "cycles can be counted", "");
	machine->cycles_error = ENOENT;
	expect(machine, CHECK_PMU, SEVERITY_LIMITS, "no PMU here", "page_faults");
	machine->cycles_error = EOPNOTSUPP;
	expect(machine, CHECK_PMU, SEVERITY_LIMITS, "no PMU here", "page_faults");
	machine->cycles_error = EACCES;
	expect(machine, CHECK_PMU, SEVERITY_LIMITS, "no PMU here", "page_faults");
	made_file(machine, "/sys/bus/event_source/devices/software/type", "1\n");
	expect(machine, CHECK_PMU, SEVERITY_LIMITS, "no PMU here", "page_faults");
	made_file(machine, "/sys/bus/event_source/devices/cpu_core/type", "4\n");
	expect(machine, CHECK_PMU, SEVERITY_UNKNOWN, "the PMU cpu_core is there", "");
	machine->cycles_error = 0;
	expect(machine, CHECK_PMU, SEVERITY_OK, "the PMU is cpu_core", "");
	machine->cycles_error = EMFILE;
	expect(machine, CHECK_PMU, SEVERITY_UNKNOWN, strerror(EMFILE), "");
}

static void watchdog(void **state)
{
	static const char path[] = "/proc/sys/kernel/nmi_watchdog";
	struct machine *machine = *state;

	expect(machine, CHECK_WATCHDOG, SEVERITY_OK, "holds no counter", "");
	made_file(machine, path, "0\n");
	expect(machine, CHECK_WATCHDOG, SEVERITY_OK, "holds no counter", "");
	made_file(machine, path, "1\n");
	expect(machine, CHECK_WATCHDOG, SEVERITY_LIMITS, "holds one counter",
	       "sudo sysctl kernel.nmi_watchdog=0");
	machine->cycles_error = ENOENT;
	expect(machine, CHECK_WATCHDOG, SEVERITY_OK, "holds no counter", "");
}

static void virtual_machine(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_VIRTUAL, SEVERITY_UNKNOWN, "cannot determine", "");
	made_file(machine, "/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc hypervisors\n");
	expect(machine, CHECK_VIRTUAL, SEVERITY_OK, "not a virtual machine", "");
	made_file(machine, "/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor tsc\n");
	expect(machine, CHECK_VIRTUAL, SEVERITY_LIMITS, "a virtual machine: ", "/proc/stat");
	made_file(machine, "/proc/cpuinfo", "Features\t: fp asimd\n");
	made_file(machine, "/sys/class/dmi/id/sys_vendor", "LENOVO\n");
	expect(machine, CHECK_VIRTUAL, SEVERITY_OK, "not a virtual machine", "");
	made_file(machine, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
	expect(machine, CHECK_VIRTUAL, SEVERITY_LIMITS, "(QEMU)", "record on the host");
	made_file(machine, "/sys/hypervisor/type", "xen\n");
	expect(machine, CHECK_VIRTUAL, SEVERITY_LIMITS, "(xen)", "record on the host");
}

/* What a recording tells of that. */
static void virtual_recording(void **state)
{
	struct machine *machine = *state;
	char line[128];

	made_file(machine, "/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu tsc\n");
	assert_false(machine_log_format(line, sizeof(line), machine));
	made_file(machine, "/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor tsc\n");
	assert_true(machine_log_format(line, sizeof(line), machine));
	assert_string_equal(line, "annot|machine|virtual|");
	made_file(machine, "/sys/class/dmi/id/sys_vendor", "QEMU\n");
	assert_true(machine_log_format(line, sizeof(line), machine));
	assert_string_equal(line, "annot|machine|virtual|QEMU");
}

static void clocksource(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_CLOCKSOURCE, SEVERITY_UNKNOWN, "no current_clocksource", "");
	made_file(machine, CLOCKS "current_clocksource", "arch_sys_counter\n");
	made_file(machine, "/proc/cpuinfo", "Features\t: fp asimd\n");
	expect(machine, CHECK_CLOCKSOURCE, SEVERITY_OK, "clock is arch_sys_counter", "");
	made_file(machine, "/proc/cpuinfo", "flags\t\t: fpu tsc\n");
	made_file(machine, CLOCKS "current_clocksource", "tsc\n");
	expect(machine, CHECK_CLOCKSOURCE, SEVERITY_OK, "clock is tsc", "");
	made_file(machine, CLOCKS "current_clocksource", "kvm-clock\n");
	made_file(machine, CLOCKS "available_clocksource", "kvm-clock tsc acpi_pm \n");
	expect(machine, CHECK_CLOCKSOURCE, SEVERITY_LIMITS, "clock is kvm-clock, not the TSC",
	       "clocksource=tsc");
	made_file(machine, CLOCKS "current_clocksource", "hpet\n");
	made_file(machine, CLOCKS "available_clocksource", "hpet acpi_pm \n");
	expect(machine, CHECK_CLOCKSOURCE, SEVERITY_LIMITS, "the TSC is unstable", "tsc=reliable");
}

static void container(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_CONTAINER, SEVERITY_UNKNOWN, "there is no", "");
	made_link(machine, "/proc/self/ns/pid", "pid:[4026531836]");
	expect(machine, CHECK_CONTAINER, SEVERITY_OK, "not in a PID namespace", "");
	made_link(machine, "/proc/self/ns/pid", "pid:[4026532181]");
	expect(machine, CHECK_CONTAINER, SEVERITY_LIMITS, "a PID namespace", "--pid=host");
}

static void seccomp(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_SECCOMP, SEVERITY_UNKNOWN, "no Seccomp", "");
	made_file(machine, "/proc/self/status", "Seccomp:\t0\nSeccomp_filters:\t0\n");
	expect(machine, CHECK_SECCOMP, SEVERITY_OK, "not filtered", "");
	made_file(machine, "/proc/self/status", "Seccomp:\t2\nSeccomp_filters:\t1\n");
	expect(machine, CHECK_SECCOMP, SEVERITY_LIMITS, "are filtered", "seccomp=unconfined");
}

static void sysfs(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_SYSFS, SEVERITY_LIMITS, "not mounted", "sudo mount -t sysfs");
	made_file(machine, "/proc/self/mounts", "sysfs /sys sysfs rw,nosuid 0 0\n");
	expect(machine, CHECK_SYSFS, SEVERITY_OK, "writable", "");
	made_file(machine, "/proc/self/mounts",
		  "sysfs /sys sysfs rw 0 0\nsysfs /sys sysfs ro,nosuid 0 0\n");
	expect(machine, CHECK_SYSFS, SEVERITY_LIMITS, "read-only", "--privileged");
}

static char *printed(void (*print)(FILE *out, const struct verdict *verdicts))
{
	struct verdict verdicts[NR_CHECKS] = { 0 };
	char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (int i = 0; i < NR_CHECKS; i++)
		verdict_say(&verdicts[i], SEVERITY_OK, "well");
	verdict_say(&verdicts[CHECK_PMU], SEVERITY_LIMITS, "a \"PMU\" is lacking");
	verdict_cure(&verdicts[CHECK_PMU], "take %s", "one");
	print(out, verdicts);
	fclose(out);
	return text;
}

static void prints_text(void **state)
{
	char *text = printed(doctor_print_text);

	(void)state;
	assert_non_null(strstr(text, "perf        ok       well\n"
				     "pmu         limits   a \"PMU\" is lacking\n"
				     "            cure     take one\n"
				     "watchdog    ok       well\n"));
	free(text);
}

static void prints_json(void **state)
{
	char *text = printed(doctor_print_json);

	(void)state;
	assert_non_null(strstr(text, "\"version\": 1"));
	assert_non_null(strstr(text, "\"check\": \"pmu\",\n\t\t\t\"severity\": \"limits\",\n"
				     "\t\t\t\"what\": \"a \\\"PMU\\\" is lacking\",\n"
				     "\t\t\t\"cure\": \"take one\""));
	assert_non_null(strstr(text, "\"cure\": null"));
	free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, made_machine_setup, made_machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(perf),
		TEST(pmu),
		TEST(watchdog),
		TEST(virtual_machine),
		TEST(virtual_recording),
		TEST(clocksource),
		TEST(container),
		TEST(seccomp),
		TEST(sysfs),
		TEST(prints_text),
		TEST(prints_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/doctor/made_machine.c */
/* annot doctor: annot.ko, and what it needs. */
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

#define MODULES "/lib/modules/6.1.0-42"
#define SECURE_BOOT "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SIGNATURE "~Module signature appended~\n"
#define NOBODY 65534

static void load_module(const struct machine *machine)
{
	made_file(machine, "/proc/modules", "annot 65536 0 - Live 0x0\n");
	made_file(machine, "/sys/module/annot/initstate", "live\n");
}

static void install_module(const struct machine *machine, const char *name, const char *text)
{
	char line[128];

	made_file(machine, "/proc/modules", "");
	snprintf(line, sizeof(line), "kernel/fs/ext4.ko: kernel/lib/crc.ko\nupdates/dkms/%s:\n",
		 name);
	made_file(machine, MODULES "/modules.dep", line);
	snprintf(line, sizeof(line), MODULES "/updates/dkms/%s", name);
	made_file(machine, line, text);
}

static void module(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "cannot load modules", "CONFIG_MODULES");
	made_file(machine, "/proc/modules", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not installed for 6.1.0-42",
	       "sudo apt install dkms linux-headers-6.1.0-42");
	made_file(machine, MODULES "/build/Makefile", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not installed", "sudo dkms install annot/");
	install_module(machine, "annot.ko.xz", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not loaded", "sudo modprobe annot");
	made_file(machine, "/proc/sys/kernel/modules_disabled", "1\n");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "modules_disabled is 1", "reboot");
	load_module(machine);
	expect(machine, CHECK_MODULE, SEVERITY_OK, "is loaded", "");
}

static void other_modules(void **state)
{
	struct machine *machine = *state;

	install_module(machine, "annotate.ko", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not installed", "apt");
	install_module(machine, "my-annot.ko", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not installed", "apt");
	install_module(machine, "annot.kobold", "");
	expect(machine, CHECK_MODULE, SEVERITY_LIMITS, "not installed", "apt");
}

static void signing(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_SIGNING, SEVERITY_OK, "annot.ko is not installed", "");
	install_module(machine, "annot.ko", "\177ELF, and much more than a signature's mark");
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "need not be signed", "");
	made_file(machine, "/sys/module/module/parameters/sig_enforce", "N\n");
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "need not be signed", "");
	made_file(machine, "/sys/module/module/parameters/sig_enforce", "Y\n");
	expect(machine, CHECK_SIGNING, SEVERITY_LIMITS, "is unsigned, and must not be", "mokutil");
	install_module(machine, "annot.ko", "\177ELF" SIGNATURE);
	expect(machine, CHECK_SIGNING, SEVERITY_UNKNOWN, "is signed", "mokutil");
	install_module(machine, "annot.ko.zst", "compressed");
	expect(machine, CHECK_SIGNING, SEVERITY_LIMITS, "must be signed; ", "mokutil");
	load_module(machine);
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "was accepted", "");
}

static void secure_boot(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_SIGNING, SEVERITY_OK, "secure boot: unknown", "");
	made_bytes(machine, SECURE_BOOT, "\6\0\0\0\1", 5);
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "secure boot: on", "");
	made_bytes(machine, SECURE_BOOT, "\6\0\0\0\0", 5);
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "secure boot: off", "");
	made_bytes(machine, SECURE_BOOT, "\6\0\0\0", 4);
	expect(machine, CHECK_SIGNING, SEVERITY_OK, "secure boot: unknown", "");
}

static void lockdown(void **state)
{
	static const char path[] = "/sys/kernel/security/lockdown";
	struct machine *machine = *state;

	expect(machine, CHECK_LOCKDOWN, SEVERITY_UNKNOWN, "securityfs", "sudo mount -t securityfs");
	made_file(machine, "/sys/kernel/security/lsm", "capability");
	expect(machine, CHECK_LOCKDOWN, SEVERITY_OK, "no lockdown", "");
	made_file(machine, path, "[none] integrity confidentiality\n");
	expect(machine, CHECK_LOCKDOWN, SEVERITY_OK, "not locked down", "");
	made_file(machine, path, "none integrity [confidentiality]\n");
	expect(machine, CHECK_LOCKDOWN, SEVERITY_PREVENTS, "nothing may be traced", "boot without");
	made_file(machine, path, "none [integrity] confidentiality\n");
	expect(machine, CHECK_LOCKDOWN, SEVERITY_LIMITS, "must be signed", "mokutil");
	load_module(machine);
	expect(machine, CHECK_LOCKDOWN, SEVERITY_OK, "integrity", "");
	made_file(machine, path, "[new]\n");
	expect(machine, CHECK_LOCKDOWN, SEVERITY_UNKNOWN, "[new]", "");
}

/* As a user whom modes keep out, which root is not. */
static void expect_closed(const struct machine *machine, const char *cure)
{
	uid_t before = geteuid();

	if (!before)
		assert_int_equal(seteuid(NOBODY), 0);
	expect(machine, CHECK_DEVICES, SEVERITY_LIMITS, "/dev/annot/cpu0: only root and the group",
	       cure);
	assert_int_equal(seteuid(before), 0);
}

static void devices(void **state)
{
	struct machine *machine = *state;
	char path[PATH_MAX];
	struct stat device;

	expect(machine, CHECK_DEVICES, SEVERITY_LIMITS, "/dev/annot/ctl comes with annot.ko",
	       "see 'module'");
	load_module(machine);
	made_file(machine, "/dev/annot/ctl", "");
	expect(machine, CHECK_DEVICES, SEVERITY_LIMITS, "/dev/annot/cpu0 is missing", "udevadm");
	made_file(machine, "/dev/annot/cpu0", "");
	expect(machine, CHECK_DEVICES, SEVERITY_OK, "somebody may annotate", "");
	snprintf(path, sizeof(path), "%s/dev/annot/ctl", machine->root);
	assert_int_equal(chmod(path, 0666), 0);
	snprintf(path, sizeof(path), "%s/dev/annot/cpu0", machine->root);
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(stat(path, &device), 0);
	expect_closed(machine, device.st_gid ? "sudo adduser somebody " : "sudo systemd-sysusers");
	if (chown(path, (uid_t)-1, NOBODY))
		return;
	expect_closed(machine, "sudo adduser somebody ");
	machine->groups[machine->nr_groups++] = NOBODY;
	expect_closed(machine, "sudo chmod g+rw /dev/annot/cpu0");
}

static void memlock(void **state)
{
	struct machine *machine = *state;

	expect(machine, CHECK_MEMLOCK, SEVERITY_OK, "48 kB of a limit of 8192 kB", "");
	machine->memlock_bytes = 40960;
	expect(machine, CHECK_MEMLOCK, SEVERITY_LIMITS, "take 48 kB; the limit is 40 kB",
	       "sudo prlimit --pid $$ --memlock=49152");
	made_file(machine, "/proc/self/status", "Name:\tx\nCapEff:\t0000000000004000\n");
	expect(machine, CHECK_MEMLOCK, SEVERITY_OK, "CAP_IPC_LOCK", "");
	machine->memlock_bytes = UINT64_MAX;
	made_remove(machine, "/proc/self/status");
	expect(machine, CHECK_MEMLOCK, SEVERITY_OK, "no limit", "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, made_machine_setup, made_machine_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(module),	TEST(other_modules), TEST(signing), TEST(secure_boot),
		TEST(lockdown), TEST(devices),	     TEST(memlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

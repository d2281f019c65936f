// SPDX-License-Identifier: GPL-2.0
/*
 * annot.ko: loaded, built for this kernel, loadable, and what the kernel asks of its signature.
 */
#include "doctor/check_module.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

#define MODULE_PATH_BYTES 512

/* The end of a module that is signed: include/linux/module_signature.h. */
#define SIGNATURE_MARK "~Module signature appended~\n"

static void modules_path(const struct machine *machine, const char *file, char *path, size_t size)
{
	int length = snprintf(path, size, PATH_FORMAT_MODULES, machine->release);

	if (length > 0 && (size_t)length < size)
		snprintf(path + length, size - (size_t)length, "/%s", file);
}

/* The module's file, below the directory of this kernel's modules, as depmod knows it. */
static bool find_built(const struct machine *machine, char *file, size_t size)
{
	char path[MODULE_PATH_BYTES], full[PATH_MAX];
	FILE *list;
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	modules_path(machine, "modules.dep", path, sizeof(path));
	list = fopen(machine_file_path(machine, path, full), "re");
	while (list && !found && getline(&line, &room, list) >= 0) {
		const char *name;

		line[strcspn(line, ":\n")] = '\0';
		name = strrchr(line, '/');
		name = name ? name + 1 : line;
		/* It may be compressed: annot.ko.xz. */
		found = !strncmp(name, "annot.ko", 8) && (!name[8] || name[8] == '.');
		snprintf(file, size, "%s", line);
	}
	free(line);
	if (list)
		fclose(list);
	return found;
}

static bool has_modules(const struct machine *machine)
{
	return machine_file_exists(machine, PATH_MODULES);
}

static void cure_unbuilt(const struct machine *machine, struct verdict *verdict)
{
	char headers[MODULE_PATH_BYTES];

	modules_path(machine, "build", headers, sizeof(headers));
	if (machine_file_exists(machine, headers))
		verdict_cure(verdict,
			     "sudo dkms install annot/" ANNOT_VERSION " && sudo modprobe annot");
	else
		verdict_cure(verdict, "sudo apt install dkms linux-headers-%s", machine->release);
}

void doctor_check_module(const struct machine *machine, struct verdict *verdict)
{
	char file[MODULE_PATH_BYTES];
	long long disabled = 0;

	machine_file_number(machine, PATH_MODULES_DISABLED, &disabled);
	if (machine_has_module(machine)) {
		verdict_say(verdict, SEVERITY_OK, "annot.ko is loaded");
	} else if (!has_modules(machine)) {
		verdict_say(verdict, SEVERITY_LIMITS, "this kernel cannot load modules");
		verdict_cure(verdict, "boot a kernel with CONFIG_MODULES, as Debian's have it");
	} else if (disabled) {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "kernel.modules_disabled is 1: no module can be loaded");
		verdict_cure(verdict, "do not set kernel.modules_disabled, and reboot");
	} else if (find_built(machine, file, sizeof(file))) {
		verdict_say(verdict, SEVERITY_LIMITS, "annot.ko is installed, but not loaded");
		verdict_cure(verdict, "sudo modprobe annot");
	} else {
		verdict_say(verdict, SEVERITY_LIMITS, "annot.ko is not installed for %s",
			    machine->release);
		cure_unbuilt(machine, verdict);
	}
}

/* 1: yes; 0: no; -1: unknown. */
static int is_signed(const struct machine *machine)
{
	char file[MODULE_PATH_BYTES], path[2 * MODULE_PATH_BYTES], full[PATH_MAX];
	char mark[sizeof(SIGNATURE_MARK)] = "";
	size_t length;
	int fd, is = -1;

	if (!find_built(machine, file, sizeof(file)))
		return -1;
	length = strlen(file);
	/* A compressed module has its signature inside. */
	if (strcmp(file + length - 3, ".ko"))
		return -1;
	modules_path(machine, file, path, sizeof(path));
	fd = open(machine_file_path(machine, path, full), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (lseek(fd, 1 - (off_t)sizeof(mark), SEEK_END) >= 0 &&
	    read(fd, mark, sizeof(mark) - 1) == sizeof(mark) - 1)
		is = !strcmp(mark, SIGNATURE_MARK);
	close(fd);
	return is;
}

/* Four bytes of attributes stand before the variable's one. */
static const char *secure_boot(const struct machine *machine)
{
	char full[PATH_MAX];
	unsigned char bytes[5];
	int fd = open(machine_file_path(machine, PATH_SECURE_BOOT, full), O_RDONLY | O_CLOEXEC);
	bool is_read = fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes);

	if (fd >= 0)
		close(fd);
	if (!is_read)
		return "unknown";
	return bytes[4] ? "on" : "off";
}

static void cure_unsigned(struct verdict *verdict)
{
	verdict_cure(verdict, "sudo mokutil --import /var/lib/dkms/mok.pub, and reboot");
}

void doctor_check_signing(const struct machine *machine, struct verdict *verdict)
{
	const char *boot = secure_boot(machine);
	char enforced[8];

	if (machine_has_module(machine)) {
		verdict_say(verdict, SEVERITY_OK, "annot.ko was accepted; secure boot: %s", boot);
	} else if (!has_modules(machine)) {
		verdict_say(verdict, SEVERITY_OK, "annot.ko is not installed; secure boot: %s",
			    boot);
	} else if (!machine_file_line(machine, PATH_SIGNATURES_ENFORCED, enforced,
				      sizeof(enforced)) ||
		   *enforced == 'N') {
		verdict_say(verdict, SEVERITY_OK, "modules need not be signed; secure boot: %s",
			    boot);
	} else if (is_signed(machine) == 1) {
		verdict_say(verdict, SEVERITY_UNKNOWN,
			    "annot.ko is signed; by a known key? secure boot: %s", boot);
		cure_unsigned(verdict);
	} else {
		verdict_say(verdict, SEVERITY_LIMITS, "%s; secure boot: %s",
			    is_signed(machine) ? "modules must be signed" :
						 "annot.ko is unsigned, and must not be",
			    boot);
		cure_unsigned(verdict);
	}
}

static void say_locked(const struct machine *machine, const char *state, struct verdict *verdict)
{
	if (strstr(state, "[none]")) {
		verdict_say(verdict, SEVERITY_OK, "the kernel is not locked down");
	} else if (strstr(state, "[integrity]")) {
		verdict_say(verdict, machine_has_module(machine) ? SEVERITY_OK : SEVERITY_LIMITS,
			    "lockdown is 'integrity': modules must be signed");
		if (!machine_has_module(machine))
			cure_unsigned(verdict);
	} else if (strstr(state, "[confidentiality]")) {
		verdict_say(verdict, SEVERITY_PREVENTS,
			    "lockdown is 'confidentiality': nothing may be traced");
		verdict_cure(verdict, "boot without lockdown=confidentiality");
	} else {
		verdict_say(verdict, SEVERITY_UNKNOWN, "lockdown is '%s'", state);
	}
}

void doctor_check_lockdown(const struct machine *machine, struct verdict *verdict)
{
	char state[64];

	if (machine_file_line(machine, PATH_LOCKDOWN, state, sizeof(state))) {
		say_locked(machine, state, verdict);
	} else if (machine_file_exists(machine, PATH_SECURITY_MODULES)) {
		verdict_say(verdict, SEVERITY_OK, "this kernel has no lockdown");
	} else {
		verdict_say(verdict, SEVERITY_UNKNOWN, "securityfs is not mounted");
		verdict_cure(verdict, "sudo mount -t securityfs nodev /sys/kernel/security");
	}
}

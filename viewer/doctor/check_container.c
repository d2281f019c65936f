// SPDX-License-Identifier: GPL-2.0
/*
 * What a container keeps from its programs.
 */
#include "doctor/check_container.h"

#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

/* PROC_PID_INIT_INO in include/linux/proc_ns.h: the kernel's first PID namespace. */
#define FIRST_PID_NAMESPACE "pid:[4026531836]"

void doctor_check_container(const struct machine *machine, struct verdict *verdict)
{
	char full[PATH_MAX], namespace[64] = "";

	if (readlink(machine_file_path(machine, PATH_PID_NAMESPACE, full), namespace,
		     sizeof(namespace) - 1) < 0) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "there is no %s", PATH_PID_NAMESPACE);
	} else if (!strcmp(namespace, FIRST_PID_NAMESPACE)) {
		verdict_say(verdict, SEVERITY_OK, "not in a PID namespace");
	} else {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "a PID namespace: the trace has other thread numbers");
		verdict_cure(verdict, "record outside, or (docker, podman) run with --pid=host");
	}
}

void doctor_check_seccomp(const struct machine *machine, struct verdict *verdict)
{
	char mode[16];

	if (!machine_file_value(machine, PATH_STATUS, "Seccomp:", mode, sizeof(mode))) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "there is no Seccomp in %s", PATH_STATUS);
	} else if (!atoi(mode)) {
		verdict_say(verdict, SEVERITY_OK, "system calls are not filtered");
	} else {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "system calls are filtered (seccomp): some may fail");
		verdict_cure(verdict, "docker, podman: run with --security-opt seccomp=unconfined");
	}
}

/* The mount that hides those before it. -1: there is none. */
static int is_read_only(const struct machine *machine, const char *directory)
{
	char full[PATH_MAX];
	FILE *mounts = setmntent(machine_file_path(machine, PATH_MOUNTS, full), "re");
	const struct mntent *mount;
	int read_only = -1;

	while (mounts && (mount = getmntent(mounts))) {
		if (!strcmp(mount->mnt_dir, directory))
			read_only = hasmntopt(mount, "ro") != NULL;
	}
	if (mounts)
		endmntent(mounts);
	return read_only;
}

void doctor_check_sysfs(const struct machine *machine, struct verdict *verdict)
{
	switch (is_read_only(machine, "/sys")) {
	case 0:
		verdict_say(verdict, SEVERITY_OK, "/sys is writable");
		break;
	case 1:
		verdict_say(verdict, SEVERITY_LIMITS, "/sys is mounted read-only");
		verdict_cure(verdict, "docker, podman: run with --privileged");
		break;
	default:
		verdict_say(verdict, SEVERITY_LIMITS, "/sys is not mounted");
		verdict_cure(verdict, "sudo mount -t sysfs nodev /sys");
	}
}

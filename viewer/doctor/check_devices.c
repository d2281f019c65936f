// SPDX-License-Identifier: GPL-2.0
/*
 * The module's devices, and what users of them may lock in memory.
 */
#include "doctor/check_devices.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

/* Of one process: a ring on each CPU, the process's own, and names. */
#define PAGES_PER_RING 2
#define PAGES_BESIDES 4

#define DEVICES_GROUP "annot"

static void group_name(gid_t gid, char *name, size_t size)
{
	const struct group *group = getgrgid(gid);

	if (group)
		snprintf(name, size, "%s", group->gr_name);
	else
		snprintf(name, size, "%u", gid);
}

static void say_missing(const struct machine *machine, const char *path, struct verdict *verdict)
{
	if (!machine_has_module(machine)) {
		verdict_say(verdict, SEVERITY_LIMITS, "%s comes with annot.ko only", path);
		verdict_cure(verdict, "load annot.ko: see 'module'");
	} else {
		verdict_say(verdict, SEVERITY_LIMITS, "%s is missing, though annot.ko is loaded",
			    path);
		verdict_cure(verdict, "sudo udevadm trigger -s annot, or --device for a container");
	}
}

static void say_closed(const struct machine *machine, const char *path, const struct stat *device,
		       struct verdict *verdict)
{
	char group[64];

	group_name(device->st_gid, group, sizeof(group));
	verdict_say(verdict, SEVERITY_LIMITS, "%s: only root and the group '%s' may", path, group);
	if (!device->st_gid)
		verdict_cure(verdict, "sudo systemd-sysusers && sudo udevadm trigger -s annot");
	else if (machine_in_group(machine, device->st_gid))
		verdict_cure(verdict, "sudo chmod g+rw %s", path);
	else
		verdict_cure(verdict, "sudo adduser %s %s, and log in again", machine->user, group);
}

/* True: @path is there, and may be read and written. */
static bool device_is_open(const struct machine *machine, const char *path, struct stat *device,
			   struct verdict *verdict)
{
	char full[PATH_MAX];

	machine_file_path(machine, path, full);
	if (stat(full, device)) {
		say_missing(machine, path, verdict);
		return false;
	}
	if (!faccessat(AT_FDCWD, full, R_OK | W_OK, AT_EACCESS))
		return true;
	say_closed(machine, path, device, verdict);
	return false;
}

void doctor_check_devices(const struct machine *machine, struct verdict *verdict)
{
	struct stat device;
	char group[64];

	if (!device_is_open(machine, PATH_CTL_DEVICE, &device, verdict) ||
	    !device_is_open(machine, PATH_CPU_DEVICE, &device, verdict))
		return;
	group_name(device.st_gid, group, sizeof(group));
	verdict_say(verdict, SEVERITY_OK, "%s may annotate; the group is '%s'%s", machine->user,
		    group, strcmp(group, DEVICES_GROUP) ? ", not '" DEVICES_GROUP "'" : "");
}

void doctor_check_memlock(const struct machine *machine, struct verdict *verdict)
{
	uint64_t pages = (uint64_t)machine->nr_cpus * PAGES_PER_RING + PAGES_BESIDES;
	uint64_t needed_kb = pages * (uint64_t)machine->page_bytes / 1024;

	if (machine_capable(machine, CAP_IPC_LOCK))
		verdict_say(verdict, SEVERITY_OK, "no limit for rings (CAP_IPC_LOCK)");
	else if (machine->memlock_bytes == UINT64_MAX)
		verdict_say(verdict, SEVERITY_OK, "no limit for rings");
	else if (machine->memlock_bytes / 1024 >= needed_kb)
		verdict_say(verdict, SEVERITY_OK,
			    "%" PRIu64 " kB of a limit of %" PRIu64 " kB for a process's rings",
			    needed_kb, machine->memlock_bytes / 1024);
	else
		verdict_say(verdict, SEVERITY_LIMITS,
			    "the rings of a process take %" PRIu64 " kB; the limit is %" PRIu64
			    " kB",
			    needed_kb, machine->memlock_bytes / 1024);
	if (verdict->severity == SEVERITY_LIMITS)
		verdict_cure(verdict, "sudo prlimit --pid $$ --memlock=%" PRIu64, needed_kb * 1024);
}

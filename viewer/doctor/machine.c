// SPDX-License-Identifier: GPL-2.0
#include "doctor/machine.h"

#include <mntent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"
#include "pmu/refusal.h"

static void read_user(struct machine *machine)
{
	static char digits[16];
	const struct passwd *user;
	int nr;

	machine->euid = geteuid();
	user = getpwuid(machine->euid);
	snprintf(digits, sizeof(digits), "%u", machine->euid);
	machine->user = user ? user->pw_name : digits;
	machine->groups[0] = getegid();
	nr = getgroups(MACHINE_MAX_GROUPS - 1, machine->groups + 1);
	machine->nr_groups = 1 + (size_t)(nr > 0 ? nr : 0);
}

static uint64_t memlock_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

void machine_read(struct machine *machine)
{
	static struct utsname kernel;

	uname(&kernel);
	*machine = (struct machine){
		.root = "",
		.release = kernel.release,
		.nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF),
		.cycles_error = pmu_refusal_try_cycles(),
		.memlock_bytes = memlock_limit(),
		.page_bytes = sysconf(_SC_PAGESIZE),
	};
	read_user(machine);
}

bool machine_capable(const struct machine *machine, int number)
{
	char set[32];

	return machine_file_value(machine, PATH_STATUS, "CapEff:", set, sizeof(set)) &&
	       strtoull(set, NULL, 16) >> number & 1;
}

bool machine_in_group(const struct machine *machine, gid_t gid)
{
	for (size_t i = 0; i < machine->nr_groups; i++) {
		if (machine->groups[i] == gid)
			return true;
	}
	return false;
}

bool machine_is_x86(const struct machine *machine)
{
	char flags[8];

	/* Others call them Features, or isa. */
	return machine_file_value(machine, PATH_CPUINFO, "flags", flags, sizeof(flags));
}

bool machine_has_module(const struct machine *machine)
{
	return machine_file_exists(machine, PATH_MODULE_LOADED);
}

static FILE *open_mounts(const struct machine *machine)
{
	char path[PATH_MAX];

	return setmntent(machine_file_path(machine, PATH_MOUNTS, path), "re");
}

static bool find_mount(const struct machine *machine, const char *type, const char *below,
		       char *path, bool *read_only)
{
	FILE *mounts = open_mounts(machine);
	const struct mntent *mount;
	bool found = false;

	while (mounts && !found && (mount = getmntent(mounts))) {
		if (strcmp(mount->mnt_type, type))
			continue;
		snprintf(path, PATH_MAX, "%s%s", mount->mnt_dir, below);
		found = machine_file_exists(machine, path);
		if (found && read_only)
			*read_only = hasmntopt(mount, "ro") != NULL;
	}
	if (mounts)
		endmntent(mounts);
	return found;
}

bool machine_tracing_dir(const struct machine *machine, char *path, bool *read_only)
{
	return find_mount(machine, "tracefs", "", path, read_only) ||
	       find_mount(machine, "debugfs", "/tracing", path, read_only);
}

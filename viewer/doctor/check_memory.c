// SPDX-License-Identifier: GPL-2.0
/* Memory for the kernel's buffers: the free memory, and the limits of a container. */
#include "doctor/check_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

#define CGROUP_PATH_BYTES 2048

/* A limit's file in the cgroup @group; what is no number ("max") is no limit. */
static uint64_t limit_of(const struct machine *machine, const char *hierarchy, const char *group,
			 const char *file)
{
	char path[CGROUP_PATH_BYTES + 256];
	long long bytes = -1;

	snprintf(path, sizeof(path), PATH_CGROUPS "%s%s/%s", hierarchy, group, file);
	machine_file_number(machine, path, &bytes);
	return bytes < 0 ? UINT64_MAX : (uint64_t)bytes;
}

/* The least limit of @group and all above it. Changes @group. */
static uint64_t least_limit(const struct machine *machine, const char *hierarchy, char *group,
			    const char *file)
{
	uint64_t least = limit_of(machine, hierarchy, "", file);
	char *end;

	while ((end = strrchr(group, '/'))) {
		uint64_t limit = limit_of(machine, hierarchy, group, file);

		if (limit < least)
			least = limit;
		*end = '\0';
	}
	return least;
}

/* Of cgroup v2 or, where memory is controlled by v1, of that. */
static uint64_t cgroup_limit_bytes(const struct machine *machine)
{
	char line[CGROUP_PATH_BYTES], group[CGROUP_PATH_BYTES] = "";
	char full[PATH_MAX];
	FILE *file = fopen(machine_file_path(machine, PATH_CGROUP, full), "re");
	bool is_v1 = false;

	while (file && !is_v1 && fgets(line, sizeof(line), file)) {
		char *controllers = strchr(line, ':');
		char *path = controllers ? strchr(controllers + 1, ':') : NULL;

		if (!path)
			continue;
		*path++ = '\0';
		path[strcspn(path, "\n")] = '\0';
		is_v1 = !strcmp(controllers + 1, "memory");
		if (is_v1 || !controllers[1])
			snprintf(group, sizeof(group), "%s", path);
	}
	if (file)
		fclose(file);
	return is_v1 ? least_limit(machine, "/memory", group, "memory.limit_in_bytes") :
		       least_limit(machine, "", group, "memory.max");
}

/* False: unknown. */
static bool free_kb(const struct machine *machine, uint64_t *kb, const char **where)
{
	uint64_t limit_kb = cgroup_limit_bytes(machine) / 1024;
	char value[64];

	if (!machine_file_value(machine, PATH_MEMINFO, "MemAvailable:", value, sizeof(value)))
		return false;
	*kb = strtoull(value, NULL, 10);
	*where = "are available";
	if (limit_kb < *kb) {
		*kb = limit_kb;
		*where = "the cgroup may have";
	}
	return true;
}

void doctor_check_memory(const struct machine *machine, struct verdict *verdict)
{
	uint64_t needed_kb = (uint64_t)machine->buffer_kb * (uint64_t)machine->nr_cpus;
	uint64_t kb, fitting_kb;
	const char *where;

	if (!free_kb(machine, &kb, &where)) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "there is no MemAvailable in %s",
			    PATH_MEMINFO);
		return;
	}
	verdict_say(verdict, needed_kb > kb ? SEVERITY_LIMITS : SEVERITY_OK,
		    "buffers take %" PRIu64 " MB; %" PRIu64 " MB %s", needed_kb / 1024, kb / 1024,
		    where);
	if (needed_kb <= kb)
		return;
	/* Half of it: others want some, too. */
	fitting_kb = kb / 2 / (uint64_t)machine->nr_cpus;
	verdict_cure(verdict, "annot record -b %" PRIu64, fitting_kb ? fitting_kb : 1);
}

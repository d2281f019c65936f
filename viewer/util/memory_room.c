// SPDX-License-Identifier: GPL-2.0
#include "util/memory_room.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CGROUP_FOLDER "/sys/fs/cgroup"

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The number behind @key, which begins a line of @path; UINT64_MAX: there is none. */
static uint64_t read_number(const char *path, const char *key)
{
	uint64_t number = UINT64_MAX;
	FILE *file = fopen(path, "re");
	char line[256];

	while (file && number == UINT64_MAX && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, key, strlen(key)) &&
		    sscanf(line + strlen(key), "%" SCNu64, &number) != 1)
			number = UINT64_MAX;
	}
	if (file)
		fclose(file);
	return number;
}

static uint64_t room_of_machine(void)
{
	uint64_t kib = read_number("/proc/meminfo", "MemAvailable:");

	return kib == UINT64_MAX ? kib : kib << 10;
}

/* What a group has in files, the kernel can write and drop. */
static uint64_t room_of_group(const char *folder)
{
	char path[PATH_MAX + 64];
	uint64_t most, used;

	snprintf(path, sizeof(path), "%s/memory.max", folder);
	most = read_number(path, "");
	snprintf(path, sizeof(path), "%s/memory.stat", folder);
	used = read_number(path, "anon ");
	if (most == UINT64_MAX || used == UINT64_MAX)
		return UINT64_MAX;
	return most > used ? most - used : 0;
}

/* Of the process's group, and of those around it. */
static uint64_t room_of_groups(void)
{
	char line[PATH_MAX] = "", folder[PATH_MAX + 32];
	FILE *file = fopen("/proc/self/cgroup", "re");
	uint64_t room = UINT64_MAX;
	bool is_there = file && fgets(line, sizeof(line), file);

	if (file)
		fclose(file);
	if (!is_there || strncmp(line, "0::/", 4))
		return room;
	line[strcspn(line, "\n")] = '\0';
	snprintf(folder, sizeof(folder), CGROUP_FOLDER "%s", line + 3);
	while (strlen(folder) >= strlen(CGROUP_FOLDER)) {
		room = least_of(room, room_of_group(folder));
		*strrchr(folder, '/') = '\0';
	}
	return room;
}

static uint64_t room_of_addresses(void)
{
	uint64_t pages = read_number("/proc/self/statm", "");
	struct rlimit limit;
	uint64_t used;

	if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY || pages == UINT64_MAX)
		return UINT64_MAX;
	used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
	return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t memory_room_bytes(void)
{
	return least_of(room_of_machine(), least_of(room_of_groups(), room_of_addresses()));
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: quota GROUP SECONDS
 *
 * Joins the cgroup in the directory GROUP, uses CPU 0 for SECONDS, and on until the kernel has throttled it once more if it
 * does at all. Leaves the group, and prints for how long the kernel throttled the group meanwhile, in us.
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void join(const char *group)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	file = fopen(path, "w");
	if (!file || fputs("0\n", file) < 0 || fclose(file))
		die(path);
}

static long throttled_us(const char *group)
{
	char path[PATH_MAX], line[256];
	long us = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/cpu.stat", group);
	file = fopen(path, "r");
	if (!file)
		die(path);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "throttled_usec ", strlen("throttled_usec ")))
			us = strtol(line + strlen("throttled_usec "), NULL, 10);
	}
	fclose(file);
	return us;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/*
 * To leave a group takes a sleep in the kernel. Were the quota used up meanwhile, the thread would be throttled as it wakes: that
 * counts, but no trace can tell it from a slow wakeup. A period that has just begun has quota left.
 */
static long until_unthrottled_us(const char *group)
{
	long before_us = throttled_us(group), us = before_us;

	while (before_us && us == before_us)
		us = throttled_us(group);
	return us;
}

int main(int argc, char **argv)
{
	cpu_set_t first;
	double until;
	long us;

	if (argc != 3)
		return 2;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		die("sched_setaffinity");
	join(argv[1]);
	until = seconds() + strtod(argv[2], NULL);
	while (seconds() < until)
		;
	us = until_unthrottled_us(argv[1]);
	join("/sys/fs/cgroup");
	printf("%ld\n", us);
	return 0;
}

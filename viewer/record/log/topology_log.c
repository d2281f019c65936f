// SPDX-License-Identifier: GPL-2.0
#include "record/log/topology_log.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/buffer/marker.h"
#include "trace/lines/cpu_topology.h"

/* Reads the line in a file of @cpu. Returns false if there is none. */
static bool read_line(const char *root, int cpu, const char *file, char *line, size_t size)
{
	char path[512];
	bool got;
	FILE *in;

	snprintf(path, sizeof(path), "%s/cpu%d/%s", root, cpu, file);
	in = fopen(path, "re");
	if (!in)
		return false;
	got = fgets(line, (int)size, in);
	fclose(in);
	return got;
}

/* The first number of a file, which may be a list of CPUs. -1: there is none. */
static int64_t read_number(const char *root, int cpu, const char *file)
{
	char line[64], *end;
	long long number;

	if (!read_line(root, cpu, file, line, sizeof(line)))
		return -1;
	number = strtoll(line, &end, 10);
	return end == line || number < 0 ? -1 : (int64_t)number;
}

static uint64_t read_size(const char *root, int cpu, const char *file)
{
	char line[64], *end;
	unsigned long long size;

	if (!read_line(root, cpu, file, line, sizeof(line)))
		return 0;
	size = strtoull(line, &end, 10);
	return *end == 'K' ? size * 1024 : *end == 'M' ? size * 1024 * 1024 : size;
}

/* The kernel links each CPU to its node. */
static int read_node(const char *root, int cpu)
{
	struct dirent *entry;
	DIR *directory;
	char path[512];
	int node = -1;

	snprintf(path, sizeof(path), "%s/cpu%d", root, cpu);
	directory = opendir(path);
	while (directory && node < 0 && (entry = readdir(directory))) {
		if (sscanf(entry->d_name, "node%d", &node) != 1)
			node = -1;
	}
	if (directory)
		closedir(directory);
	return node;
}

static int64_t read_cache_number(const char *root, int cpu, int index, const char *file)
{
	char path[64];
	int64_t number;

	snprintf(path, sizeof(path), "cache/index%d/%s", index, file);
	number = read_number(root, cpu, path);
	return number < 0 ? 0 : number;
}

/* 'd', 'i', 'u'; '\0': no such cache. */
static char read_cache_kind(const char *root, int cpu, int index)
{
	char path[64], type[32];

	snprintf(path, sizeof(path), "cache/index%d/type", index);
	if (!read_line(root, cpu, path, type, sizeof(type)))
		return '\0';
	return type[0] == 'D' ? 'd' : type[0] == 'I' ? 'i' : 'u';
}

/* Returns the length; 0: no such cache, or no room. */
static size_t format_cache(char *text, size_t size, const char *root, int cpu, int index)
{
	char kind = read_cache_kind(root, cpu, index), path[64];
	size_t length;

	if (!kind)
		return 0;
	snprintf(path, sizeof(path), "cache/index%d/size", index);
	length = (size_t)snprintf(text, size,
				  "%s%" PRId64 "%c:%" PRIu64 ":%" PRId64 ":%" PRId64 ":%" PRId64
				  ":%" PRId64,
				  index ? "," : "", read_cache_number(root, cpu, index, "level"),
				  kind, read_size(root, cpu, path),
				  read_cache_number(root, cpu, index, "coherency_line_size"),
				  read_cache_number(root, cpu, index, "ways_of_associativity"),
				  read_cache_number(root, cpu, index, "number_of_sets"),
				  read_cache_number(root, cpu, index, "shared_cpu_list"));
	if (length < size)
		return length;
	*text = '\0';
	return 0;
}

size_t topology_log_format(char *line, size_t size, const char *root, int cpu)
{
	int64_t package = read_number(root, cpu, "topology/physical_package_id");
	int64_t core = read_number(root, cpu, "topology/thread_siblings_list");
	size_t length, bytes;

	/* A CPU that is offline has no topology. */
	if (core < 0)
		return 0;
	length = (size_t)snprintf(line, size, CPU_TOPOLOGY_LINE "%d|%" PRId64 "|%" PRId64 "|%d|",
				  cpu, core, package, read_node(root, cpu));
	if (length >= size)
		return 0;
	for (int index = 0; index < CPU_TOPOLOGY_MAX_CACHES; index++) {
		bytes = format_cache(line + length, size - length, root, cpu, index);
		if (!bytes)
			break;
		length += bytes;
	}
	return length;
}

void topology_log_write(struct tracefs_instance *instance)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	char line[MARKER_LINE_MAX_BYTES];

	for (int cpu = 0; cpu < nr_cpus && cpu < CPU_TOPOLOGY_MAX_CPUS; cpu++) {
		if (topology_log_format(line, sizeof(line), TOPOLOGY_LOG_ROOT, cpu))
			marker_write(instance, line);
	}
}

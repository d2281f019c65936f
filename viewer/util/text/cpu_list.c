// SPDX-License-Identifier: GPL-2.0
#include "util/text/cpu_list.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the number at *@at and moves past it; -1: there is none, or it is too large. */
static int parse_cpu(const char **at)
{
	unsigned long cpu;
	char *end;

	if (!isdigit((unsigned char)**at))
		return -1;
	cpu = strtoul(*at, &end, 10);
	*at = end;
	return cpu < CPUS_MAX ? (int)cpu : -1;
}

bool cpu_list_parse(struct cpu_list *cpus, const char *text)
{
	memset(cpus, 0, sizeof(*cpus));
	for (;;) {
		int first = parse_cpu(&text);
		int last = first;

		if (*text == '-') {
			text++;
			last = parse_cpu(&text);
		}
		if (first < 0 || last < first)
			return false;
		for (int cpu = first; cpu <= last; cpu++)
			cpus->has[cpu] = true;
		if (*text != ',')
			return !*text || !strcmp(text, "\n");
		text++;
	}
}

bool cpu_list_read(struct cpu_list *cpus, const char *which)
{
	char path[64], *line = NULL;
	size_t size = 0;
	bool known;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", which);
	file = fopen(path, "re");
	if (!file)
		return false;
	known = getline(&line, &size, file) > 0 && cpu_list_parse(cpus, line);
	free(line);
	fclose(file);
	return known;
}

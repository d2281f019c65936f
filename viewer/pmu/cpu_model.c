// SPDX-License-Identifier: GPL-2.0
#include "pmu/cpu_model.h"

#include <stdio.h>
#include <string.h>

#define LINE_BYTES 4096

struct cpu_model cpu_model_read(const char *path)
{
	struct cpu_model cpu = { .vendor = "" };
	FILE *file = fopen(path, "re");
	char line[LINE_BYTES];

	while (file && fgets(line, sizeof(line), file) && line[0] != '\n') {
		sscanf(line, "vendor_id : %15s", cpu.vendor);
		sscanf(line, "cpu family : %u", &cpu.family);
		sscanf(line, "model : %u", &cpu.model);
	}
	if (file)
		fclose(file);
	return cpu;
}

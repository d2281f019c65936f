// SPDX-License-Identifier: GPL-2.0
#include "pmu/sysfs_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

char *sysfs_line_read(const char *folder, const char *pmu, const char *file)
{
	char *path = xasprintf("%s/%s/%s", folder, pmu, file), *line = NULL;
	FILE *in = fopen(path, "re");
	size_t size = 0;

	free(path);
	if (!in)
		return NULL;
	if (getline(&line, &size, in) < 0) {
		free(line);
		line = NULL;
	} else {
		line[strcspn(line, "\n")] = '\0';
	}
	fclose(in);
	return line;
}

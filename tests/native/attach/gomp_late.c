// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: gomp_late stay|close PLUGIN...
 *
 * Has no OpenMP itself. Loads plugins that have, each for itself, and runs them. With close, unloads them: libgomp's
 * threads do not survive that, unless it is kept loaded.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "omp_truth.h"

static int run(const char *path, bool is_closed)
{
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*plugin_run)(void (*)(const char *, int, long)) = NULL;
	int nr;

	if (plugin)
		*(void **)&plugin_run = dlsym(plugin, "plugin_run");
	if (!plugin_run) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	nr = plugin_run(did);
	nr += plugin_run(did);
	if (dlerror())
		return -1;
	return is_closed && dlclose(plugin) ? -1 : nr;
}

int main(int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		printf("sum %d\n", run(argv[i], !strcmp(argv[1], "close")));
	return 3;
}

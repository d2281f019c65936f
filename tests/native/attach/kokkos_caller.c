// SPDX-License-Identifier: GPL-2.0
/*
 * As Kokkos 4 with a GPU calls the first tool of KOKKOS_TOOLS_LIBS: asks what it needs, tells of fences, and of a kernel
 * that ends after the next has begun.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "truth.h"

static void *tool;

static void *function(const char *name)
{
	void *found = dlsym(tool, name);

	if (!found)
		exit(1);
	return found;
}

int main(void)
{
	void (*begin_fence)(const char *, uint32_t, uint64_t *);
	void (*end_fence)(uint64_t);
	void (*begin)(const char *, uint32_t, uint64_t *);
	void (*end)(uint64_t);
	struct {
		bool requires_global_fencing;
		bool reserved[255];
	} settings = { .requires_global_fencing = true };
	uint64_t id, first, second;

	tool = dlopen(strtok(strdup(getenv("KOKKOS_TOOLS_LIBS")), ";"), RTLD_NOW | RTLD_GLOBAL);
	if (!tool)
		return 1;
	((void (*)(int, uint64_t, uint32_t, void *))function("kokkosp_init_library"))(0, 20211015,
										      1, NULL);
	((void (*)(uint32_t, void *))function("kokkosp_request_tool_settings"))(1, &settings);
	begin_fence = (void (*)(const char *, uint32_t, uint64_t *))function("kokkosp_begin_fence");
	end_fence = (void (*)(uint64_t))function("kokkosp_end_fence");
	begin = (void (*)(const char *, uint32_t, uint64_t *))function(
		"kokkosp_begin_parallel_for");
	end = (void (*)(uint64_t))function("kokkosp_end_parallel_for");
	TRUTH_CALL(begin_fence("Kokkos::fence", 0, &id));
	truth_value('W', "Kokkos::fence", 0);
	truth_work_ns(100000);
	TRUTH_CALL(end_fence(id));
	truth('E', "");
	TRUTH_CALL(begin("first", 0, &first));
	truth('B', "first");
	TRUTH_CALL(begin("second", 0, &second));
	truth('B', "second");
	end(first);
	TRUTH_CALL(end(second));
	truth('E', "");
	truth('E', "");
	printf("%s\n", settings.requires_global_fencing ? "fences" : "no fences");
	return 0;
}

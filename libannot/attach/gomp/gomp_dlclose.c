// SPDX-License-Identifier: MIT
/* What programs unload is forgotten. */
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "gomp_callers.h"

__attribute__((visibility("default"))) int dlclose(void *handle);

static int read_nr_unloaded(struct dl_phdr_info *info, size_t size, void *nr)
{
	(void)size;
	*(unsigned long long *)nr = info->dlpi_subs;
	return 1;
}

static unsigned long long nr_unloaded(void)
{
	unsigned long long nr = 0;

	dl_iterate_phdr(read_nr_unloaded, &nr);
	return nr;
}

int dlclose(void *handle)
{
	unsigned long long before = nr_unloaded();
	int (*real)(void *handle) = NULL;
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	result = real(handle);
	if (nr_unloaded() != before)
		gomp_callers_forget();
	return result;
}

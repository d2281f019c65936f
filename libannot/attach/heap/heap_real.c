// SPDX-License-Identifier: MIT
#include "heap_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>

#define EARLY_BYTES (64 << 10)

struct heap_functions heap_functions;
bool heap_is_found;

static __thread bool is_looking_up __attribute__((tls_model("initial-exec")));
static char early[EARLY_BYTES] __attribute__((aligned(4096)));
static size_t early_used;

#define HEAP_LOOK_UP(name) *(void **)&heap_functions.name = dlsym(RTLD_NEXT, #name);

/* Two threads may do so at once: they find the same. */
bool heap_find(void)
{
	int saved_errno = errno;

	if (is_looking_up)
		return false;
	is_looking_up = true;
	HEAP_EACH(HEAP_LOOK_UP)
	is_looking_up = false;
	__atomic_store_n(&heap_is_found, true, __ATOMIC_RELEASE);
	errno = saved_errno;
	return true;
}

/* While there is one thread: dlsym() waits for a dlopen(), whose constructors may wait for others. */
__attribute__((constructor(101))) static void find_early(void)
{
	heap_has_real();
	/* Some C libraries lack some. That is no error of the program's. */
	dlerror();
}

void *heap_early_allocate(size_t alignment, size_t bytes)
{
	size_t used = __atomic_load_n(&early_used, __ATOMIC_RELAXED), start;

	do {
		start = (used + alignment - 1) & ~(alignment - 1);
		if (start > EARLY_BYTES || bytes > EARLY_BYTES - start) {
			errno = ENOMEM;
			return NULL;
		}
	} while (!__atomic_compare_exchange_n(&early_used, &used, start + bytes, true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return early + start;
}

bool heap_is_early(const void *block)
{
	return (uintptr_t)block - (uintptr_t)early < EARLY_BYTES;
}

size_t heap_early_bytes(const void *block)
{
	return EARLY_BYTES - (size_t)((const char *)block - early);
}

// SPDX-License-Identifier: MIT
#include "gomp_callers.h"

#include <stdbool.h>
#include <stddef.h>

#define OBJECTS_MAX 1024

uintptr_t gomp_callers_pages[GOMP_NR_PAGES];

/* bias | number of the runtime, in the order in which they called first. */
static uintptr_t objects[OBJECTS_MAX];

void gomp_callers_remember(uintptr_t address, unsigned int number)
{
	uintptr_t page = address >> GOMP_PAGE_BITS;

	__atomic_store_n(&gomp_callers_pages[page % GOMP_NR_PAGES], page << GOMP_PAGE_BITS | number,
			 __ATOMIC_RELEASE);
}

unsigned int gomp_callers_number_of_object(uintptr_t bias)
{
	uintptr_t entry;

	for (size_t i = 0; i < OBJECTS_MAX; i++) {
		entry = __atomic_load_n(&objects[i], __ATOMIC_ACQUIRE);
		if (!entry)
			break;
		if (entry >> GOMP_PAGE_BITS == bias >> GOMP_PAGE_BITS)
			return entry % GOMP_NR_RUNTIMES;
	}
	return 0;
}

/* What finds no room is looked up whenever code of another of its pages calls. */
void gomp_callers_remember_object(uintptr_t bias, unsigned int number)
{
	uintptr_t none = 0;

	for (size_t i = 0; i < OBJECTS_MAX; i++, none = 0) {
		if (__atomic_compare_exchange_n(&objects[i], &none, bias | number, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return;
	}
}

void gomp_callers_forget(void)
{
	for (size_t i = 0; i < OBJECTS_MAX; i++)
		__atomic_store_n(&objects[i], 0, __ATOMIC_RELAXED);
	for (size_t i = 0; i < GOMP_NR_PAGES; i++)
		__atomic_store_n(&gomp_callers_pages[i], 0, __ATOMIC_RELAXED);
}

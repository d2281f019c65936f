/* SPDX-License-Identifier: MIT */
/*
 * Which runtime code calls: of pages, and of loaded objects, the number of a runtime (gomp_runtime.h). Where an object is
 * unloaded, another one may be loaded, which calls another runtime; so all is forgotten then.
 */
#ifndef LIBANNOT_ATTACH_GOMP_CALLERS_H
#define LIBANNOT_ATTACH_GOMP_CALLERS_H

#include <stdint.h>

#define GOMP_NR_RUNTIMES 16 /* numbers, at most; 0 is none */

/* Of a page, by its number: page << GOMP_PAGE_BITS | number of the runtime. 0: not known yet. */
#define GOMP_PAGE_BITS 12
#define GOMP_NR_PAGES 1024

extern uintptr_t gomp_callers_pages[GOMP_NR_PAGES];

/* 0: it is not known yet. */
static inline unsigned int gomp_callers_number_of(uintptr_t address)
{
	uintptr_t page = address >> GOMP_PAGE_BITS;
	uintptr_t entry = __atomic_load_n(&gomp_callers_pages[page % GOMP_NR_PAGES],
					  __ATOMIC_ACQUIRE);

	return entry >> GOMP_PAGE_BITS == page ? entry % GOMP_NR_RUNTIMES : 0;
}

void gomp_callers_remember(uintptr_t address, unsigned int number);

/* Of the object with this bias. 0: it is not known yet. */
unsigned int gomp_callers_number_of_object(uintptr_t bias);
void gomp_callers_remember_object(uintptr_t bias, unsigned int number);

void gomp_callers_forget(void);

#endif /* LIBANNOT_ATTACH_GOMP_CALLERS_H */

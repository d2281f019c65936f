/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells where it is called from, as programs that tell places in names do, beside what is true of it:
 *
 *	place <function> <line> <offset from the function's start> <address in the file> <path>
 *
 * A function that is not known by a name in the sources has the offset -1.
 */
#ifndef PLACES_TELL_H
#define PLACES_TELL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void tell(const char *name, int line, uintptr_t start)
{
	uintptr_t address = (uintptr_t)__builtin_return_address(0) - 1;
	struct link_map *map;
	char path[4096];
	Dl_info info;

	if (!dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) ||
	    !realpath(*map->l_name ? map->l_name : "/proc/self/exe", path))
		exit(1);
	printf("place %s %d %ld %#lx %s\n", name, line, start ? (long)(address - start) : -1l,
	       (unsigned long)(address - map->l_addr), path);
}

#define TELL(name, start) tell(name, __LINE__, (uintptr_t)(start))

#endif /* PLACES_TELL_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs of tests/unit/symbols/fields.bash say:
 *
 *	map <line of /proc/self/maps>
 *	data <the name that annot is to give> <address>
 *
 * Addresses come from the compiler, names from the source. Without types, names are those of variables with offsets.
 */
#ifndef FIELDS_TELL_H
#define FIELDS_TELL_H

#include <stddef.h>
#include <stdio.h>

#define FIELD(field) tell(#field, (const volatile void *)&(field), 0)
#define WITHIN(field, offset) tell(#field, (const volatile void *)&(field), offset)
/* Of what has no name of its own: @name is in @variable there. */
#define INSIDE(name, variable, offset) tell(name, (const volatile void *)&(variable), offset)

static inline void tell(const char *name, const volatile void *start, size_t offset)
{
	printf("data %s 0x%016lx\n", name, (unsigned long)start + offset);
}

static inline void tell_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		printf("map %s", line);
	if (maps)
		fclose(maps);
}

#ifdef __cplusplus
extern "C" {
#endif

/* Of fields_second.c. */
void tell_second(void);

#ifdef __cplusplus
}
#endif

#endif /* FIELDS_TELL_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs of tests/unit/symbols/blocks.sh say, beside what fields_tell.h says:
 *
 *	block <address of the call that allocated it> <bytes> <address>
 *	datum <what annot is to put behind the block's name> <address>
 *
 * The allocators of blocks_allocate.c say the first; who allocated says the second.
 */
#ifndef BLOCKS_TELL_H
#define BLOCKS_TELL_H

#include "fields_tell.h"

/* A field of @block, as in the source: ELEMENT(points, [3].x). */
#define ELEMENT(block, field) tell_datum(#field, &((block)field))
#define MEMBER(block, field) tell_datum("." #field, &((block)->field))

static inline void tell_datum(const char *name, const volatile void *address)
{
	printf("datum %s 0x%lx\n", name, (unsigned long)address);
}

/* In a block of which nothing more is known. */
static inline void tell_offset(const volatile void *block, unsigned long offset)
{
	char name[32];

	snprintf(name, sizeof(name), "+0x%lx", offset);
	tell_datum(name, (const volatile char *)block + offset);
}

static inline void tell_offset_of(const volatile void *block, const volatile void *address)
{
	tell_offset(block,
		    (unsigned long)((const volatile char *)address - (const volatile char *)block));
}

/* Without optimisation, only offsets are known. */
#ifdef PLAIN
#define ELEMENT_OR_OFFSET(block, field) tell_offset_of(block, &((block)field))
#define MEMBER_OR_OFFSET(block, field) tell_offset_of(block, &((block)->field))
#else
#define ELEMENT_OR_OFFSET ELEMENT
#define MEMBER_OR_OFFSET MEMBER
#endif

#endif /* BLOCKS_TELL_H */

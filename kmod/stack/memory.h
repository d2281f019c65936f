/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory that tables and ranges take: charged to the memory cgroup, and limited.
 */
#ifndef ANNOT_KMOD_STACK_MEMORY_H
#define ANNOT_KMOD_STACK_MEMORY_H

#include <linux/types.h>

/* Return: an error pointer: ENOSPC beyond the limit, ENOMEM. May sleep, as the next one. */
void *annot_stack_memory_get(size_t bytes);
void annot_stack_memory_put(void *memory, size_t bytes);

#endif /* ANNOT_KMOD_STACK_MEMORY_H */

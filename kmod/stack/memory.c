// SPDX-License-Identifier: GPL-2.0
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "account.h"
#include "stack/memory.h"

/* The tables of the largest programs take some ten megabytes. */
#define BYTES_MAX (256L << 20)

static atomic_long_t bytes_held;

void *annot_stack_memory_get(size_t bytes)
{
	void *memory;

	if (atomic_long_add_return(bytes, &bytes_held) > BYTES_MAX) {
		atomic_long_sub(bytes, &bytes_held);
		return ERR_PTR(-ENOSPC);
	}
	memory = kvmalloc(bytes, ANNOT_GFP_USER);
	if (memory)
		return memory;
	atomic_long_sub(bytes, &bytes_held);
	return ERR_PTR(-ENOMEM);
}

void annot_stack_memory_put(void *memory, size_t bytes)
{
	kvfree(memory);
	atomic_long_sub(bytes, &bytes_held);
}

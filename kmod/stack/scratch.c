// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts of a CPU that interrupt each other end in the reverse order: theirs are a stack, too.
 */
#include <linux/errno.h>
#include <linux/percpu.h>

#include <uapi/annot.h>

#include "stack/scratch.h"

/* A thread, a softirq, an interrupt and an NMI. */
#define CONTEXTS_MAX 4

struct stack_scratch {
	int nr_used;
	u64 words[CONTEXTS_MAX][ANNOT_STACK_MAX];
};

static struct stack_scratch __percpu *scratch;

int annot_stack_scratch_begin(void)
{
	scratch = alloc_percpu_gfp(struct stack_scratch, GFP_KERNEL_ACCOUNT);
	return scratch ? 0 : -ENOMEM;
}

void annot_stack_scratch_end(void)
{
	free_percpu(scratch);
	scratch = NULL;
}

u64 *annot_stack_scratch_get(void)
{
	int used;

	used = this_cpu_inc_return(scratch->nr_used);
	if (used <= CONTEXTS_MAX)
		return this_cpu_ptr(scratch)->words[used - 1];
	this_cpu_dec(scratch->nr_used);
	return NULL;
}

void annot_stack_scratch_put(void)
{
	this_cpu_dec(scratch->nr_used);
}

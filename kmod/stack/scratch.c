// SPDX-License-Identifier: GPL-2.0
/*
 * Contexts of a CPU that interrupt each other end in the reverse order: theirs are a stack, too.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include <uapi/annot.h>

#include "stack/scratch.h"

/* A thread, a softirq, an interrupt and an NMI. */
#define CONTEXTS_MAX 4

/* Of threads that take turns on a CPU, so many may have one. */
#define NR_MEMOS 4

/* @walked, @memos: of the context that interrupts no other one, which is nearly always alone */
struct scratch_cpu {
	int nr_used;
	u64 words[CONTEXTS_MAX][ANNOT_STACK_MAX];
	struct annot_stack_frame walked[ANNOT_STACK_MAX];
	struct annot_stack_memo memos[NR_MEMOS];
};

static struct scratch_cpu __percpu *scratch;

int annot_stack_scratch_begin(void)
{
	scratch = alloc_percpu_gfp(struct scratch_cpu, GFP_KERNEL_ACCOUNT);
	return scratch ? 0 : -ENOMEM;
}

void annot_stack_scratch_end(void)
{
	free_percpu(scratch);
	scratch = NULL;
}

bool annot_stack_scratch_get(struct annot_stack_scratch *got)
{
	int used = this_cpu_inc_return(scratch->nr_used);
	struct scratch_cpu *own = this_cpu_ptr(scratch);
	struct annot_stack_memo *memo;

	if (used > CONTEXTS_MAX) {
		this_cpu_dec(scratch->nr_used);
		return false;
	}
	*got = (struct annot_stack_scratch){ .ips = own->words[used - 1] };
	if (used > 1)
		return true;
	memo = &own->memos[current->pid % NR_MEMOS];
	if (annot_stack_memo_take(memo, current->pid)) {
		got->memo = memo;
		got->walked = own->walked;
	}
	return true;
}

void annot_stack_scratch_put(void)
{
	this_cpu_dec(scratch->nr_used);
}

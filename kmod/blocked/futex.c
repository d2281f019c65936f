// SPDX-License-Identifier: GPL-2.0
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/unistd.h>
#include <uapi/linux/futex.h>

#include "blocked/call.h"
#include "blocked/futex.h"
#include "ftrace/events.h"

/* A pthread_mutex_t of glibc, as far as it is the same on all 64-bit machines. */
struct glibc_mutex {
	u32 lock; /* 2: locked, and somebody waits */
	u32 count;
	u32 owner;
	u32 nr_users;
	u32 kind;
};

#define LOCKED_WITH_WAITERS 2
#define MUTEX_KIND_BITS 0x383 /* these, elision or none, shared between processes */

/* @number is what the thread itself would call @holder. 0: there is none. */
static s32 thread_by_number(u32 number)
{
	return pid_nr(find_vpid(number));
}

/* Other things, too, have a futex whose value is 2: the memory must look like a mutex. */
static s32 holder_of_mutex(u64 address)
{
	struct glibc_mutex mutex;

	if (copy_from_user_nofault(&mutex, (void __user *)(unsigned long)address, sizeof(mutex)))
		return 0;
	if (mutex.lock != LOCKED_WITH_WAITERS || !mutex.nr_users || mutex.kind & ~MUTEX_KIND_BITS)
		return 0;
	return thread_by_number(mutex.owner);
}

static s32 holder_of_word(u64 address)
{
	u32 word;

	if (copy_from_user_nofault(&word, (void __user *)(unsigned long)address, sizeof(word)))
		return 0;
	return thread_by_number(word & FUTEX_TID_MASK);
}

static s32 holder_of(const struct annot_call *call)
{
	/* The other one has the value in the same place, and no operation. */
	if (call->nr != __NR_futex)
		return 0;
	switch (call->args[1] & FUTEX_CMD_MASK) {
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return holder_of_word(call->args[0]);
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return (u32)call->args[2] == LOCKED_WITH_WAITERS ? holder_of_mutex(call->args[0]) :
								   0;
	default:
		return 0;
	}
}

void annot_futex_note(const struct annot_call *call, struct annot_blocked *blocked)
{
	blocked->what = ANNOT_BLOCKED_FUTEX;
	blocked->object = call->args[0];
	blocked->flags |= ANNOT_BLOCKED_HAS_OBJECT;
	rcu_read_lock();
	blocked->holder = holder_of(call);
	rcu_read_unlock();
}

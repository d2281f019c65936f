// SPDX-License-Identifier: GPL-2.0
#include <linux/nospec.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/unistd.h>

#include <asm/syscall.h>

#include "blocked/call.h"

#define RING_IS_REGISTERED 0x10 /* IORING_ENTER_REGISTERED_RING: the number is no descriptor */

/* By number. What is not here has no descriptor first, or does not wait for it. */
static const u8 kind_of_call[] = {
	[__NR_read] = ANNOT_CALL_DESCRIPTOR,
	[__NR_write] = ANNOT_CALL_DESCRIPTOR,
	[__NR_readv] = ANNOT_CALL_DESCRIPTOR,
	[__NR_writev] = ANNOT_CALL_DESCRIPTOR,
	[__NR_pread64] = ANNOT_CALL_DESCRIPTOR,
	[__NR_pwrite64] = ANNOT_CALL_DESCRIPTOR,
	[__NR_preadv] = ANNOT_CALL_DESCRIPTOR,
	[__NR_pwritev] = ANNOT_CALL_DESCRIPTOR,
	[__NR_preadv2] = ANNOT_CALL_DESCRIPTOR,
	[__NR_pwritev2] = ANNOT_CALL_DESCRIPTOR,
	[__NR_sendfile] = ANNOT_CALL_DESCRIPTOR,
	[__NR_splice] = ANNOT_CALL_DESCRIPTOR,
	[__NR_tee] = ANNOT_CALL_DESCRIPTOR,
	[__NR_vmsplice] = ANNOT_CALL_DESCRIPTOR,
	[__NR_copy_file_range] = ANNOT_CALL_DESCRIPTOR,
	[__NR_ioctl] = ANNOT_CALL_DESCRIPTOR,
	[__NR_fcntl] = ANNOT_CALL_DESCRIPTOR,
	[__NR_flock] = ANNOT_CALL_DESCRIPTOR,
	[__NR_fsync] = ANNOT_CALL_DESCRIPTOR,
	[__NR_fdatasync] = ANNOT_CALL_DESCRIPTOR,
	[__NR_sync_file_range] = ANNOT_CALL_DESCRIPTOR,
	[__NR_syncfs] = ANNOT_CALL_DESCRIPTOR,
	[__NR_ftruncate] = ANNOT_CALL_DESCRIPTOR,
	[__NR_fallocate] = ANNOT_CALL_DESCRIPTOR,
	[__NR_getdents64] = ANNOT_CALL_DESCRIPTOR,
	[__NR_accept] = ANNOT_CALL_DESCRIPTOR,
	[__NR_accept4] = ANNOT_CALL_DESCRIPTOR,
	[__NR_connect] = ANNOT_CALL_DESCRIPTOR,
	[__NR_recvfrom] = ANNOT_CALL_DESCRIPTOR,
	[__NR_recvmsg] = ANNOT_CALL_DESCRIPTOR,
	[__NR_recvmmsg] = ANNOT_CALL_DESCRIPTOR,
	[__NR_sendto] = ANNOT_CALL_DESCRIPTOR,
	[__NR_sendmsg] = ANNOT_CALL_DESCRIPTOR,
	[__NR_sendmmsg] = ANNOT_CALL_DESCRIPTOR,
	[__NR_mq_timedsend] = ANNOT_CALL_DESCRIPTOR,
	[__NR_mq_timedreceive] = ANNOT_CALL_DESCRIPTOR,
	[__NR_epoll_pwait] = ANNOT_CALL_DESCRIPTOR,
	[__NR_epoll_pwait2] = ANNOT_CALL_DESCRIPTOR,
	[__NR_io_uring_enter] = ANNOT_CALL_DESCRIPTOR,
#ifdef __NR_epoll_wait
	[__NR_epoll_wait] = ANNOT_CALL_DESCRIPTOR,
#endif
	[__NR_futex] = ANNOT_CALL_FUTEX,
#ifdef __NR_futex_wait
	[__NR_futex_wait] = ANNOT_CALL_FUTEX,
#endif
};

/*
 * A program that the kernel itself just starts was never outside. On riscv, the register that has
 * the number of a call has anything else outside of one.
 */
static bool is_in_call(struct pt_regs *regs)
{
#ifdef CONFIG_RISCV
	return user_mode(regs) && regs->cause == EXC_SYSCALL;
#else
	return user_mode(regs);
#endif
}

void annot_call_get(struct task_struct *task, struct annot_call *call)
{
	struct pt_regs *regs = task_pt_regs(task);
	unsigned long args[ANNOT_CALL_ARGUMENTS];
	unsigned int i;

	call->nr = is_in_call(regs) ? syscall_get_nr(task, regs) : -1;
	if (call->nr < 0) {
		call->nr = -1;
		return;
	}
	syscall_get_arguments(task, regs, args);
	for (i = 0; i < ANNOT_CALL_ARGUMENTS; i++)
		call->args[i] = args[i];
}

enum annot_call_kind annot_call_kind(const struct annot_call *call)
{
	unsigned int nr = call->nr;

	if (nr >= ARRAY_SIZE(kind_of_call))
		return ANNOT_CALL_OTHER;
	nr = array_index_nospec(nr, ARRAY_SIZE(kind_of_call));
	if (nr == __NR_io_uring_enter && call->args[3] & RING_IS_REGISTERED)
		return ANNOT_CALL_OTHER;
	return kind_of_call[nr];
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where machines differ of which stacks are walked: registers, and the signal frame by the ABI.
 *
 * ANNOT_MACHINE_HAS_LINK	a call leaves the return address in a register, the link
 * ANNOT_MACHINE_HAS_LIST	a frame pointer points to the caller's and the return address
 * ANNOT_MACHINE_KEEPS_LIST	all code has frame pointers, but for functions that call none
 * ANNOT_MACHINE_CODE_MASK	the bits of a return address that are an address; others sign it
 * ANNOT_SIGNAL_...		offsets in bytes from the stack pointer at the return from a handler
 */
#ifndef ANNOT_KMOD_STACK_MACHINE_H
#define ANNOT_KMOD_STACK_MACHINE_H

#include <linux/bits.h>
#include <linux/compat.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#ifdef CONFIG_ARM64
#include <asm/memory.h>
#endif

#if defined(CONFIG_X86_64)

#define ANNOT_MACHINE_HAS_LINK 0
#define ANNOT_MACHINE_HAS_LIST 1
#define ANNOT_MACHINE_KEEPS_LIST 0
#define ANNOT_MACHINE_CODE_MASK U64_MAX
#define ANNOT_SIGNAL_BP 120
#define ANNOT_SIGNAL_SP 160
#define ANNOT_SIGNAL_IP 168
#define ANNOT_SIGNAL_LINK 0

static inline u64 annot_machine_bp(const struct pt_regs *regs)
{
	return regs->bp;
}

static inline u64 annot_machine_link(const struct pt_regs *regs)
{
	return 0;
}

/* Of 32-bit code nothing is known. */
static inline bool annot_machine_is_known(const struct pt_regs *regs)
{
	return regs->cs != __USER32_CS;
}

#elif defined(CONFIG_ARM64)

#define ANNOT_MACHINE_HAS_LINK 1
#define ANNOT_MACHINE_HAS_LIST 1
#define ANNOT_MACHINE_KEEPS_LIST 1
/* A kernel for 52 bits may run on a CPU of 48, which signs with all the others. */
#define ANNOT_MACHINE_CODE_MASK GENMASK_ULL(vabits_actual - 1, 0)
#define ANNOT_SIGNAL_BP 544
#define ANNOT_SIGNAL_LINK 552
#define ANNOT_SIGNAL_SP 560
#define ANNOT_SIGNAL_IP 568

static inline u64 annot_machine_bp(const struct pt_regs *regs)
{
	return regs->regs[29];
}

static inline u64 annot_machine_link(const struct pt_regs *regs)
{
	return regs->regs[30];
}

static inline bool annot_machine_is_known(const struct pt_regs *regs)
{
	return !compat_user_mode(regs);
}

#elif defined(CONFIG_RISCV) && defined(CONFIG_64BIT)

#define ANNOT_MACHINE_HAS_LINK 1
#define ANNOT_MACHINE_HAS_LIST 0
#define ANNOT_MACHINE_KEEPS_LIST 0
#define ANNOT_MACHINE_CODE_MASK U64_MAX
#define ANNOT_SIGNAL_IP 304
#define ANNOT_SIGNAL_LINK 312
#define ANNOT_SIGNAL_SP 320
#define ANNOT_SIGNAL_BP 368

static inline u64 annot_machine_bp(const struct pt_regs *regs)
{
	return regs->s0;
}

static inline u64 annot_machine_link(const struct pt_regs *regs)
{
	return regs->ra;
}

static inline bool annot_machine_is_known(const struct pt_regs *regs)
{
	return !is_compat_task();
}

#else

#define ANNOT_MACHINE_HAS_LINK 0
#define ANNOT_MACHINE_HAS_LIST 0
#define ANNOT_MACHINE_KEEPS_LIST 0
#define ANNOT_MACHINE_CODE_MASK U64_MAX
#define ANNOT_SIGNAL_BP 0
#define ANNOT_SIGNAL_SP 0
#define ANNOT_SIGNAL_IP 0
#define ANNOT_SIGNAL_LINK 0

static inline u64 annot_machine_bp(const struct pt_regs *regs)
{
	return 0;
}

static inline u64 annot_machine_link(const struct pt_regs *regs)
{
	return 0;
}

static inline bool annot_machine_is_known(const struct pt_regs *regs)
{
	return false;
}

#endif

#endif /* ANNOT_KMOD_STACK_MACHINE_H */

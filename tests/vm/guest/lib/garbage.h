/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running with registers that are no stack's, on each machine that the module walks stacks of: the stack pointer, the
 * frame pointer and, where there is one, the register of the return address. No code of C runs meanwhile; who called
 * has its own registers again afterwards.
 *
 * VALID_RULES	rules that rows of the machine's tables may have, for an array of uint8_t
 * spin_with()	counts down from @nr
 * write_with()	writes the byte at @from to @fd
 */
#ifndef ANNOT_GUEST_GARBAGE_H
#define ANNOT_GUEST_GARBAGE_H

#include <sys/syscall.h>
#include <unistd.h>

#include <uapi/annot.h>

#if defined(__x86_64__)

#define VALID_RULES                                                               \
	ANNOT_UNWIND_UNKNOWN, ANNOT_UNWIND_END, ANNOT_UNWIND_SP, ANNOT_UNWIND_BP, \
		ANNOT_UNWIND_PLT, ANNOT_UNWIND_SIGNAL, ANNOT_UNWIND_ALIGNED

static inline void spin_with(unsigned long sp, unsigned long bp, unsigned long nr)
{
	__asm__ volatile("mov %%rsp, %%r12\n\tmov %%rbp, %%r13\n\t"
			 "mov %0, %%rsp\n\tmov %1, %%rbp\n"
			 "1:\tdec %2\n\tjnz 1b\n\t"
			 "mov %%r12, %%rsp\n\tmov %%r13, %%rbp"
			 : "+r"(sp), "+r"(bp), "+r"(nr)
			 :
			 : "r12", "r13", "memory", "cc");
}

static inline void write_with(unsigned long sp, unsigned long bp, int fd, unsigned long from)
{
	long nr = SYS_write;

	__asm__ volatile("mov %%rsp, %%r12\n\tmov %%rbp, %%r13\n\t"
			 "mov %1, %%rsp\n\tmov %2, %%rbp\n\t"
			 "syscall\n\t"
			 "mov %%r12, %%rsp\n\tmov %%r13, %%rbp"
			 : "+a"(nr)
			 : "r"(sp), "r"(bp), "D"((long)fd), "S"(from), "d"(1l)
			 : "rcx", "r11", "r12", "r13", "memory", "cc");
}

#else

#define VALID_RULES                                                                           \
	ANNOT_UNWIND_UNKNOWN, ANNOT_UNWIND_END, ANNOT_UNWIND_SP, ANNOT_UNWIND_BP,             \
		ANNOT_UNWIND_SIGNAL, ANNOT_UNWIND_SP | ANNOT_UNWIND_LINK,                     \
		ANNOT_UNWIND_BP | ANNOT_UNWIND_LINK, ANNOT_UNWIND_SP | ANNOT_UNWIND_RECORD,   \
		ANNOT_UNWIND_BP | ANNOT_UNWIND_RECORD, ANNOT_UNWIND_SP | ANNOT_UNWIND_STORED, \
		ANNOT_UNWIND_BP | ANNOT_UNWIND_STORED

#if defined(__aarch64__)

#define ENTER \
	"mov x12, sp\n\tmov x13, x29\n\tmov x14, x30\n\tmov sp, x9\n\tmov x29, x10\n\tmov x30, x10\n"
#define LEAVE "mov sp, x12\n\tmov x29, x13\n\tmov x30, x14"
#define COUNT_DOWN "1:\tsubs x11, x11, #1\n\tb.ne 1b\n\t"
#define CALL_KERNEL "svc #0\n\t"
#define SAVED "x12", "x13", "x14", "memory", "cc"
#define STACK_POINTER "x9"
#define FRAME_POINTER "x10"
#define COUNT "x11"
#define NUMBER "x8"
#define ARGUMENT(nr) "x" #nr

#else

#define ENTER "mv t3, sp\n\tmv t4, s0\n\tmv t5, ra\n\tmv sp, t0\n\tmv s0, t1\n\tmv ra, t1\n"
#define LEAVE "mv sp, t3\n\tmv s0, t4\n\tmv ra, t5"
#define COUNT_DOWN "1:\taddi t2, t2, -1\n\tbnez t2, 1b\n\t"
#define CALL_KERNEL "ecall\n\t"
#define SAVED "t3", "t4", "t5", "memory"
#define STACK_POINTER "t0"
#define FRAME_POINTER "t1"
#define COUNT "t2"
#define NUMBER "a7"
#define ARGUMENT(nr) "a" #nr

#endif

static inline void spin_with(unsigned long sp, unsigned long bp, unsigned long nr)
{
	register unsigned long sp_register __asm__(STACK_POINTER) = sp;
	register unsigned long bp_register __asm__(FRAME_POINTER) = bp;
	register unsigned long count __asm__(COUNT) = nr;

	__asm__ volatile(ENTER COUNT_DOWN LEAVE
			 : "+r"(count)
			 : "r"(sp_register), "r"(bp_register)
			 : SAVED);
}

static inline void write_with(unsigned long sp, unsigned long bp, int fd, unsigned long from)
{
	register unsigned long sp_register __asm__(STACK_POINTER) = sp;
	register unsigned long bp_register __asm__(FRAME_POINTER) = bp;
	register long nr __asm__(NUMBER) = SYS_write;
	register long first __asm__(ARGUMENT(0)) = fd;
	register unsigned long second __asm__(ARGUMENT(1)) = from;
	register long third __asm__(ARGUMENT(2)) = 1;

	__asm__ volatile(ENTER CALL_KERNEL LEAVE
			 : "+r"(first)
			 : "r"(sp_register), "r"(bp_register), "r"(nr), "r"(second), "r"(third)
			 : SAVED);
}

#undef ENTER
#undef LEAVE
#undef COUNT_DOWN
#undef CALL_KERNEL
#undef SAVED
#undef STACK_POINTER
#undef FRAME_POINTER
#undef COUNT
#undef NUMBER
#undef ARGUMENT

#endif

#endif /* ANNOT_GUEST_GARBAGE_H */

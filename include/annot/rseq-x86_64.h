/* SPDX-License-Identifier: MIT */
/*
 * Records into the ring of this CPU or thread: x86-64. Part of annot/annot.h, not to be included
 * alone.
 *
 * A restartable sequence: when the thread is preempted, moved to another CPU or gets a signal
 * between 1 and 2, the kernel lets it go on at 4, which begins anew. So between reading the ring's
 * number and the last store, which publishes the record, nothing else runs on this CPU in this
 * process: no lock, no atomic instruction, and a handler that annotates finds a consistent ring.
 *
 * After as many interruptions as no busy machine brings about it gives up: a debugger that steps
 * through it interrupts each instruction, and would never see the end. 4 stands in the function's own
 * code, so that debuggers and what unwinds stacks know where they are.
 *
 * rseq_cs is cleared again behind the sequence, although the kernel would do so at its leisure:
 * the descriptor lies in the object that annotates, and dlclose() may take that away.
 *
 * "?" in the section's flags: if this is a C++ template or inline function, the descriptor belongs
 * to its section group, and goes when the linker drops a duplicate.
 */
#if !defined(ANNOT_H)
#include <annot/annot.h> /* which includes this in its place */
#elif !defined(ANNOT_RSEQ_X86_64_H)
#define ANNOT_RSEQ_X86_64_H

#define ANNOT_RSEQ_CLOCK 1 /* ANNOT_CLOCK_TSC */

/* Instructions to run whenever a sequence was interrupted; they may use rax. For tests. */
#ifndef ANNOT_RSEQ_ABORT_HOOK
#define ANNOT_RSEQ_ABORT_HOOK ""
#endif

/* rseq_cs of the calling thread. */
static inline uint64_t annot_rseq_current(int64_t rseq_offset)
{
	uint64_t current;

	__asm__ __volatile__("movq %%fs:8(%1), %0" : "=r"(current) : "r"(rseq_offset));
	return current;
}

/* Leaves a sequence by another way than its end. */
static inline void annot_rseq_leave(int64_t rseq_offset)
{
	__asm__ __volatile__("movq $0, %%fs:8(%0)" : : "r"(rseq_offset) : "memory");
}

/* Sets rseq_cs. The ring is in rcx from then on, its head in r8. */
#define ANNOT_RSEQ_ENTER                                                              \
	".pushsection __rseq_cs, \"aw?\"\n\t"                                         \
	".balign 32\n"                                                                \
	"3:\t.long 0, 0\n\t"                                                          \
	".quad 1f, 2f - 1f, 4f\n\t"                                                   \
	".popsection\n"                                                               \
	"movl $16, %%r9d\n\t"                                                         \
	"testq %[rseq], %[rseq]\n\t"                                                  \
	"jnz 5f\n\t"                                                                  \
	"jmp %l[none]\n\t"                                                            \
	".byte 0x0f, 0xb9, 0x3d\n\t" /* ud1, with the signature as operand */         \
	".long 0x53053053\n"                                                          \
	"4:\t" ANNOT_RSEQ_ABORT_HOOK "decl %%r9d\n\t"                                 \
	"jz %l[unable]\n"                                                             \
	"5:\tleaq 3b(%%rip), %%rax\n\t"                                               \
	"movq %%rax, %%fs:8(%[rseq])\n" /* rseq_cs */                                 \
	"1:\tmovq %[index], %%rcx\n\t"                                                \
	"movl %%fs:(%%rcx), %%ecx\n\t" /* a cpu_id is -1 in an unregistered thread */ \
	"cmpl %[nr_rings], %%ecx\n\t"                                                 \
	"jae %l[unable]\n\t"                                                          \
	"movq %[rings], %%rax\n\t"                                                    \
	"movq (%%rax, %%rcx, 8), %%rcx\n\t"                                           \
	"movq (%%rcx), %%r8\n\t" /* head */

/* Room for one record, or for two: the limit is at the head or beyond it. */
#define ANNOT_RSEQ_NEED_ONE                   \
	"cmpq 8(%%rcx), %%r8\n\t" /* limit */ \
	"je %l[unable]\n\t"
#define ANNOT_RSEQ_NEED_TWO                    \
	"movq 8(%%rcx), %%rdx\n\t" /* limit */ \
	"subq %%r8, %%rdx\n\t"                 \
	"cmpq $64, %%rdx\n\t"                  \
	"jb %l[unable]\n\t"

/* The time is in rax from then on. */
#define ANNOT_RSEQ_READ_CLOCK                                       \
	"rdtsc\n\t"                                                 \
	"shlq $32, %%rdx\n\t"                                       \
	"orq %%rdx, %%rax\n\t"                                      \
	"movq %%rax, %%rdx\n\t"                                     \
	"addq 24(%%rcx), %%rdx\n\t" /* due: as a negative number */ \
	"jc %l[unable]\n\t"

/* A record of these operands; r8 is behind it from then on. */
#define ANNOT_RSEQ_PUT(value, meta)              \
	"movq 16(%%rcx), %%rdx\n\t" /* mask */   \
	"andq %%r8, %%rdx\n\t"                   \
	"movq %%rax, 4096(%%rcx, %%rdx)\n\t"     \
	"movq " value ", 4104(%%rcx, %%rdx)\n\t" \
	"movq " meta ", 4112(%%rcx, %%rdx)\n\t"  \
	"addq $32, %%r8\n\t"

#define ANNOT_RSEQ_PUBLISH                                     \
	"movq %%r8, (%%rcx)\n" /* x86 keeps stores in order */ \
	"2:\tmovq $0, %%fs:8(%[rseq])"

/*
 * Writes @value and @meta (the words at 8 and 16 of struct annot_record) with the time. 0 when it
 * could not: there are no rings (@rseq_offset is 0), or none here, or it is full or due, or the
 * sequence was interrupted each time.
 */
static inline __attribute__((always_inline)) int annot_rseq_store(int64_t rseq_offset,
								  uint64_t meta, int64_t value)
{
	__asm__ __volatile__ goto(
		ANNOT_RSEQ_ENTER ANNOT_RSEQ_NEED_ONE ANNOT_RSEQ_READ_CLOCK
			ANNOT_RSEQ_PUT("%[value]", "%[meta]") ANNOT_RSEQ_PUBLISH
		:
		: [rseq] "r"(rseq_offset), [index] "m"(annot_rings.index_offset),
		  [nr_rings] "m"(annot_rings.nr_rings), [rings] "m"(annot_rings.rings),
		  [value] "er"(value), [meta] "er"(meta)
		: "rax", "rcx", "rdx", "r8", "r9", "cc", "memory"
		: unable, none);
	return 1;
unable:
	annot_rseq_leave(rseq_offset);
none:
	return 0;
}

#define ANNOT_RSEQ_TWO 1

/* The same of two records, of one time, since reading it is what costs. Both are written, or none. */
static inline __attribute__((always_inline)) int annot_rseq_store_two(int64_t rseq_offset,
								      uint64_t meta, int64_t value,
								      uint64_t next_meta,
								      int64_t next_value)
{
	__asm__ __volatile__ goto(
		ANNOT_RSEQ_ENTER ANNOT_RSEQ_NEED_TWO ANNOT_RSEQ_READ_CLOCK
			ANNOT_RSEQ_PUT("%[value]", "%[meta]")
				ANNOT_RSEQ_PUT("%[next_value]", "%[next_meta]") ANNOT_RSEQ_PUBLISH
		:
		: [rseq] "r"(rseq_offset), [index] "m"(annot_rings.index_offset),
		  [nr_rings] "m"(annot_rings.nr_rings), [rings] "m"(annot_rings.rings),
		  [value] "er"(value), [meta] "er"(meta), [next_value] "er"(next_value),
		  [next_meta] "er"(next_meta)
		: "rax", "rcx", "rdx", "r8", "r9", "cc", "memory"
		: unable, none);
	return 1;
unable:
	annot_rseq_leave(rseq_offset);
none:
	return 0;
}

#endif /* ANNOT_RSEQ_X86_64_H */

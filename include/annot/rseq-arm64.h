/* SPDX-License-Identifier: MIT */
/*
 * One record into the ring of this CPU or thread: arm64, little-endian. Part of annot/annot.h, not
 * to be included alone. rseq-x86_64.h explains the method.
 *
 * The head that publishes the record is stored with release: the ring of a thread may be emptied by
 * another one of its process. (That of a CPU is emptied by the kernel there, and would need none.)
 * The counter is read without an isb, which would cost more than all the rest: the time may be a
 * few instructions early.
 */
#if !defined(ANNOT_H)
#include <annot/annot.h> /* which includes this in its place */
#elif !defined(ANNOT_RSEQ_ARM64_H)
#define ANNOT_RSEQ_ARM64_H

#define ANNOT_RSEQ_CLOCK 2 /* ANNOT_CLOCK_CNTVCT */

/* Instructions to run whenever a sequence was interrupted; they may use x9 to x12. For tests. */
#ifndef ANNOT_RSEQ_ABORT_HOOK
#define ANNOT_RSEQ_ABORT_HOOK ""
#endif

/* rseq_cs of the calling thread. */
static inline uint64_t annot_rseq_current(int64_t rseq_offset)
{
	uint64_t current;

	__asm__ __volatile__("mrs %0, tpidr_el0\n\t"
			     "add %0, %0, %1\n\t"
			     "ldr %0, [%0, #8]"
			     : "=&r"(current)
			     : "r"(rseq_offset));
	return current;
}

/* Leaves a sequence by another way than its end. */
static inline void annot_rseq_leave(int64_t rseq_offset)
{
	__asm__ __volatile__("mrs x9, tpidr_el0\n\t"
			     "add x9, x9, %0\n\t"
			     "str xzr, [x9, #8]"
			     :
			     : "r"(rseq_offset)
			     : "x9", "memory");
}

/*
 * Writes @value and @meta (the words at 8 and 16 of struct annot_record) with the time. 0 when it
 * could not: there are no rings (@rseq_offset is 0), or none here, or it is full or due, or the
 * sequence was interrupted each time.
 */
static inline __attribute__((always_inline)) int annot_rseq_store(int64_t rseq_offset,
								  uint64_t meta, int64_t value)
{
	__asm__ __volatile__ goto(
		".pushsection __rseq_cs, \"aw?\"\n\t"
		".balign 32\n"
		"3:\t.long 0, 0\n\t"
		".quad 1f, 2f - 1f, 4f\n\t"
		".popsection\n"

		"mov w15, #16\n\t"
		"cbnz %[rseq], 5f\n\t"
		"b %l[none]\n\t"
		".inst 0xd428bc00\n" /* brk, the signature */
		"4:\t" ANNOT_RSEQ_ABORT_HOOK "subs w15, w15, #1\n\t"
		"b.ne 5f\n\t"
		"b %l[unable]\n"
		"5:\tmrs x9, tpidr_el0\n\t"
		"add x9, x9, %[rseq]\n\t"
		"adrp x10, 3b\n\t"
		"add x10, x10, :lo12:3b\n\t"
		"str x10, [x9, #8]\n" /* rseq_cs */
		"1:\tldr x10, %[index]\n\t"
		"mrs x11, tpidr_el0\n\t"
		"ldr w10, [x11, x10]\n\t" /* a cpu_id is -1 in an unregistered thread */
		"ldr w11, %[nr_rings]\n\t"
		"cmp w10, w11\n\t"
		"b.lo 6f\n\t" /* b reaches further than b.hs */
		"b %l[unable]\n"
		"6:\tldr x12, %[rings]\n\t"
		"ldr x10, [x12, x10, lsl #3]\n\t"
		"ldp x11, x12, [x10]\n\t" /* head, limit */
		"cmp x11, x12\n\t"
		"b.ne 7f\n\t"
		"b %l[unable]\n"
		"7:\tmrs x13, cntvct_el0\n\t"
		"ldp x12, x14, [x10, #16]\n\t" /* mask, due: as a negative number */
		"cmn x14, x13\n\t"
		"b.cc 8f\n\t"
		"b %l[unable]\n"
		"8:\tand x12, x12, x11\n\t"
		"add x12, x12, x10\n\t"
		"ldr x14, %[page]\n\t"
		"add x12, x12, x14\n\t"
		"stp x13, %x[value], [x12]\n\t"
		"str %x[meta], [x12, #16]\n\t"
		"add x11, x11, #32\n\t"
		"stlr x11, [x10]\n"
		"2:\tstr xzr, [x9, #8]"
		:
		: [rseq] "r"(rseq_offset), [index] "m"(annot_rings.index_offset),
		  [nr_rings] "m"(annot_rings.nr_rings), [rings] "m"(annot_rings.rings),
		  [page] "m"(annot_rings.page_bytes), [value] "rZ"(value), [meta] "rZ"(meta)
		: "x9", "x10", "x11", "x12", "x13", "x14", "x15", "cc", "memory"
		: unable, none);
	return 1;
unable:
	annot_rseq_leave(rseq_offset);
none:
	return 0;
}

#endif /* ANNOT_RSEQ_ARM64_H */

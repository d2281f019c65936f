/* SPDX-License-Identifier: MIT */
/*
 * One record into the ring of this CPU or thread: riscv64. Part of annot/annot.h, not to be
 * included alone. rseq-x86_64.h explains the method.
 *
 * A fence makes the store of the head a release: another thread of the process may empty the ring
 * of a thread. The kernel empties that of a CPU on this CPU, and would need none.
 *
 * "jump" reaches everywhere: a compiler may put what is seldom done far away.
 */
#if !defined(ANNOT_H)
#include <annot/annot.h> /* which includes this in its place */
#elif !defined(ANNOT_RSEQ_RISCV64_H)
#define ANNOT_RSEQ_RISCV64_H

#define ANNOT_RSEQ_CLOCK 3 /* ANNOT_CLOCK_TIME */

/* Instructions to run whenever a sequence was interrupted; they may use t0, t2 and t3. For tests. */
#ifndef ANNOT_RSEQ_ABORT_HOOK
#define ANNOT_RSEQ_ABORT_HOOK ""
#endif

/* rseq_cs of the calling thread. */
static inline uint64_t annot_rseq_current(int64_t rseq_offset)
{
	uint64_t current;

	__asm__ __volatile__("add %0, tp, %1\n\t"
			     "ld %0, 8(%0)"
			     : "=&r"(current)
			     : "r"(rseq_offset));
	return current;
}

/* Leaves a sequence by another way than its end. */
static inline void annot_rseq_leave(int64_t rseq_offset)
{
	__asm__ __volatile__("add t0, tp, %0\n\t"
			     "sd zero, 8(t0)"
			     :
			     : "r"(rseq_offset)
			     : "t0", "memory");
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
		"3:\t.4byte 0, 0\n\t"
		".8byte 1f, 2f - 1f, 4f\n\t"
		".popsection\n\t"

		"li t6, 16\n\t"
		"add t1, tp, %[rseq]\n\t"
		"bnez %[rseq], 5f\n\t"
		"jump %l[none], t0\n\t"
		".balign 4\n\t"
		".4byte 0xf1401073\n" /* csrr zero, mhartid: the signature */
		"4:\t" ANNOT_RSEQ_ABORT_HOOK "addi t6, t6, -1\n\t"
		"bnez t6, 5f\n\t"
		"jump %l[unable], t0\n"
		"5:\tlla t0, 3b\n\t"
		"sd t0, 8(t1)\n" /* rseq_cs */
		"1:\tld t0, %[index]\n\t"
		"add t0, tp, t0\n\t"
		"lwu t0, 0(t0)\n\t" /* a cpu_id is -1 in an unregistered thread */
		"lwu t2, %[nr_rings]\n\t"
		"bltu t0, t2, 6f\n\t"
		"jump %l[unable], t0\n"
		"6:\tld t2, %[rings]\n\t"
		"slli t0, t0, 3\n\t"
		"add t0, t0, t2\n\t"
		"ld t0, 0(t0)\n\t"
		"ld t3, 0(t0)\n\t" /* head */
		"ld t2, 8(t0)\n\t" /* limit */
		"bne t3, t2, 7f\n\t"
		"jump %l[unable], t0\n"
		"7:\trdtime t4\n\t"
		"ld t2, 24(t0)\n\t" /* due: as a negative number */
		"add t2, t2, t4\n\t"
		"bgeu t2, t4, 8f\n\t" /* unless the sum is too large */
		"jump %l[unable], t0\n"
		"8:\tld t2, 16(t0)\n\t" /* mask */
		"and t2, t2, t3\n\t"
		"add t2, t2, t0\n\t"
		"ld t5, %[page]\n\t"
		"add t2, t2, t5\n\t"
		"sd t4, 0(t2)\n\t"
		"sd %z[value], 8(t2)\n\t"
		"sd %z[meta], 16(t2)\n\t"
		"addi t3, t3, 32\n\t"
		"fence rw, w\n\t"
		"sd t3, 0(t0)\n"
		"2:\tsd zero, 8(t1)"
		:
		: [rseq] "r"(rseq_offset), [index] "m"(annot_rings.index_offset),
		  [nr_rings] "m"(annot_rings.nr_rings), [rings] "m"(annot_rings.rings),
		  [page] "m"(annot_rings.page_bytes), [value] "rJ"(value), [meta] "rJ"(meta)
		: "t0", "t1", "t2", "t3", "t4", "t5", "t6", "memory"
		: unable, none);
	return 1;
unable:
	annot_rseq_leave(rseq_offset);
none:
	return 0;
}

#endif /* ANNOT_RSEQ_RISCV64_H */

/* SPDX-License-Identifier: GPL-2.0 */
/* What the benchmarks of annotations have in common: the loop that reads the clock. */
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <stdint.h>

#define NR_FAST 20000

static inline uint64_t read_clock(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
#endif
}

/* Keeps the compiler from taking a loop apart. */
static inline void keep(uint64_t value)
{
	__asm__ __volatile__("" : : "r"(value) : "memory");
}

static inline void bench_clock(long nr_times)
{
	long i;

	for (i = 0; i < nr_times; i++)
		keep(read_clock());
}

#endif /* BENCH_LOOPS_H */

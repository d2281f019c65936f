/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Random numbers that are the same in each run, for resampling: a figure must not depend on when it
 * was asked for. Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
 */
#ifndef ANNOT_UTIL_RANDOM_H
#define ANNOT_UTIL_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state; /* any value is a seed */
};

static inline uint64_t random_u64(struct random *random)
{
	uint64_t mix = random->state += 0x9e3779b97f4a7c15ull;

	mix = (mix ^ (mix >> 30)) * 0xbf58476d1ce4e5b9ull;
	mix = (mix ^ (mix >> 27)) * 0x94d049bb133111ebull;
	return mix ^ (mix >> 31);
}

/* From 0 to below 1. */
static inline double random_share(struct random *random)
{
	return (double)(random_u64(random) >> 11) * 0x1p-53;
}

/* From 0 to below @nr, which is not 0. */
static inline size_t random_below(struct random *random, size_t nr)
{
	return (size_t)(random_share(random) * (double)nr);
}

#endif /* ANNOT_UTIL_RANDOM_H */

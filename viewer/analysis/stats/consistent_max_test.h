/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether one of several has more than the others again and again: a permutation test within blocks.
 * A block is one round, a value what one member had in it.
 *
 * Of each value counts by how much of the block's median it is above that, though no more than twice
 * the median of all such distances, which of normal noise is 1.35 standard deviations: what is odd
 * once must neither stand for a habit nor hide one (Huber: Robust Statistics, 1981). Who has the
 * greatest sum of these has the habit. If nobody had, the values of a block might as well be dealt out
 * to its members in any other order; p is the share of such dealings, and of what was seen, in which
 * the greatest sum is as great, whosever it is (Fisher: The Design of Experiments, 1935; Phipson,
 * Smyth: Permutation P-values Should Never Be Zero, 2010). So it is exact for few blocks as well, and
 * needs no correction for the number of members.
 *
 * The seed is fixed: the same values have the same p. Cost: 9999 dealings of at most 4096 values, or of
 * 5 blocks where these are more, then of fewer dealings; it ends early where p is large, and after 1999 where none was as great.
 */
#ifndef ANNOT_CONSISTENT_MAX_TEST_H
#define ANNOT_CONSISTENT_MAX_TEST_H

#include <stddef.h>
#include <stdint.h>

struct consistent_max_value {
	uint32_t member; /* not twice in a block */
	double value; /* 0 or more */
};

struct consistent_max {
	uint32_t member; /* of those with the greatest sum, the first */
	double p_value; /* where it is more than CONSISTENT_MAX_CHANCE, a rough one; 1 without values */
};

#define CONSISTENT_MAX_CHANCE 0.01

/*
 * Block b is values[first[b]] to values[first[b + 1]]; of more blocks than it looks at, it takes some
 * throughout. @nr_members: members are below it.
 */
struct consistent_max consistent_max_test(const struct consistent_max_value *values,
					  const size_t *first, size_t nr_blocks, size_t nr_members);

#endif /* ANNOT_CONSISTENT_MAX_TEST_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of points in time, as intervals: for times of several threads or CPUs, each point of which counts once.
 */
#ifndef ANNOT_INTERVALS_H
#define ANNOT_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
	uint64_t from_ns;
	uint64_t to_ns;
};

struct intervals {
	size_t nr;
	size_t capacity;
	struct interval *rows;
};

/* An empty one is not added. */
void intervals_add(struct intervals *intervals, uint64_t from_ns, uint64_t to_ns);

/* From here on they are in order, and do not overlap: what all others below ask for. */
void intervals_unite(struct intervals *intervals);

uint64_t intervals_length_ns(const struct intervals *intervals);

/* The length of what both have. */
uint64_t intervals_common_ns(const struct intervals *first, const struct intervals *second);

/* Whether any overlaps [from_ns, to_ns). */
bool intervals_touch(const struct intervals *intervals, uint64_t from_ns, uint64_t to_ns);

void intervals_free(struct intervals *intervals);

#endif /* ANNOT_INTERVALS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which share of a task's accesses misses a cache, from the curve of its working set: how many
 * different lines w(n) it uses in n accesses, on average.
 *
 * A cache of c lines that keeps those used last holds what was used in the last n accesses, where w(n)
 * = c; the next access misses it if that is of one line more: the ratio of misses is
 *	mr(c) = w(n + 1) - w(n), where w(n) = c,
 * the slope of the curve there (Denning, Schwartz: Properties of the Working-Set Model, CACM 15, 1972;
 * Xiang, Ding, Luo, Bao: HOTL: A Higher Order Theory of Locality, ASPLOS 2013). True curves of that
 * kind are concave, so what is taken is the slope of the least concave curve above the points, which
 * evens out their errors.
 *
 * It is of a cache of which any place can hold any line and which the task has for itself: sets that
 * conflict and others who use it make it miss more, prefetching makes it miss less. If the curve is of
 * samples, so do accesses of a line that follow each other too fast to be sampled.
 */
#ifndef ANNOT_MISS_RATIO_H
#define ANNOT_MISS_RATIO_H

#include <stdbool.h>
#include <stddef.h>

struct working_set_point {
	double accesses;
	double bytes;
	bool is_unsure; /* it may be far off: drawn as if each access were of another line */
};

/* Of points in order, whose bytes do not decrease. */
struct working_set_curve {
	const struct working_set_point *points;
	size_t nr;
	double line_bytes;
	bool is_whole; /* it does not rise beyond its last point */
};

/*
 * False: the curve does not reach so far, or begins beyond that. Cost: linear.
 */
bool miss_ratio_at(const struct working_set_curve *curve, double cache_bytes, double *ratio);

/*
 * What the ratio is at most, if the curve may be too high up to there, but not too low: as a true curve is
 * concave, its slope at a height is less than on the way up to that, c / n where w(n) = c.
 */
bool miss_ratio_most(const struct working_set_curve *curve, double cache_bytes, double *ratio);

#endif /* ANNOT_MISS_RATIO_H */

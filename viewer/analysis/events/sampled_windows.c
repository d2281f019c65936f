// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/sampled_windows.h"

#include <math.h>
#include <stdlib.h>

#define NR_STEPS 16
#define MOST_TOO_FAR 0.3
#define LEAST_TWICE 32
/* Fewer samples have too few distances. */
#define LEAST_SIZE 64
#define LEAST_IN_HALF 0.85
#define MOST_REGULAR 0.9

/* What is added up over windows. */
struct tally {
	double nr;
	double once;
	double twice;
	double in_half;
	double near[NR_STEPS]; /* of those hit twice, by their distance */
	double again;
	double as_before;
	size_t distance; /* the last one */
};

static int compare_sightings(const void *a, const void *b)
{
	const struct sampled_line *first = a, *second = b;

	if (first->line != second->line)
		return first->line < second->line ? -1 : 1;
	return first->at < second->at ? -1 : first->at > second->at;
}

/* All hits of one line in one window. */
static void add_line(struct tally *tally, const struct sampled_line *hits, size_t nr, size_t size)
{
	tally->nr++;
	tally->once += nr == 1;
	tally->in_half += 1 - exp2(-(double)nr);
	if (nr == 2) {
		tally->twice++;
		tally->near[(hits[1].at - hits[0].at) * NR_STEPS / size]++;
	}
	for (size_t i = 1; i < nr; i++) {
		size_t distance = hits[i].at - hits[i - 1].at;

		tally->again++;
		tally->as_before += distance == tally->distance;
		tally->distance = distance;
	}
}

static void add_window(struct tally *tally, struct sampled_line *sampled_lines, size_t size)
{
	size_t end;

	qsort(sampled_lines, size, sizeof(*sampled_lines), compare_sightings);
	for (size_t first = 0; first < size; first = end) {
		for (end = first + 1;
		     end < size && sampled_lines[end].line == sampled_lines[first].line; end++)
			;
		add_line(tally, &sampled_lines[first], end - first, size);
	}
}

/* The greatest lack of distances up to x, of what chance makes of them. */
static double too_far(const struct tally *tally)
{
	double most = 0, share = 0;

	for (int step = 0; step < NR_STEPS && tally->twice > 0; step++) {
		double x = (step + 1.0) / NR_STEPS;

		share += tally->near[step] / tally->twice;
		if (x * (2 - x) - share > most)
			most = x * (2 - x) - share;
	}
	return most;
}

struct sampled_windows sampled_windows_compute(struct sampled_line *sampled_lines, size_t nr,
					       size_t size)
{
	double nr_windows = (double)(nr / size);
	struct tally tally = { 0 };

	for (size_t first = 0; first + size <= nr; first += size)
		add_window(&tally, &sampled_lines[first], size);
	return (struct sampled_windows){
		.size = size,
		.mean = { tally.nr / nr_windows, tally.once / nr_windows,
			  tally.twice / nr_windows },
		.nr_twice = tally.twice,
		.too_far = too_far(&tally),
		.nr_in_half = tally.in_half / nr_windows,
		.nr_again = tally.again,
		.nr_as_before = tally.as_before,
	};
}

static bool has_enough(const struct sampled_windows *windows)
{
	return windows->size >= LEAST_SIZE && windows->nr_twice >= LEAST_TWICE;
}

bool sampled_windows_are_random(const struct sampled_windows *windows,
				const struct sampled_windows *half)
{
	return has_enough(windows) && windows->too_far <= MOST_TOO_FAR &&
	       half->mean.nr >= LEAST_IN_HALF * windows->nr_in_half;
}

bool sampled_windows_are_in_order(const struct sampled_windows *windows)
{
	return has_enough(windows) && windows->too_far > MOST_TOO_FAR;
}

bool sampled_windows_are_regular(const struct sampled_windows *windows)
{
	return windows->nr_again >= LEAST_TWICE &&
	       windows->nr_as_before >= MOST_REGULAR * windows->nr_again;
}

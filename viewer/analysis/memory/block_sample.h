/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What small blocks of memory that were told of a random sample (symbols/data/sampled_block.h) tell of all that are like
 * them: which share of an event's samples is in these. It is the lines in which blocks begin that are sampled, so the
 * samples in blocks of one line belong together.
 *
 * Samples in the blocks that were not told are of whatever else is known of their addresses: [heap], [unknown], a mapping. So
 * such a share is no part of what all rows of a table make: most of it is in those rows, too.
 */
#ifndef ANNOT_BLOCK_SAMPLE_H
#define ANNOT_BLOCK_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A sample in such a block. */
struct block_hit {
	size_t row; /* of what is computed */
	uint64_t line;
	double period;
};

struct block_hits {
	size_t nr;
	size_t capacity;
	struct block_hit *hits;
};

/* Of a row. */
struct block_estimate {
	uint64_t one_of; /* of so many lines one is told; 0: it is of no sample */
	size_t nr_lines; /* that have samples */
	bool is_known; /* false: they are too few, or a few of them have most samples */
	double share; /* of the event's samples, by their periods, of all blocks like these */
	double low; /* the truth is between them in 95 of 100 cases */
	double high;
};

/* @address: of the block's begin. */
void block_hits_add(struct block_hits *hits, size_t row, uint64_t address, uint64_t period);

/* Call it after the last one. */
void block_hits_settle(struct block_hits *hits);

/* @all: what the event's samples make. Cost: the row's hits. */
struct block_estimate block_hits_estimate(const struct block_hits *hits, size_t row,
					  uint64_t one_of, double all);

void block_hits_free(struct block_hits *hits);

/* What a row of @count stands for: by that, rows are ranked. */
static inline double block_estimate_weight(const struct block_estimate *estimate, double count)
{
	return estimate->is_known ? count * (double)estimate->one_of : count;
}

#endif /* ANNOT_BLOCK_SAMPLE_H */

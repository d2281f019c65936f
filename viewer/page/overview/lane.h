/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of what there was in each bucket of time: of a thread, the time in each state; of a CPU,
 * the time of each thread; of a depth of spans, the time of each name; of a measured event, the
 * amount in each eighth of the bucket.
 *
 * A lane is a string of bytes to which cells are added in time order, one a bucket, so that it takes
 * little memory; stretches that belong to one thing alone are one cell, however long. What comes
 * late, for a bucket that has been passed, is kept aside and put in its place when the lane is read.
 */
#ifndef ANNOT_PAGE_OVERVIEW_LANE_H
#define ANNOT_PAGE_OVERVIEW_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What lies beyond is cut off. */
#define OVERVIEW_LATEST_NS ((uint64_t)INT64_MAX)

/* Bucket i is [i << shift, (i + 1) << shift). All that is added before the latest time lies on it. */
struct overview_axis {
	unsigned int shift;
	uint32_t nr_max; /* buckets */
	size_t nr_bytes; /* that the cells take, of all lanes */
};

#define LANE_NO_BUCKET UINT32_MAX

/* Of a dense lane: what there is an amount of is a number below that, which is its place, too. */
#define LANE_DENSE 8u

/*
 * Of other lanes: while a bucket is added to, so many are told apart, and these exactly. When it
 * is passed, or if there are more, the largest ones are kept, and the others as one.
 */
#define LANE_TOLD_APART 64u
#define LANE_GUESSES 8u
#define LANE_KEPT 16u
#define LANE_OTHERS UINT32_MAX

struct lane_amount {
	uint64_t amount;
	uint32_t of;
};

struct lane_cell {
	uint32_t bucket; /* the first one; LANE_NO_BUCKET: there is no cell */
	uint32_t nr_whole; /* so many buckets are amounts[0].of's alone; 0: it is one bucket */
	uint32_t nr;
	uint32_t capacity;
	struct lane_amount *amounts;
};

struct lane_late {
	uint64_t amount;
	uint32_t bucket;
	uint32_t nr_whole;
	uint32_t of;
};

/* Fields are private. Begins as lane_new(); lane_free() frees what it holds. */
struct lane {
	bool is_dense;
	uint8_t guesses[LANE_GUESSES]; /* places in open.amounts, by what the amount is of */
	struct lane_cell open; /* the bucket that is being added to */
	uint32_t next; /* the first bucket that has not been passed */
	uint32_t written; /* the first bucket behind those in bytes */
	uint8_t *bytes;
	size_t nr_bytes;
	size_t capacity;
	struct lane_late *late;
	size_t nr_late;
	size_t late_capacity;
};

static inline struct lane lane_new(bool is_dense)
{
	return (struct lane){ .is_dense = is_dense, .open = { .bucket = LANE_NO_BUCKET } };
}

/* Cost: O(1) if @bucket was the last one's, and @of too. Sums stop at UINT64_MAX. */
void lane_add(struct overview_axis *axis, struct lane *lane, uint32_t bucket, uint32_t of,
	      uint64_t amount);

/* Sums stop at UINT64_MAX. */
static inline uint64_t lane_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Returns the place where it is. */
uint32_t lane_cell_add(struct lane_cell *cell, uint32_t of, uint64_t amount);

/* To the open cell, which there is. */
static inline void lane_add_open(struct lane *lane, uint32_t of, uint64_t amount)
{
	struct lane_cell *open = &lane->open;
	uint32_t place = lane->is_dense ? of : lane->guesses[of % LANE_GUESSES];

	if (place < open->nr && open->amounts[place].of == of)
		open->amounts[place].amount = lane_sum(open->amounts[place].amount, amount);
	else
		lane->guesses[of % LANE_GUESSES] = (uint8_t)lane_cell_add(open, of, amount);
}

/* As lane_add_time(), of any time. */
void lane_add_long_time(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
			uint64_t to_ns, uint32_t of);

/* Whether it is in the bucket of what was added before: most times are. */
static inline bool lane_has_open(const struct overview_axis *axis, const struct lane *lane,
				 uint64_t from_ns, uint64_t to_ns)
{
	return from_ns >> axis->shift == lane->open.bucket && to_ns > from_ns &&
	       (to_ns - 1) >> axis->shift == lane->open.bucket;
}

/* The time [@from_ns, @to_ns) to @of. */
static inline void lane_add_time(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
				 uint64_t to_ns, uint32_t of)
{
	if (lane_has_open(axis, lane, from_ns, to_ns))
		lane_add_open(lane, of, to_ns - from_ns);
	else
		lane_add_long_time(axis, lane, from_ns, to_ns, of);
}

/*
 * Makes the lane's buckets 2^@nr_doublings as wide as those of @axis. @are_eighths: what there are
 * amounts of are eighths of a bucket.
 */
void lane_coarsen(struct overview_axis *axis, struct lane *lane, unsigned int nr_doublings,
		  bool are_eighths);

void lane_free(struct overview_axis *axis, struct lane *lane);

/* Gives the cells of a lane in time order; nothing may be added to it meanwhile. */
struct lane_reader {
	const struct overview_axis *axis;
	const struct lane *lane;
	size_t at; /* in bytes; the cell before it is... */
	struct lane_cell ahead;
	size_t late; /* the next one of these */
	uint32_t next; /* cells that begin before it are left out: nothing overlaps */
	struct lane_cell cell;
};

void lane_read_begin(struct lane_reader *reader, struct overview_axis *axis, struct lane *lane);
/* The next cell, valid until the next call; at the end NULL, and the reader is done with. */
const struct lane_cell *lane_read(struct lane_reader *reader);

/* Of a cell: the largest amount but LANE_OTHERS', among equals that with the lowest number. */
const struct lane_amount *lane_cell_most(const struct lane_cell *cell);
uint64_t lane_cell_sum(const struct lane_cell *cell);

/* An amount of time in a bucket as 255ths of it: all of it is 255, more than nothing at least 1. */
uint8_t overview_share(const struct overview_axis *axis, uint64_t amount_ns);

#endif /* ANNOT_PAGE_OVERVIEW_LANE_H */

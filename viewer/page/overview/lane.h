/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lane: amounts by number in each bucket of time. The number and amount are: in a lane of a
 * thread, a state and its time; of a CPU, a thread and its time; of a depth of spans, a name and
 * its time; of a PMU event, an eighth of the bucket and the event's amount.
 *
 * To save memory, a lane is a byte string of cells in time order, one for each bucket. Consecutive
 * buckets with only one number are a single cell. Amounts for buckets that are already complete are
 * kept in a list, and merged in when the lane is read.
 */
#ifndef ANNOT_PAGE_OVERVIEW_LANE_H
#define ANNOT_PAGE_OVERVIEW_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Times beyond this are cut off. */
#define OVERVIEW_LATEST_NS ((uint64_t)INT64_MAX)

/* Bucket i is [i << shift, (i + 1) << shift). All times that were added are inside the axis. */
struct overview_axis {
	unsigned int shift;
	uint32_t nr_max; /* buckets */
	size_t nr_bytes; /* size of the cells of all lanes */
};

#define LANE_NO_BUCKET UINT32_MAX

/* In a dense lane, numbers are below this, and the number is also the place in the cell. */
#define LANE_DENSE 8u

/*
 * In other lanes, an open bucket has amounts of up to this many numbers, exactly. When it is
 * complete or full, the largest ones are kept, and the others are summed up in one.
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
	uint32_t bucket; /* the first bucket; LANE_NO_BUCKET: no cell */
	uint32_t nr_whole; /* number of buckets that have only amounts[0].of; 0: a single bucket */
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

/* Fields are private. Initialise with lane_new(); lane_free() frees the memory. */
struct lane {
	bool is_dense;
	uint8_t guesses[LANE_GUESSES]; /* probable index in open.amounts, by hash of the number */
	struct lane_cell open; /* the bucket being added to */
	uint32_t next; /* the first incomplete bucket */
	uint32_t written; /* the first bucket that is not in bytes */
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

/*
 * Adds @amount of number @of to @bucket. Cost: O(1) if @bucket and @of are those of the last call.
 * Sums saturate at UINT64_MAX.
 */
void lane_add(struct overview_axis *axis, struct lane *lane, uint32_t bucket, uint32_t of,
	      uint64_t amount);

/* Adds, and saturates at UINT64_MAX. */
static inline uint64_t lane_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Adds @amount of number @of. Returns its index in cell->amounts. */
uint32_t lane_cell_add(struct lane_cell *cell, uint32_t of, uint64_t amount);

/* Adds to the open cell. There must be one. */
static inline void lane_add_open(struct lane *lane, uint32_t of, uint64_t amount)
{
	struct lane_cell *open = &lane->open;
	uint32_t place = lane->is_dense ? of : lane->guesses[of % LANE_GUESSES];

	if (place < open->nr && open->amounts[place].of == of)
		open->amounts[place].amount = lane_sum(open->amounts[place].amount, amount);
	else
		lane->guesses[of % LANE_GUESSES] = (uint8_t)lane_cell_add(open, of, amount);
}

/* An interval of time in buckets: a part of the first, the whole ones [whole, last), a part of the last. */
struct lane_interval {
	uint32_t first;
	uint32_t whole;
	uint32_t last;
	uint64_t first_ns; /* 0: it begins with a whole bucket, or is empty */
	uint64_t last_ns; /* 0: it ends with a whole bucket, or in the first one */
};

struct lane_interval lane_divide(const struct overview_axis *axis, uint64_t from_ns,
				 uint64_t to_ns);

/* lane_add_time() for the general case. */
void lane_add_long_time(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
			uint64_t to_ns, uint32_t of);

/* Whether the interval is inside the open bucket. Most are. */
static inline bool lane_has_open(const struct overview_axis *axis, const struct lane *lane,
				 uint64_t from_ns, uint64_t to_ns)
{
	return from_ns >> axis->shift == lane->open.bucket && to_ns > from_ns &&
	       (to_ns - 1) >> axis->shift == lane->open.bucket;
}

/* Adds the interval [@from_ns, @to_ns) to number @of. */
static inline void lane_add_time(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
				 uint64_t to_ns, uint32_t of)
{
	if (lane_has_open(axis, lane, from_ns, to_ns))
		lane_add_open(lane, of, to_ns - from_ns);
	else
		lane_add_long_time(axis, lane, from_ns, to_ns, of);
}

/*
 * Makes the lane's buckets 2^@nr_doublings times as long as those of @axis. @are_eighths: the
 * numbers are eighths of a bucket.
 */
void lane_coarsen(struct overview_axis *axis, struct lane *lane, unsigned int nr_doublings,
		  bool are_eighths);

void lane_free(struct overview_axis *axis, struct lane *lane);

/* Reads the cells of a lane in time order. Nothing may be added meanwhile. */
struct lane_reader {
	const struct overview_axis *axis;
	const struct lane *lane;
	size_t at; /* offset in bytes; the cell before it is `ahead` */
	struct lane_cell ahead;
	size_t late; /* index of the next late amount */
	uint32_t next; /* cells that begin before this are skipped, so that none overlap */
	struct lane_cell cell;
};

void lane_read_begin(struct lane_reader *reader, struct overview_axis *axis, struct lane *lane);
/*
 * Returns the next cell, valid until the next call. At the end returns NULL, and the reader is
 * freed.
 */
const struct lane_cell *lane_read(struct lane_reader *reader);

/*
 * The largest amount of the cell, without LANE_OTHERS. Among equal ones, that with the lowest
 * number.
 */
const struct lane_amount *lane_cell_most(const struct lane_cell *cell);
uint64_t lane_cell_sum(const struct lane_cell *cell);

/* An amount of time in a bucket, in 255ths of the bucket; at least 1 if the time is not 0. */
uint8_t overview_share(const struct overview_axis *axis, uint64_t amount_ns);

#endif /* ANNOT_PAGE_OVERVIEW_LANE_H */

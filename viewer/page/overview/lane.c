// SPDX-License-Identifier: GPL-2.0
/*
 * The encoding of a cell in bytes: the distance in buckets from the end of the previous cell, times
 * two, plus 1 if it is a run of whole buckets. For a run, its length and number follow. Otherwise,
 * the number of amounts follows, and each amount with its number. All are varints as in block.h.
 */
#include "page/overview/lane.h"

#include <stdlib.h>

#include "page/block.h"
#include "util/xalloc.h"

static void put_value(struct overview_axis *axis, struct lane *lane, uint64_t value)
{
	if (lane->capacity - lane->nr_bytes < BLOCK_VARINT_BYTES) {
		size_t capacity = lane->nr_bytes + lane->nr_bytes / 2 + 4 * BLOCK_VARINT_BYTES;

		axis->nr_bytes += capacity - lane->capacity;
		lane->bytes = xrealloc_array(lane->bytes, capacity, 1);
		lane->capacity = capacity;
	}
	lane->nr_bytes = (size_t)(varint_put(lane->bytes + lane->nr_bytes, value) - lane->bytes);
}

static uint64_t get_value(const struct lane *lane, size_t *at)
{
	uint64_t value = 0;
	unsigned int shift = 0;

	for (; lane->bytes[*at] & 0x80; shift += 7)
		value |= (uint64_t)(lane->bytes[(*at)++] & 0x7f) << shift;
	return value | (uint64_t)lane->bytes[(*at)++] << shift;
}

/* The largest first. The sum of the others is last. */
static int compare_amounts(const void *left, const void *right)
{
	const struct lane_amount *a = left, *b = right;

	if ((a->of == LANE_OTHERS) != (b->of == LANE_OTHERS))
		return a->of == LANE_OTHERS ? 1 : -1;
	if (a->amount != b->amount)
		return a->amount > b->amount ? -1 : 1;
	return (a->of > b->of) - (a->of < b->of);
}

/* Keeps the largest of many, and what the others have together. */
static void keep_largest(struct lane_cell *cell)
{
	if (cell->nr <= LANE_KEPT + 1)
		return;
	qsort(cell->amounts, cell->nr, sizeof(*cell->amounts), compare_amounts);
	for (uint32_t i = LANE_KEPT + 1; i < cell->nr; i++)
		cell->amounts[LANE_KEPT].amount = lane_sum(cell->amounts[LANE_KEPT].amount,
							   cell->amounts[i].amount);
	cell->amounts[LANE_KEPT].of = LANE_OTHERS;
	cell->nr = LANE_KEPT + 1;
}

static void grow_cell(struct lane_cell *cell)
{
	cell->capacity = cell->capacity ? cell->capacity * 2 : 2;
	cell->amounts = xrealloc_array(cell->amounts, cell->capacity, sizeof(*cell->amounts));
}

uint32_t lane_cell_add(struct lane_cell *cell, uint32_t of, uint64_t amount)
{
	uint32_t place = 0;

	while (place < cell->nr && cell->amounts[place].of != of)
		place++;
	if (place < cell->nr) {
		cell->amounts[place].amount = lane_sum(cell->amounts[place].amount, amount);
		return place;
	}
	if (cell->nr == LANE_TOLD_APART) {
		keep_largest(cell);
		return lane_cell_add(cell, of, amount);
	}
	if (cell->nr == cell->capacity)
		grow_cell(cell);
	cell->amounts[cell->nr++] = (struct lane_amount){ amount, of };
	return place;
}

static void begin_cell(struct lane_cell *cell, uint32_t bucket, bool is_dense)
{
	cell->bucket = bucket;
	cell->nr_whole = 0;
	cell->nr = 0;
	if (!is_dense)
		return;
	while (cell->capacity < LANE_DENSE)
		grow_cell(cell);
	for (; cell->nr < LANE_DENSE; cell->nr++)
		cell->amounts[cell->nr] = (struct lane_amount){ 0, cell->nr };
}

static void put_step(struct overview_axis *axis, struct lane *lane, uint32_t bucket, bool is_whole)
{
	put_value(axis, lane, (uint64_t)(bucket - lane->written) << 1 | is_whole);
}

/* The bucket that was added to has been passed. */
static void close_cell(struct overview_axis *axis, struct lane *lane)
{
	struct lane_cell *open = &lane->open;
	uint32_t nr = 0;

	if (open->bucket == LANE_NO_BUCKET)
		return;
	keep_largest(open);
	for (uint32_t i = 0; i < open->nr; i++)
		nr += open->amounts[i].amount > 0;
	if (nr) {
		put_step(axis, lane, open->bucket, false);
		put_value(axis, lane, nr);
		for (uint32_t i = 0; i < open->nr; i++) {
			if (open->amounts[i].amount) {
				put_value(axis, lane, open->amounts[i].of);
				put_value(axis, lane, open->amounts[i].amount);
			}
		}
		lane->written = open->bucket + 1;
	}
	open->bucket = LANE_NO_BUCKET;
}

static void add_late(struct overview_axis *axis, struct lane *lane, const struct lane_late *late)
{
	if (lane->nr_late == lane->late_capacity) {
		size_t capacity = grown_capacity(lane->late_capacity, lane->nr_late + 1);

		axis->nr_bytes += (capacity - lane->late_capacity) * sizeof(*late);
		lane->late = xrealloc_array(lane->late, capacity, sizeof(*late));
		lane->late_capacity = capacity;
	}
	lane->late[lane->nr_late++] = *late;
}

void lane_add(struct overview_axis *axis, struct lane *lane, uint32_t bucket, uint32_t of,
	      uint64_t amount)
{
	if (bucket != lane->open.bucket) {
		if (bucket < lane->next) {
			add_late(axis, lane,
				 &(struct lane_late){
					 .amount = amount, .bucket = bucket, .of = of });
			return;
		}
		close_cell(axis, lane);
		begin_cell(&lane->open, bucket, lane->is_dense);
		lane->next = bucket + 1;
	}
	lane_add_open(lane, of, amount);
}

static void add_whole(struct overview_axis *axis, struct lane *lane, uint32_t bucket, uint32_t nr,
		      uint32_t of)
{
	if (bucket < lane->next) {
		add_late(axis, lane,
			 &(struct lane_late){ .bucket = bucket, .nr_whole = nr, .of = of });
		return;
	}
	close_cell(axis, lane);
	put_step(axis, lane, bucket, true);
	put_value(axis, lane, nr);
	put_value(axis, lane, of);
	lane->open.bucket = LANE_NO_BUCKET;
	lane->written = bucket + nr;
	lane->next = bucket + nr;
}

struct lane_interval lane_divide(const struct overview_axis *axis, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t width_ns = 1ull << axis->shift, mask = width_ns - 1;
	struct lane_interval interval = { 0 };

	if (to_ns > OVERVIEW_LATEST_NS)
		to_ns = OVERVIEW_LATEST_NS;
	if (to_ns <= from_ns)
		return interval;
	interval.first = (uint32_t)(from_ns >> axis->shift);
	interval.whole = (uint32_t)((from_ns + mask) >> axis->shift);
	interval.last = (uint32_t)(to_ns >> axis->shift);
	if (interval.last < interval.whole) {
		interval.last = interval.whole;
		interval.first_ns = to_ns - from_ns;
		return interval;
	}
	if (interval.first < interval.whole)
		interval.first_ns = width_ns - (from_ns & mask);
	interval.last_ns = to_ns & mask;
	return interval;
}

void lane_add_long_time(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
			uint64_t to_ns, uint32_t of)
{
	struct lane_interval interval = lane_divide(axis, from_ns, to_ns);

	if (interval.first_ns)
		lane_add(axis, lane, interval.first, of, interval.first_ns);
	if (interval.whole < interval.last)
		add_whole(axis, lane, interval.whole, interval.last - interval.whole, of);
	if (interval.last_ns)
		lane_add(axis, lane, interval.last, of, interval.last_ns);
}

void lane_free(struct overview_axis *axis, struct lane *lane)
{
	axis->nr_bytes -= lane->capacity + lane->late_capacity * sizeof(*lane->late);
	free(lane->open.amounts);
	free(lane->bytes);
	free(lane->late);
	*lane = lane_new(lane->is_dense);
}

void lane_coarsen(struct overview_axis *axis, struct lane *lane, unsigned int nr_doublings,
		  bool are_eighths)
{
	struct overview_axis coarser = *axis;
	struct lane coarse = lane_new(lane->is_dense);
	struct lane_reader reader;
	const struct lane_cell *cell;

	coarser.shift += nr_doublings;
	lane_read_begin(&reader, axis, lane);
	while ((cell = lane_read(&reader))) {
		uint32_t to = (uint32_t)((uint64_t)cell->bucket >> nr_doublings);

		if (cell->nr_whole)
			lane_add_time(&coarser, &coarse, (uint64_t)cell->bucket << axis->shift,
				      (uint64_t)(cell->bucket + cell->nr_whole) << axis->shift,
				      cell->amounts[0].of);
		for (uint32_t i = 0; i < cell->nr && !cell->nr_whole; i++) {
			uint64_t of = cell->amounts[i].of;

			if (are_eighths)
				of = ((uint64_t)cell->bucket * 8 + of) >> nr_doublings & 7;
			lane_add(&coarser, &coarse, to, (uint32_t)of, cell->amounts[i].amount);
		}
	}
	axis->nr_bytes = coarser.nr_bytes;
	lane_free(axis, lane);
	*lane = coarse;
}

/* Takes the next cell of the bytes in, if there is one. */
static void look_ahead(struct lane_reader *reader)
{
	struct lane_cell *ahead = &reader->ahead;
	uint32_t end = ahead->bucket + (ahead->nr_whole ? ahead->nr_whole : 1);
	uint64_t step, nr;

	if (!reader->at)
		end = 0;
	ahead->bucket = LANE_NO_BUCKET;
	if (reader->at == reader->lane->nr_bytes)
		return;
	step = get_value(reader->lane, &reader->at);
	nr = get_value(reader->lane, &reader->at);
	begin_cell(ahead, end + (uint32_t)(step >> 1), false);
	if (step & 1) {
		ahead->nr_whole = (uint32_t)nr;
		lane_cell_add(ahead, (uint32_t)get_value(reader->lane, &reader->at),
			      1ull << reader->axis->shift);
		return;
	}
	while (nr--) {
		uint32_t of = (uint32_t)get_value(reader->lane, &reader->at);

		lane_cell_add(ahead, of, get_value(reader->lane, &reader->at));
	}
}

static int compare_late(const void *left, const void *right)
{
	const struct lane_late *a = left, *b = right;

	return (a->bucket > b->bucket) - (a->bucket < b->bucket);
}

static void sort_late(struct lane *lane)
{
	for (size_t i = 1; i < lane->nr_late; i++) {
		if (lane->late[i].bucket < lane->late[i - 1].bucket) {
			qsort(lane->late, lane->nr_late, sizeof(*lane->late), compare_late);
			return;
		}
	}
}

void lane_read_begin(struct lane_reader *reader, struct overview_axis *axis, struct lane *lane)
{
	close_cell(axis, lane);
	sort_late(lane);
	*reader = (struct lane_reader){ .axis = axis, .lane = lane };
	look_ahead(reader);
}

/* To the cell, from one of its bucket. A stretch of whole buckets leaves no room for others. */
static void take_whole(struct lane_reader *reader, uint32_t nr_whole, uint32_t of)
{
	begin_cell(&reader->cell, reader->cell.bucket, false);
	reader->cell.nr_whole = nr_whole;
	lane_cell_add(&reader->cell, of, 1ull << reader->axis->shift);
}

static void take_late(struct lane_reader *reader)
{
	const struct lane_late *late = &reader->lane->late[reader->late++];

	if (late->nr_whole)
		take_whole(reader, late->nr_whole, late->of);
	else if (!reader->cell.nr_whole)
		lane_cell_add(&reader->cell, late->of, late->amount);
}

static void take_ahead(struct lane_reader *reader)
{
	const struct lane_cell *ahead = &reader->ahead;

	if (ahead->nr_whole)
		take_whole(reader, ahead->nr_whole, ahead->amounts[0].of);
	for (uint32_t i = 0; i < ahead->nr && !reader->cell.nr_whole; i++)
		lane_cell_add(&reader->cell, ahead->amounts[i].of, ahead->amounts[i].amount);
	look_ahead(reader);
}

static uint32_t late_bucket(const struct lane_reader *reader)
{
	return reader->late < reader->lane->nr_late ? reader->lane->late[reader->late].bucket :
						      LANE_NO_BUCKET;
}

const struct lane_cell *lane_read(struct lane_reader *reader)
{
	struct lane_cell *cell = &reader->cell;

	for (;;) {
		uint32_t bucket = reader->ahead.bucket;

		if (late_bucket(reader) < bucket)
			bucket = late_bucket(reader);
		if (bucket == LANE_NO_BUCKET) {
			free(reader->ahead.amounts);
			free(cell->amounts);
			return NULL;
		}
		begin_cell(cell, bucket, false);
		while (late_bucket(reader) == bucket)
			take_late(reader);
		if (reader->ahead.bucket == bucket)
			take_ahead(reader);
		if (bucket < reader->next)
			continue;
		reader->next = bucket + (cell->nr_whole ? cell->nr_whole : 1);
		return cell;
	}
}

const struct lane_amount *lane_cell_most(const struct lane_cell *cell)
{
	const struct lane_amount *most = &cell->amounts[0];

	for (uint32_t i = 1; i < cell->nr; i++) {
		if (compare_amounts(&cell->amounts[i], most) < 0)
			most = &cell->amounts[i];
	}
	return most;
}

uint64_t lane_cell_sum(const struct lane_cell *cell)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < cell->nr; i++)
		sum = lane_sum(sum, cell->amounts[i].amount);
	return sum;
}

uint8_t overview_share(const struct overview_axis *axis, uint64_t amount_ns)
{
	uint64_t width_ns = 1ull << axis->shift;

	if (!amount_ns)
		return 0;
	if (amount_ns >= width_ns)
		return UINT8_MAX;
	return amount_ns * UINT8_MAX < width_ns ? 1 :
						  (uint8_t)(amount_ns * UINT8_MAX >> axis->shift);
}

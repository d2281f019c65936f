// SPDX-License-Identifier: GPL-2.0
#include "page/overview/devices.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "page/overview/runs.h"

/*
 * The numbers of a lane of requests. As requests overlap, a stretch of buckets is told by where it begins and ends: of
 * any number of requests, however long they are, few amounts are kept.
 */
enum request_number {
	IN_PART_NS, /* the time that requests were in flight in a part of the bucket, added up */
	BEGUN, /* so many are in flight in all of the bucket, and those behind it ... */
	ENDED, /* ... up to this one, which they are not in all of */
};

struct overview_device {
	uint32_t name; /* string id */
	struct lane requests;
};

/* NULL: it is one too many. */
static struct overview_device *need_device(struct overview_devices *devices, uint32_t name)
{
	size_t at = 0;

	while (at < devices->nr && devices->devices[at].name != name)
		at++;
	if (at == MODEL_MOST_BLOCK_DEVICES)
		return NULL;
	if (at < devices->nr)
		return &devices->devices[at];
	if (column_is_full(at))
		devices->devices = column_grow(devices->devices, at, sizeof(*devices->devices));
	devices->devices[devices->nr++] = (struct overview_device){ .name = name,
								    .requests = lane_new(true) };
	return &devices->devices[at];
}

static void add_request(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
			uint64_t to_ns)
{
	struct lane_interval interval = lane_divide(axis, from_ns, to_ns);

	if (interval.first_ns)
		lane_add(axis, lane, interval.first, IN_PART_NS, interval.first_ns);
	if (interval.whole < interval.last) {
		lane_add(axis, lane, interval.whole, BEGUN, 1);
		lane_add(axis, lane, interval.last, ENDED, 1);
	}
	if (interval.last_ns)
		lane_add(axis, lane, interval.last, IN_PART_NS, interval.last_ns);
}

void overview_add_requests(struct overview_axis *axis, struct overview_devices *devices,
			   const struct block_io_table *block_io)
{
	for (size_t i = 0; i < block_io->nr; i++) {
		struct overview_device *device = need_device(devices, block_io->device[i]);

		if (device)
			add_request(axis, &device->requests, block_io->start_ns[i],
				    block_io->end_ns[i]);
	}
}

/* Of a lane that is read: the sums of buckets, stretch by stretch. */
struct request_sums {
	struct lane_reader reader;
	struct lane_cell cell; /* the next one; LANE_NO_BUCKET: there is none */
	uint64_t nr_in_flight; /* in all of a bucket */
	uint32_t at; /* the first bucket that was not told */
};

/* In each of the buckets [bucket, bucket + nr). */
struct request_sum {
	uint32_t bucket;
	uint32_t nr;
	uint64_t ns;
};

static void next_cell(struct request_sums *sums)
{
	const struct lane_cell *cell = lane_read(&sums->reader);

	sums->cell = cell ? *cell : (struct lane_cell){ .bucket = LANE_NO_BUCKET };
}

static void begin_sums(struct request_sums *sums, struct overview_axis *axis, struct lane *lane)
{
	*sums = (struct request_sums){ 0 };
	lane_read_begin(&sums->reader, axis, lane);
	next_cell(sums);
}

static uint64_t take_cell(struct request_sums *sums)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < sums->cell.nr; i++) {
		const struct lane_amount *amount = &sums->cell.amounts[i];

		if (amount->of == IN_PART_NS)
			ns = amount->amount;
		else if (amount->of == BEGUN)
			sums->nr_in_flight += amount->amount;
		else
			sums->nr_in_flight -= amount->amount;
	}
	return ns;
}

/* Returns false at the end. All that begins ends, so that nothing is in flight behind the last cell. */
static bool next_sum(struct request_sums *sums, struct request_sum *sum)
{
	uint64_t width_ns = 1ull << sums->reader.axis->shift, ns;

	if (sums->cell.bucket == LANE_NO_BUCKET)
		return false;
	*sum = (struct request_sum){ .bucket = sums->at, .nr = sums->cell.bucket - sums->at };
	if (sum->nr) {
		sum->ns = sums->nr_in_flight * width_ns;
	} else {
		ns = take_cell(sums);
		sum->ns = lane_sum(ns, sums->nr_in_flight * width_ns);
		sum->nr = 1;
		next_cell(sums);
	}
	sums->at = sum->bucket + sum->nr;
	return true;
}

/* What was in flight in all of a bucket may be in only a part of a longer one: sums take its place. */
static void coarsen_requests(struct overview_axis *axis, struct lane *lane,
			     unsigned int nr_doublings)
{
	struct overview_axis coarser = *axis;
	struct lane coarse = lane_new(lane->is_dense);
	struct request_sums sums;
	struct request_sum sum;

	coarser.shift += nr_doublings;
	begin_sums(&sums, axis, lane);
	while (next_sum(&sums, &sum)) {
		for (uint32_t i = 0; sum.ns && i < sum.nr; i++)
			lane_add(&coarser, &coarse, (sum.bucket + i) >> nr_doublings, IN_PART_NS,
				 sum.ns);
	}
	axis->nr_bytes = coarser.nr_bytes;
	lane_free(axis, lane);
	*lane = coarse;
}

void overview_coarsen_devices(struct overview_axis *axis, struct overview_devices *devices,
			      unsigned int nr_doublings)
{
	for (size_t i = 0; i < devices->nr; i++)
		coarsen_requests(axis, &devices->devices[i].requests, nr_doublings);
}

static uint64_t thousandths_of(const struct overview_axis *axis, uint64_t ns)
{
	double in_flight = (double)ns / (double)(1ull << axis->shift);

	if (!ns)
		return 0;
	return in_flight < 0.001 ? 1 : (uint64_t)(in_flight * 1000 + 0.5);
}

static void put_device(struct overview_axis *axis, struct overview_device *device,
		       uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_DEVICE_OVERVIEW };
	uint64_t nothing[RUNS_COLUMNS_MAX] = { 0 };
	struct request_sums sums;
	struct request_sum sum;

	begin_sums(&sums, axis, &device->requests);
	while (next_sum(&sums, &sum)) {
		uint64_t values[RUNS_COLUMNS_MAX] = { 0, thousandths_of(axis, sum.ns) };

		runs_add(&runs, sum.nr, values);
	}
	if (sums.at)
		runs_add(&runs, nr_buckets - sums.at, nothing);
	runs_put(&runs, device->name, block);
	runs_free(&runs);
}

void overview_put_devices(struct overview_axis *axis, struct overview_devices *devices,
			  uint32_t nr_buckets, struct block *block)
{
	for (size_t i = 0; i < devices->nr; i++)
		put_device(axis, &devices->devices[i], nr_buckets, block);
}

void overview_free_devices(struct overview_axis *axis, struct overview_devices *devices)
{
	for (size_t i = 0; i < devices->nr; i++)
		lane_free(axis, &devices->devices[i].requests);
	free(devices->devices);
	*devices = (struct overview_devices){ 0 };
}

// SPDX-License-Identifier: GPL-2.0
#include "page/overview/states.h"

#include "page/overview/runs.h"

/* The rows from @row on that lie in the open bucket: most do. Returns the first that does not. */
static size_t add_to_open(const struct overview_axis *axis, const struct lane *lane,
			  const struct state_table *states, const uint64_t *end_ns, size_t row)
{
	uint64_t bucket_ns = (uint64_t)lane->open.bucket << axis->shift;
	uint64_t past_ns = bucket_ns + (1ull << axis->shift);
	struct lane_amount *amounts = lane->open.amounts;
	const uint64_t *start_ns = states->start_ns;

	if (lane->open.bucket == LANE_NO_BUCKET)
		return row;
	for (; row < states->nr; row++) {
		if (start_ns[row] < bucket_ns || end_ns[row] > past_ns ||
		    end_ns[row] < start_ns[row])
			return row;
		amounts[states->state[row] % LANE_DENSE].amount += end_ns[row] - start_ns[row];
	}
	return row;
}

void overview_add_states(struct overview_axis *axis, struct lane *lane,
			 const struct state_table *states)
{
	const uint64_t *end_ns = states->end_ns;

	if (!states->nr)
		return;
	if (!end_ns)
		end_ns = states->start_ns + 1;
	for (size_t i = 0; i < states->nr; i++) {
		i = add_to_open(axis, lane, states, end_ns, i);
		if (i < states->nr)
			lane_add_time(axis, lane, states->start_ns[i], end_ns[i],
				      states->state[i] % LANE_DENSE);
	}
}

/* Takes 1 from the largest share, for a state whose share was rounded up to 1. */
static void take_from_largest(uint64_t shares[RUNS_COLUMNS_MAX])
{
	int largest = STATE_RUNNING;

	for (int state = STATE_RUNNING; state < NR_THREAD_STATES; state++) {
		if (shares[state] > shares[largest])
			largest = state;
	}
	if (shares[largest] > 1)
		shares[largest]--;
}

/* As differences of the sums' shares, so that they add up: to 255 only if nothing is unknown. */
static void share_out(const struct overview_axis *axis, const struct lane_cell *cell,
		      uint64_t shares[RUNS_COLUMNS_MAX])
{
	uint64_t width_ns = 1ull << axis->shift, amounts[NR_THREAD_STATES] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < cell->nr; i++)
		amounts[cell->amounts[i].of] = cell->amounts[i].amount;
	for (int state = STATE_RUNNING; state < NR_THREAD_STATES; state++) {
		uint64_t before = sum * UINT8_MAX >> axis->shift;

		sum += amounts[state] < width_ns - sum ? amounts[state] : width_ns - sum;
		shares[state] = (sum * UINT8_MAX >> axis->shift) - before;
	}
	for (int state = STATE_RUNNING; state < NR_THREAD_STATES; state++) {
		if (amounts[state] && !shares[state]) {
			take_from_largest(shares);
			shares[state] = 1;
		}
	}
}

void overview_put_states(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			 uint32_t nr_buckets, struct block *block)
{
	struct runs runs = {
		.kind = PAGE_STATE_OVERVIEW, /* the run is in the place of STATE_UNKNOWN */
	};
	uint64_t nothing[RUNS_COLUMNS_MAX] = { 0 };
	struct lane_reader reader;
	const struct lane_cell *cell;
	uint32_t at = 0;

	lane_read_begin(&reader, axis, lane);
	while ((cell = lane_read(&reader))) {
		uint32_t nr = cell->nr_whole ? cell->nr_whole : 1;
		uint64_t shares[RUNS_COLUMNS_MAX] = { 0 };

		share_out(axis, cell, shares);
		runs_add(&runs, cell->bucket - at, nothing);
		runs_add(&runs, nr, shares);
		at = cell->bucket + nr;
	}
	runs_add(&runs, nr_buckets - at, nothing);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}

// SPDX-License-Identifier: GPL-2.0
#include "model/states/state_sums.h"

#include "model/account.h"

void state_sums_move(struct state_sums *sums, struct state_checkpoint *totals, uint64_t from_ns,
		     uint64_t step_ns)
{
	for (int state = 0; state < NR_THREAD_STATES; state++) {
		account_add_time(totals, state, sums->state_ns[state]);
		account_add_starts(totals, state, sums->nr_rows[state]);
	}
	totals->nr_migrations += sums->nr_migrations;
	*sums = (struct state_sums){ .from_ns = from_ns, .until_ns = from_ns | (step_ns - 1) };
}

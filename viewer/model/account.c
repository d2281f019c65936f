// SPDX-License-Identifier: GPL-2.0
#include "model/account.h"

#include <stdatomic.h>

#include "model/table_rows.h"
#include "util/spill/spill.h"
#include "util/worker.h"

#define FEW_ROWS 8 /* that are looked at one by one, before they are searched */

/* The end of row @row: where the next one starts, or the end of the trace. */
static uint64_t row_end(const struct state_table *states, size_t row, uint64_t duration_ns)
{
	return row + 1 < states->nr ? states->start_ns[row + 1] : duration_ns;
}

static void add_row(struct state_checkpoint *sum, const struct state_table *states, size_t row,
		    uint64_t end_ns)
{
	account_add_time(sum, states->state[row],
			 row_end(states, row, end_ns) - states->start_ns[row]);
	account_add_start(sum, states->state[row], states->migrated[row]);
}

void account_add(struct state_checkpoint *sum, const struct state_table *states, size_t nr,
		 uint64_t end_ns)
{
	for (size_t row = 0; row < nr; row++)
		add_row(sum, states, row, end_ns);
}

void account_prepare(struct thread *thread, uint64_t duration_ns)
{
	struct state_table *states = &thread->states;
	struct state_checkpoint sum = { 0 };
	size_t nr = states->nr / STATE_CHECKPOINT_ROWS + 1;

	spill_free(states->checkpoints);
	states->checkpoints = spill_zeroed(nr, sizeof(*states->checkpoints));
	for (size_t row = 0; row < states->nr; row++) {
		if (row % STATE_CHECKPOINT_ROWS == 0)
			states->checkpoints[row / STATE_CHECKPOINT_ROWS] = sum;
		add_row(&sum, states, row, duration_ns);
	}
	if (states->nr % STATE_CHECKPOINT_ROWS == 0)
		states->checkpoints[states->nr / STATE_CHECKPOINT_ROWS] = sum;
	thread->totals = sum;
}

struct preparation {
	struct model *model;
	atomic_size_t next; /* thread */
};

static void *prepare(void *context)
{
	struct preparation *preparation = context;
	struct model *model = preparation->model;
	size_t at;

	while ((at = atomic_fetch_add(&preparation->next, 1)) < model->nr_threads)
		account_prepare(&model->threads[at], model->duration_ns);
	return NULL;
}

void account_prepare_all(struct model *model)
{
	struct preparation preparation = { .model = model };
	bool is_helped;
	pthread_t helper;

	is_helped = model->nr_threads > 1 && worker_nr_cores() > 1 &&
		    !worker_start(&helper, prepare, &preparation);
	prepare(&preparation);
	if (is_helped)
		pthread_join(helper, NULL);
}

/* Sums over the rows before row @end. The last of them is cut at @time_ns. */
static struct state_checkpoint sum_before(const struct state_table *states, size_t end,
					  uint64_t time_ns, uint64_t duration_ns)
{
	size_t row = end - end % STATE_CHECKPOINT_ROWS;
	struct state_checkpoint sum = states->checkpoints[row / STATE_CHECKPOINT_ROWS];

	for (; row < end; row++)
		add_row(&sum, states, row, duration_ns);
	if (end)
		sum.state_ns[states->state[end - 1]] -= row_end(states, end - 1, duration_ns) -
							time_ns;
	return sum;
}

/* The same in the rows from @start to before @end, from @from_ns in the row before the first, to
 * @to_ns in the last. */
static struct state_checkpoint sum_between(const struct state_table *states, size_t start,
					   size_t end, uint64_t from_ns, uint64_t to_ns,
					   uint64_t duration_ns)
{
	struct state_checkpoint sum = { 0 };

	if (start)
		sum.state_ns[states->state[start - 1]] = row_end(states, start - 1, duration_ns) -
							 from_ns;
	for (size_t row = start; row < end; row++)
		add_row(&sum, states, row, duration_ns);
	if (end)
		sum.state_ns[states->state[end - 1]] -= row_end(states, end - 1, duration_ns) -
							to_ns;
	return sum;
}

static struct state_checkpoint sum_of(const struct state_table *states, size_t start, size_t end,
				      uint64_t from_ns, uint64_t to_ns, uint64_t duration_ns)
{
	struct state_checkpoint before, sum;

	if (start <= end && end - start <= STATE_CHECKPOINT_ROWS)
		return sum_between(states, start, end, from_ns, to_ns, duration_ns);
	before = sum_before(states, start, from_ns, duration_ns);
	sum = sum_before(states, end, to_ns, duration_ns);
	for (int i = 0; i < NR_THREAD_STATES; i++)
		sum.state_ns[i] -= before.state_ns[i];
	sum.nr_switches -= before.nr_switches;
	sum.nr_preemptions -= before.nr_preemptions;
	sum.nr_migrations -= before.nr_migrations;
	return sum;
}

/* How many rows start before @time_ns. */
static size_t rows_before(const struct state_table *states, uint64_t time_ns)
{
	return time_ns ? column_find(states->start_ns, states->nr, time_ns - 1) + 1 : 0;
}

/* The same, of which @least do: as a rule, there are few more. */
static size_t rows_before_from(const struct state_table *states, size_t least, uint64_t time_ns)
{
	for (size_t row = least; row < least + FEW_ROWS; row++) {
		if (row >= states->nr || states->start_ns[row] >= time_ns)
			return row;
	}
	return rows_before(states, time_ns);
}

void model_account(const struct model *model, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
		   struct thread_account *account)
{
	const struct state_table *states = &model->threads[thread].states;
	uint64_t from = from_ns < model->duration_ns ? from_ns : model->duration_ns;
	uint64_t to = to_ns < model->duration_ns ? to_ns : model->duration_ns;
	struct state_checkpoint sum;
	size_t start, end;
	uint64_t known_ns = 0;

	*account = (struct thread_account){ 0 };
	if (to_ns <= from_ns)
		return;
	/* The trace's last event belongs to the ranges that reach to the end. */
	start = from_ns > model->duration_ns ? states->nr : rows_before(states, from);
	end = to == model->duration_ns ? states->nr : rows_before_from(states, start, to);
	sum = sum_of(states, start, end, from, to, model->duration_ns);
	for (int i = 0; i < NR_THREAD_STATES; i++) {
		account->state_ns[i] = sum.state_ns[i];
		known_ns += account->state_ns[i];
	}
	account->state_ns[STATE_UNKNOWN] += to_ns - from_ns - known_ns;
	account->nr_switches = sum.nr_switches;
	account->nr_preemptions = sum.nr_preemptions;
	account->nr_migrations = sum.nr_migrations;
	account->stolen_ns = stolen_between(&model->threads[thread].stolen, from, to);
}

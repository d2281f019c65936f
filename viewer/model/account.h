/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_MODEL_ACCOUNT_H
#define ANNOT_MODEL_ACCOUNT_H

#include "model/model.h"

/* Time in each state and number of switches, in an interval of one thread. */
struct thread_account {
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_switches; /* times it was switched out */
	uint64_t nr_preemptions; /* of these, preemptions */
	uint64_t nr_migrations;
	uint64_t stolen_ns; /* the part of STATE_RUNNING that interrupts took */
};

/*
 * Computes the totals, and the checkpoints that model_account() needs. Call once, after the last
 * row was added.
 */
void account_prepare(struct thread *thread, uint64_t duration_ns);

/* The same of all threads, two at a time where there are two cores. */
void account_prepare_all(struct model *model);

/* Adds the first @nr rows to @sum; the last of all rows ends at @end_ns. */
void account_add(struct state_checkpoint *sum, const struct state_table *states, size_t nr,
		 uint64_t end_ns);

/* Adds @length_ns of a row. */
static inline void account_add_time(struct state_checkpoint *sum, enum thread_state state,
				    uint64_t length_ns)
{
	sum->state_ns[state] += length_ns;
}

/* Adds the switches-out and preemptions that @nr rows begin with. */
static inline void account_add_starts(struct state_checkpoint *sum, enum thread_state state,
				      uint64_t nr)
{
	if (state == STATE_PREEMPTED || state >= STATE_SLEEPING)
		sum->nr_switches += nr;
	if (state == STATE_PREEMPTED)
		sum->nr_preemptions += nr;
}

static inline void account_add_start(struct state_checkpoint *sum, enum thread_state state,
				     bool migrated)
{
	account_add_starts(sum, state, 1);
	sum->nr_migrations += migrated;
}

/*
 * Time of @thread in each state in [from_ns, to_ns). Cost: two binary searches and at most a
 * hundred rows. Any range is allowed, and the times always add up to its length. Before the thread
 * was first seen, and after the trace, they are STATE_UNKNOWN.
 */
void model_account(const struct model *model, uint32_t thread, uint64_t from_ns, uint64_t to_ns,
		   struct thread_account *account);

#endif /* ANNOT_MODEL_ACCOUNT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Migrations of the session's threads: from which CPU to which, the distance, and the cost.
 *
 * - Ping-pong: from A to B, and back to A within PING_PONG_NS of the arrival on B.
 * - Cost in time: the time for which the thread still waited for its new CPU while the CPU that it had left was already
 *   idle, minus the average of its waits that did not end in a migration. Sleep is no cost, nor is a wait that the move
 *   made shorter.
 * - Excess misses: misses of the first sampled event in the first MIGRATION_COLD_NS on a CPU after a migration, minus the
 *   thread's own warm rate for that time. The warm rate is the rate after the first MIGRATION_COLD_NS of all its slices.
 */
#ifndef ANNOT_MIGRATIONS_H
#define ANNOT_MIGRATIONS_H

#include "model/model.h"

#define PING_PONG_NS 10000000u
#define MIGRATION_COLD_NS 2000000u
#define MIGRATION_MATRIX_CPUS 256

struct thread_migrations {
	uint32_t thread;
	uint64_t nr;
	uint64_t ping_pongs;
	uint64_t cost_ns;
	double excess_misses;
};

struct migrations {
	uint64_t total;
	uint64_t ping_pongs;
	uint64_t cost_ns;
	bool has_misses;
	size_t event; /* of the model, whose misses these are */
	double excess_misses;
	int nr_cpus; /* of the matrix: MIGRATION_MATRIX_CPUS at most */
	uint64_t *matrix; /* from x to: row by row */
	uint64_t left_out; /* of the total: not in the matrix */
	size_t nr_threads; /* that migrated; most often first */
	struct thread_migrations *threads;
};

/* Never fails. migrations_of_free() frees it. Cost: O(n log n) over states, migrations and samples. */
struct migrations *migrations_compute(const struct model *model);
void migrations_of_free(struct migrations *migrations);

#endif /* ANNOT_MIGRATIONS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When threads of the session ran while another thread ran on the same core (SMT), and when whole cores were idle.
 *
 * Where events of a CPU are lost, nobody is taken to run there, but its core is not taken to be idle either: both make figures
 * lower bounds. Cores of a single CPU do not count as idle ones: on machines that have both, they are slower ones.
 */
#ifndef ANNOT_SMT_TIMES_H
#define ANNOT_SMT_TIMES_H

#include "analysis/base/intervals.h"
#include "model/model.h"

/* A core that is idle for less is of no use to others. */
#define SMT_IDLE_LEAST_NS 100000u

struct smt_piece {
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t thread; /* of the session */
	uint32_t by; /* who ran beside it; of several, one of the session if there is any */
	int16_t by_cpu;
};

/* In order; they do not overlap. */
struct smt_cpu {
	size_t nr;
	size_t capacity;
	struct smt_piece *pieces;
};

struct smt_times {
	bool has_siblings; /* the trace tells of CPUs that share a core */
	int nr_cpus; /* 0 without siblings */
	struct smt_cpu *cpus;
	struct intervals idle_cores; /* any was idle as a whole; united */
};

/* Never fails. smt_times_free() frees what is in it. Cost: O(n log n) of n slices. */
struct smt_times smt_times_compute(const struct model *model);
void smt_times_free(struct smt_times *times);

#endif /* ANNOT_SMT_TIMES_H */

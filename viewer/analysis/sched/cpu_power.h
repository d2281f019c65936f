/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Idle states and frequencies: of each CPU, for how long it was in which state, and how fast it was while threads ran; of each
 * thread of the session, how fast its CPUs were while it ran. Means are weighted by the time on CPUs of which the frequency
 * is known; where it is not, nothing is counted.
 *
 * A CPU's usual frequency is the highest that it reached, or exceeded, in CPU_POWER_USUAL_SHARE of the time in which it ran
 * threads of the session. Work that needs t at f needs t * f / usual at the usual one: the rest is lost. That holds for work
 * that waits for the core alone; what waits for memory loses less.
 */
#ifndef ANNOT_CPU_POWER_H
#define ANNOT_CPU_POWER_H

#include "analysis/base/findings.h"

#define CPU_POWER_USUAL_SHARE 0.1

/* Frequencies while something ran: of a CPU or a thread. */
struct cpu_power_speed {
	uint64_t on_cpu_ns;
	uint64_t known_ns; /* of that, the frequency is known */
	double khz_ns; /* the sum over that */
	uint32_t least_khz;
	uint32_t most_khz;
};

struct cpu_power_cpu {
	int cpu;
	uint64_t idle_ns; /* in idle states */
	uint64_t offline_ns; /* not in idle_ns */
	struct cpu_power_speed speed; /* of all threads */
	uint64_t session_ns; /* it ran threads of the session, at known frequencies */
	uint32_t usual_khz; /* 0: no thread of the session ran at a known one */
	double lost_ns; /* of session_ns */
	uint32_t worst_thread; /* of the session: lost most here */
	uint64_t worst_from_ns; /* the frequency that cost most, from when to when */
	uint64_t worst_to_ns;
	uint32_t worst_khz;
};

struct cpu_power_state {
	int cpu;
	uint8_t state; /* IDLE_STATE_UNKNOWN: not known */
	uint64_t entries;
	uint64_t ns;
	double share; /* of the trace's time */
};

struct cpu_power_thread {
	uint32_t thread;
	struct cpu_power_speed speed;
	double lost_ns;
};

struct cpu_power {
	size_t nr_cpus; /* that have idle states or frequencies */
	struct cpu_power_cpu *cpus;
	size_t nr_states; /* by CPU, then by state */
	struct cpu_power_state *states;
	size_t nr_threads; /* of the session, that ran at known frequencies; those that ran longest first */
	struct cpu_power_thread *threads;
};

/* In GHz; 0: not known. */
double cpu_power_mean_ghz(const struct cpu_power_speed *speed);

/* Never fails. cpu_power_free() frees what is in it. Cost: O(n log n) over slices and frequencies. */
struct cpu_power cpu_power_compute(const struct model *model);
void cpu_power_free(struct cpu_power *power);

/*
 * Adds one finding, if CPUs lost FREQUENCY_DROP_SHARE or more of the time in which they ran threads of the session: of all of
 * them, with the one that lost most.
 */
#define FREQUENCY_DROP_SHARE 0.1
void cpu_power_add_findings(const struct model *model, const struct cpu_power *power,
			    struct findings *findings);

#endif /* ANNOT_CPU_POWER_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From an event's name to what the kernel takes for it.
 *
 * A name is one of ours (l1_cache_miss), one of libpfm4's with its masks and modifiers
 * (MEM_LOAD_RETIRED:L1_MISS:u), one of the kernel's (page-faults), a raw code (r08d1), or terms of a PMU
 * that the kernel describes (ibs_op/cnt_ctl=1/: sysfs_event.h). Behind one of ours, modifiers may stand as well, and behind
 * load_latency a number: load_latency:64.
 */
#ifndef ANNOT_PMU_ENCODE_H
#define ANNOT_PMU_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRECISE_MOST 3

/* type and config*: as in struct perf_event_attr */
struct pmu_code {
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint64_t period; /* 0: the name does not say */
	uint64_t period_step; /* the period is a multiple of it; 0: any */
	uint64_t default_period; /* where nobody says another; 0: as of all events */
	int precise; /* the level to ask for when it is sampled */
	bool user;
	bool kernel;
	bool sides_named; /* the name has u or k, so the defaults are not used */
	bool is_software; /* counted by the kernel: it needs no PMU */
	bool is_uncore; /* all CPUs of a socket, a die, ... have one counter of it: uncore.h */
	char *stands_for; /* name passed to libpfm4; free() it */
};

enum pmu_encoding {
	PMU_ENCODED,
	PMU_NAME_WRONG, /* there is no such name, mask or modifier */
	PMU_NOT_HERE, /* an alias for which this CPU has no event */
};

/*
 * @user, @kernel: what to count unless the name says it. On failure, @why (of @size bytes) gets one
 * 	line with the reason.
 */
enum pmu_encoding pmu_encode(const char *name, bool user, bool kernel, struct pmu_code *code,
			     char *why, size_t size);

/* "user", "kernel" or "user and kernel". */
const char *pmu_code_sides(const struct pmu_code *code);

#endif /* ANNOT_PMU_ENCODE_H */

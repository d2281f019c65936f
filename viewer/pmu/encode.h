/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From an event's name to what the kernel takes for it.
 *
 * A name is one of ours (l1_cache_miss), one of libpfm4's with its masks and modifiers
 * (MEM_LOAD_RETIRED:L1_MISS:u), one of the kernel's (page-faults), or a raw code (r08d1). Behind one
 * of ours, modifiers may stand as well, and behind load_latency a number: load_latency:64.
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
	int precise; /* the level to ask for when it is sampled */
	bool user;
	bool kernel;
	bool sides_named; /* by u or k in the name: not by the caller's default */
	bool is_software; /* counted by the kernel: it needs no PMU */
	char *stands_for; /* what libpfm4 was asked; free() it */
};

enum pmu_encoding {
	PMU_ENCODED,
	PMU_NAME_WRONG, /* there is no such name, mask or modifier */
	PMU_NOT_HERE, /* one of ours, for which this CPU has no event */
};

/*
 * @user, @kernel: what to count unless the name says. On failure @why (of @size bytes) says in one
 * line what is wrong.
 */
enum pmu_encoding pmu_encode(const char *name, bool user, bool kernel, struct pmu_code *code,
			     char *why, size_t size);

#endif /* ANNOT_PMU_ENCODE_H */

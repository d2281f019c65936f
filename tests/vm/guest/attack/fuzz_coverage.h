/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer: what code of annot.ko a sequence has reached, on kernels that tell.
 */
#ifndef FUZZ_COVERAGE_H
#define FUZZ_COVERAGE_H

#include "fuzz.h"

#define KCOV_PATH "/sys/kernel/debug/kcov"
#define KCOV_WORDS (1 << 16)
#define KCOV_INIT _IOR('c', 1, unsigned long)
#define KCOV_ENABLE _IO('c', 100)

struct coverage {
	int fd;
	uint64_t *words; /* how many follow, and these */
};

static void open_coverage(struct coverage *coverage)
{
	coverage->fd = open(KCOV_PATH, O_RDWR | O_CLOEXEC);
	if (coverage->fd < 0)
		return;
	if (ioctl(coverage->fd, KCOV_INIT, KCOV_WORDS))
		die(KCOV_PATH);
	coverage->words = mmap(NULL, KCOV_WORDS * sizeof(uint64_t), PROT_READ | PROT_WRITE,
			       MAP_SHARED, coverage->fd, 0);
	if (coverage->words == MAP_FAILED)
		die(KCOV_PATH);
}

static bool is_new(uint64_t pc)
{
	uint64_t at = pc * 0x9e3779b97f4a7c15ull >> 48;

	for (;; at++) {
		volatile uint64_t *place = &figures->pcs[at % NR_PCS_MAX];

		if (*place == pc)
			return false;
		if (!*place && __sync_bool_compare_and_swap(place, 0, pc)) {
			__sync_fetch_and_add(&figures->nr_pcs, 1);
			return true;
		}
	}
}

static bool came_to_something_new(const struct coverage *coverage)
{
	bool any = false;

	if (!coverage->words)
		return false;
	for (uint64_t i = 1; i <= coverage->words[0] && i < KCOV_WORDS; i++)
		any |= is_new(coverage->words[i]);
	return any;
}

#endif /* FUZZ_COVERAGE_H */

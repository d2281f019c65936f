/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wakeups as they stand in a page: by the CPU of the waker, told by what ran there at the time, so
 * that most columns are nearly all zeros.
 *
 * Each has a place among its CPU's slices in the block: 0 before all of them, 2i + 1 in slice i (to
 * its end), 2i + 2 behind it. Its time counts from where its place begins. Who ran there is expected
 * to be the waker, and to wake the thread that it woke before: anybody else is told.
 */
#ifndef ANNOT_PAGE_WAKEUPS_H
#define ANNOT_PAGE_WAKEUPS_H

#include "model/model.h"

#define WAKER_EXPECTED 0u
#define WAKER_NONE 1u
#define WAKER_FIRST 2u /* + thread */
#define WAKEE_EXPECTED 0u
#define WAKEE_FIRST 1u /* + thread */

/* The rows of all CPUs, one CPU after the other. */
struct coded_wakeups {
	size_t *first; /* CPU i's are first[i] to first[i + 1] */
	uint32_t *steps; /* from the place of the CPU's one before, which is 0 for the first */
	uint64_t *since_ns;
	uint32_t *wakers; /* WAKER_* */
	uint32_t *wakees; /* WAKEE_* */
};

/* Those of one CPU. */
struct wakeup_codes {
	size_t nr;
	const uint32_t *steps;
	const uint64_t *since_ns;
	const uint32_t *wakers;
	const uint32_t *wakees;
};

/* coded_wakeups_free() frees what is in it. */
struct coded_wakeups wakeups_code(const struct model *model);
struct wakeup_codes coded_wakeups_of(const struct coded_wakeups *coded, int cpu);
void coded_wakeups_free(struct coded_wakeups *coded);

#endif /* ANNOT_PAGE_WAKEUPS_H */

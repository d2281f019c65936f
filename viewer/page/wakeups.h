/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The encoding of wakeups in a page. They are stored by the waker's CPU, relative to its slices, so
 * that most columns are nearly all zeros.
 *
 * A wakeup has a place among its CPU's slices in the block: 0 before all slices, 2i + 1 in slice i
 * (including its end), 2i + 2 after it. Its time counts from the start of the place. The expected
 * waker is the running thread. The expected wakee is the thread that this waker woke before. Other
 * wakers and wakees are stored as numbers.
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
	size_t *first; /* rows of CPU i: first[i] to first[i + 1] */
	uint32_t *steps; /* places since the CPU's previous row, or from place 0 */
	uint64_t *since_ns;
	uint32_t *wakers; /* WAKER_* */
	uint32_t *wakees; /* WAKEE_* */
};

/* The rows of one CPU. */
struct wakeup_codes {
	size_t nr;
	const uint32_t *steps;
	const uint64_t *since_ns;
	const uint32_t *wakers;
	const uint32_t *wakees;
};

/* Free the result with coded_wakeups_free(). */
struct coded_wakeups wakeups_code(const struct model *model);
struct wakeup_codes coded_wakeups_of(const struct coded_wakeups *coded, int cpu);
void coded_wakeups_free(struct coded_wakeups *coded);

#endif /* ANNOT_PAGE_WAKEUPS_H */

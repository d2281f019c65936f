/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wakeup latency: the time from when a thread of the session is woken, or created, to when it is switched in. Waits whose
 * end is unknown, because the trace ends or events were lost, are left out.
 */
#ifndef ANNOT_WAKEUP_LATENCY_H
#define ANNOT_WAKEUP_LATENCY_H

#include "analysis/stats/histogram.h"
#include "model/model.h"

struct latencies {
	uint64_t nr;
	uint64_t sum_ns;
	uint64_t median_ns; /* of an even number: the lower of the middle two */
	uint64_t p99_ns; /* nearest rank: no more than 1 % are longer */
	uint64_t max_ns;
};

struct thread_latencies {
	uint32_t thread;
	struct latencies latencies;
};

struct wakeup_latency {
	struct histogram histogram;
	struct latencies all;
	size_t nr_threads; /* that were woken; those that waited longest first */
	struct thread_latencies *threads;
};

/* Never fails. wakeup_latency_free() frees it. Cost: that of going through the states. */
struct wakeup_latency *wakeup_latency_compute(const struct model *model);
void wakeup_latency_free(struct wakeup_latency *wakeups);

#endif /* ANNOT_WAKEUP_LATENCY_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convoys: threads that queue for a lock, one behind the other.
 *
 * The waits for one lock are put in the order in which they ended, that is, in which their threads got the lock. Two that
 * follow each other are a handover if the second thread stood in the queue when the first one got the lock, and had
 * come after it. So the second thread waits for longer than the first one holds the lock. A convoy is a row of
 * handovers, as long as it can be, of CONVOY_LEAST_THREADS threads or more.
 *
 * A convoy persists if its threads come back before the queue is empty (Blasgen, Gray, Mitoma, Price: The Convoy Phenomenon,
 * ACM SIGOPS Operating Systems Review 13(2), 1979): it has at least CONVOY_LEAST_TURNS waits for each of its threads.
 */
#ifndef ANNOT_LOCK_CONVOYS_H
#define ANNOT_LOCK_CONVOYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONVOY_LEAST_THREADS 3
#define CONVOY_LEAST_TURNS 2

/* A wait for the lock, which its thread has from end_ns on. */
struct lock_wait {
	uint32_t thread;
	uint32_t holder; /* when it began; MODEL_NO_THREAD: not known */
	uint64_t start_ns;
	uint64_t end_ns;
};

struct lock_convoys {
	uint64_t nr;
	uint64_t waits; /* in all convoys */
	uint64_t
		ns; /* elapsed, from when its first thread got the lock to its last handover, summed up */
	uint64_t persistent_ns; /* the same of convoys that persist */
	uint64_t
		longest_waits; /* the convoy with most waits, from its first wait to its last handover */
	uint64_t longest_threads;
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

/* The order of convoys: by end, those of one end by start. */
int lock_wait_compare(const void *a, const void *b);

/* Of the @nr waits for one lock, in that order. Cost: O(n log n). */
struct lock_convoys lock_convoys_find(const struct lock_wait *waits, size_t nr);

#endif /* ANNOT_LOCK_CONVOYS_H */

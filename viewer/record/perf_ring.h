/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring into which the kernel writes records of a perf event: perf_event_open(2).
 */
#ifndef ANNOT_RECORD_PERF_RING_H
#define ANNOT_RECORD_PERF_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#define PERF_RECORD_MAX_BYTES 65536 /* its size has 16 bits */

/* Zero-initialise. */
struct perf_ring {
	struct perf_event_mmap_page *head; /* the page before the data; NULL: not mapped */
	size_t bytes; /* of the data */
};

/* A record, as long as the call lasts. */
typedef void (*perf_ring_handler)(void *context, const struct perf_event_header *record);

/* Maps that of the event @fd, of @nr_pages, a power of two. Returns 0 or an errno. */
int perf_ring_map(struct perf_ring *ring, int fd, size_t nr_pages);
void perf_ring_unmap(struct perf_ring *ring);

/* Whether there may have been no room for a record: the kernel tells how many it lost only when it writes the next one. */
bool perf_ring_is_full(const struct perf_ring *ring);

/* Calls @take for each record so far, in their order. @whole: room for PERF_RECORD_MAX_BYTES, for one that wraps. */
void perf_ring_read(struct perf_ring *ring, void *whole, perf_ring_handler take, void *context);

#endif /* ANNOT_RECORD_PERF_RING_H */

// SPDX-License-Identifier: GPL-2.0
#include "record/perf_ring.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define USUAL_RECORD_BYTES 512 /* none that is read here often has more */

int perf_ring_map(struct perf_ring *ring, int fd, size_t nr_pages)
{
	size_t page_bytes = (size_t)getpagesize();
	void *head = mmap(NULL, (nr_pages + 1) * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  0);

	if (head == MAP_FAILED)
		return errno;
	*ring = (struct perf_ring){ head, nr_pages * page_bytes };
	return 0;
}

void perf_ring_unmap(struct perf_ring *ring)
{
	if (ring->head)
		munmap(ring->head, ring->bytes + (size_t)getpagesize());
	*ring = (struct perf_ring){ 0 };
}

bool perf_ring_is_full(const struct perf_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);

	return ring->bytes - (head - ring->head->data_tail) < USUAL_RECORD_BYTES;
}

/* The record at @at, in one piece. */
static const struct perf_event_header *whole_record(const struct perf_ring *ring, uint64_t at,
						    unsigned char *whole)
{
	const unsigned char *data = (const unsigned char *)ring->head + getpagesize();
	size_t offset = at & (ring->bytes - 1), first = ring->bytes - offset;
	const struct perf_event_header *header = (const void *)(data + offset);

	/* Records are multiples of 8 bytes: their head is never cut. */
	if (header->size <= first)
		return header;
	memcpy(whole, header, first);
	memcpy(whole + first, data, header->size - first);
	return (const void *)whole;
}

void perf_ring_read(struct perf_ring *ring, void *whole, perf_ring_handler take, void *context)
{
	/* Pairs with the kernel's barrier: the records before the head are complete. */
	uint64_t head = __atomic_load_n(&ring->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->head->data_tail;

	while (at < head) {
		const struct perf_event_header *record = whole_record(ring, at, whole);

		at += record->size;
		take(context, record);
	}
	/* Only what has been read may be written over. */
	__atomic_store_n(&ring->head->data_tail, at, __ATOMIC_RELEASE);
}

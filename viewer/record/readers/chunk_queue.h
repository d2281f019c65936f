/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one thread has read and another one is to write, in chunks of memory. Each function is for any
 * of the two, and takes a fraction of a microsecond unless it waits.
 */
#ifndef ANNOT_RECORD_READERS_CHUNK_QUEUE_H
#define ANNOT_RECORD_READERS_CHUNK_QUEUE_H

#include <stddef.h>

/* @bytes: begins with a page of memory; @used_bytes: of these, from the beginning on */
struct chunk {
	struct chunk *next;
	size_t used_bytes;
	unsigned char *bytes;
};

struct chunk_queue;

/* At most @max_chunks of @chunk_bytes each; memory is taken when it is needed, and then kept. */
struct chunk_queue *chunk_queue_new(size_t chunk_bytes, size_t max_chunks);
void chunk_queue_free(struct chunk_queue *queue);

/* An empty one. Waits until there is one. NULL: nobody writes any more. */
struct chunk *chunk_queue_take_empty(struct chunk_queue *queue);
void chunk_queue_give_back(struct chunk_queue *queue, struct chunk *chunk);

/* The next one that is to be written. Waits until there is one. NULL: there will be none. */
struct chunk *chunk_queue_take(struct chunk_queue *queue);
void chunk_queue_put(struct chunk_queue *queue, struct chunk *chunk);

/* No more chunks will be put. */
void chunk_queue_end(struct chunk_queue *queue);

/* No more chunks will be taken. */
void chunk_queue_abandon(struct chunk_queue *queue);

#endif /* ANNOT_RECORD_READERS_CHUNK_QUEUE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A queue of chunks of memory between a thread that reads and a thread that writes. Each function
 * can be called by both. It takes a fraction of a microsecond unless it waits.
 */
#ifndef ANNOT_RECORD_READERS_CHUNK_QUEUE_H
#define ANNOT_RECORD_READERS_CHUNK_QUEUE_H

#include <stddef.h>

/* @bytes is page-aligned; the first @used_bytes of it are filled. */
struct chunk {
	struct chunk *next;
	size_t used_bytes;
	unsigned char *bytes;
};

struct chunk_queue;

/* At most @max_chunks of @chunk_bytes each. Memory is allocated when needed, and then kept. */
struct chunk_queue *chunk_queue_new(size_t chunk_bytes, size_t max_chunks);
void chunk_queue_free(struct chunk_queue *queue);

/* Returns an empty chunk. Waits for one. NULL: chunk_queue_abandon() was called. */
struct chunk *chunk_queue_take_empty(struct chunk_queue *queue);
void chunk_queue_give_back(struct chunk_queue *queue, struct chunk *chunk);

/* Returns the next chunk to write. Waits for one. NULL: the queue has ended. */
struct chunk *chunk_queue_take(struct chunk_queue *queue);
void chunk_queue_put(struct chunk_queue *queue, struct chunk *chunk);

/* No more chunks will be put. */
void chunk_queue_end(struct chunk_queue *queue);

/* No more chunks will be taken. */
void chunk_queue_abandon(struct chunk_queue *queue);

#endif /* ANNOT_RECORD_READERS_CHUNK_QUEUE_H */

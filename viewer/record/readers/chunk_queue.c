// SPDX-License-Identifier: GPL-2.0
#include "record/readers/chunk_queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/xalloc.h"

#define PAGE_BYTES 4096

struct chunk_queue {
	pthread_mutex_t mutex;
	pthread_cond_t has_full;
	pthread_cond_t has_empty;
	struct chunk *first; /* the next to be written */
	struct chunk **end;
	struct chunk *empty;
	size_t chunk_bytes;
	size_t nr_chunks; /* that there are */
	size_t max_chunks;
	bool is_ended;
	bool is_abandoned;
};

struct chunk_queue *chunk_queue_new(size_t chunk_bytes, size_t max_chunks)
{
	struct chunk_queue *queue = xcalloc(1, sizeof(*queue));

	pthread_mutex_init(&queue->mutex, NULL);
	pthread_cond_init(&queue->has_full, NULL);
	pthread_cond_init(&queue->has_empty, NULL);
	queue->end = &queue->first;
	queue->chunk_bytes = chunk_bytes;
	queue->max_chunks = max_chunks;
	return queue;
}

static void free_chunks(struct chunk *chunk)
{
	while (chunk) {
		struct chunk *next = chunk->next;

		free(chunk->bytes);
		free(chunk);
		chunk = next;
	}
}

void chunk_queue_free(struct chunk_queue *queue)
{
	if (!queue)
		return;
	free_chunks(queue->first);
	free_chunks(queue->empty);
	pthread_cond_destroy(&queue->has_empty);
	pthread_cond_destroy(&queue->has_full);
	pthread_mutex_destroy(&queue->mutex);
	free(queue);
}

/* Short of memory, those that there are must do. NULL: they must. */
static struct chunk *make_chunk(struct chunk_queue *queue)
{
	unsigned char *bytes;
	struct chunk *chunk;

	if (queue->nr_chunks == queue->max_chunks)
		return NULL;
	bytes = aligned_alloc(PAGE_BYTES, queue->chunk_bytes);
	if (!bytes && queue->nr_chunks)
		return NULL;
	chunk = xcalloc(1, sizeof(*chunk));
	/* With none at all nothing could be read. */
	chunk->bytes = bytes ? bytes : xcalloc(1, queue->chunk_bytes);
	queue->nr_chunks++;
	return chunk;
}

struct chunk *chunk_queue_take_empty(struct chunk_queue *queue)
{
	struct chunk *chunk = NULL;

	pthread_mutex_lock(&queue->mutex);
	while (!chunk && !queue->is_abandoned) {
		chunk = queue->empty;
		if (chunk)
			queue->empty = chunk->next;
		else
			chunk = make_chunk(queue);
		if (!chunk)
			pthread_cond_wait(&queue->has_empty, &queue->mutex);
	}
	pthread_mutex_unlock(&queue->mutex);
	if (chunk)
		chunk->used_bytes = 0;
	return chunk;
}

void chunk_queue_give_back(struct chunk_queue *queue, struct chunk *chunk)
{
	pthread_mutex_lock(&queue->mutex);
	chunk->next = queue->empty;
	queue->empty = chunk;
	pthread_cond_signal(&queue->has_empty);
	pthread_mutex_unlock(&queue->mutex);
}

struct chunk *chunk_queue_take(struct chunk_queue *queue)
{
	struct chunk *chunk;

	pthread_mutex_lock(&queue->mutex);
	while (!queue->first && !queue->is_ended)
		pthread_cond_wait(&queue->has_full, &queue->mutex);
	chunk = queue->first;
	if (chunk) {
		queue->first = chunk->next;
		if (!queue->first)
			queue->end = &queue->first;
	}
	pthread_mutex_unlock(&queue->mutex);
	return chunk;
}

void chunk_queue_put(struct chunk_queue *queue, struct chunk *chunk)
{
	chunk->next = NULL;
	pthread_mutex_lock(&queue->mutex);
	*queue->end = chunk;
	queue->end = &chunk->next;
	pthread_cond_signal(&queue->has_full);
	pthread_mutex_unlock(&queue->mutex);
}

void chunk_queue_end(struct chunk_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->is_ended = true;
	pthread_cond_signal(&queue->has_full);
	pthread_mutex_unlock(&queue->mutex);
}

void chunk_queue_abandon(struct chunk_queue *queue)
{
	pthread_mutex_lock(&queue->mutex);
	queue->is_abandoned = true;
	pthread_cond_signal(&queue->has_empty);
	pthread_mutex_unlock(&queue->mutex);
}

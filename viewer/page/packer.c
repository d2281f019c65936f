// SPDX-License-Identifier: GPL-2.0
#include "page/packer.h"

#include <stdlib.h>

#include "util/worker.h"
#include "util/xalloc.h"

struct packer {
	size_t nr;
	size_t capacity;
	struct packed_block *packed;
	bool out_of_memory;
	bool has_worker;
	pthread_t worker;
	/* What follows is guarded by the lock; what is above is the worker's while there is a block. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct block block; /* to be packed */
	bool has_block;
	bool is_done;
};

static void pack(struct packer *packer)
{
	struct packed_block *packed;

	ARRAY_MAKE_ROOM(packer->packed, packer->nr, packer->capacity);
	packed = &packer->packed[packer->nr++];
	*packed = (struct packed_block){ 0 };
	if (block_pack(&packer->block, packed) < 0)
		packer->out_of_memory = true;
}

static void *pack_all(void *context)
{
	struct packer *packer = context;

	pthread_mutex_lock(&packer->lock);
	for (;;) {
		while (!packer->has_block && !packer->is_done)
			pthread_cond_wait(&packer->changed, &packer->lock);
		if (!packer->has_block)
			break;
		pthread_mutex_unlock(&packer->lock);
		pack(packer);
		pthread_mutex_lock(&packer->lock);
		packer->has_block = false;
		pthread_cond_signal(&packer->changed);
	}
	pthread_mutex_unlock(&packer->lock);
	return NULL;
}

struct packer *packer_new(void)
{
	struct packer *packer = xcalloc(1, sizeof(*packer));

	pthread_mutex_init(&packer->lock, NULL);
	pthread_cond_init(&packer->changed, NULL);
	packer->has_worker = worker_nr_cores() > 1 &&
			     !worker_start(&packer->worker, pack_all, packer);
	return packer;
}

/* Until nothing is left to be packed. Returns with the lock. */
static void wait_for_worker(struct packer *packer)
{
	pthread_mutex_lock(&packer->lock);
	while (packer->has_block)
		pthread_cond_wait(&packer->changed, &packer->lock);
}

void packer_put(struct packer *packer, struct block *block)
{
	struct block filled = *block;

	wait_for_worker(packer);
	*block = packer->block;
	packer->block = filled;
	packer->has_block = packer->has_worker;
	pthread_cond_signal(&packer->changed);
	pthread_mutex_unlock(&packer->lock);
	if (!packer->has_worker)
		pack(packer);
}

int packer_wait(struct packer *packer, const struct packed_block **packed, size_t *nr)
{
	wait_for_worker(packer);
	pthread_mutex_unlock(&packer->lock);
	*packed = packer->packed;
	*nr = packer->nr;
	return packer->out_of_memory ? -1 : 0;
}

static void end_worker(struct packer *packer)
{
	wait_for_worker(packer);
	packer->is_done = true;
	pthread_cond_signal(&packer->changed);
	pthread_mutex_unlock(&packer->lock);
	if (packer->has_worker)
		pthread_join(packer->worker, NULL);
}

void packer_free(struct packer *packer)
{
	end_worker(packer);
	for (size_t i = 0; i < packer->nr; i++)
		free(packer->packed[i].bytes);
	free(packer->packed);
	block_free(&packer->block);
	pthread_cond_destroy(&packer->changed);
	pthread_mutex_destroy(&packer->lock);
	free(packer);
}

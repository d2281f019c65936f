// SPDX-License-Identifier: MIT
#include "mpi_request.h"

#include <stdlib.h>

#include "../key_map.h"

struct often {
	struct mpi_comm *comm; /* NULL: it sends */
	int64_t value;
	bool is_started;
};

/* A communicator, or, with the lowest bit set, a struct often. */
static struct key_map requests;
static unsigned int nr_requests;
static unsigned int nr_untracked;
static bool is_shared;

/* One more. */
static void put(mpi_handle request, void *value)
{
	uint64_t key = mpi_key_of_handle(request);
	bool is_new = !key_map_get(&requests, key);

	if (!key_map_put(&requests, key, value))
		__atomic_add_fetch(&nr_untracked, 1, __ATOMIC_RELAXED);
	else if (is_new)
		__atomic_add_fetch(&nr_requests, 1, __ATOMIC_RELAXED);
}

/* One less. */
static void count_down(void)
{
	__atomic_sub_fetch(&nr_requests, 1, __ATOMIC_RELAXED);
}

/* NULL: it is for one message. */
static struct often *often_of(void *value)
{
	return (uintptr_t)value & 1 ? (struct often *)((uintptr_t)value - 1) : NULL;
}

static void put_often(mpi_handle request, struct often content)
{
	struct often *often = malloc(sizeof(*often));

	if (!often)
		return;
	*often = content;
	put(request, (void *)((uintptr_t)often + 1));
}

void mpi_request_receives(mpi_handle request, struct mpi_comm *comm)
{
	if (comm)
		put(request, comm);
}

void mpi_request_sends_often(mpi_handle request, int64_t value)
{
	put_often(request, (struct often){ .value = value });
}

void mpi_request_receives_often(mpi_handle request, struct mpi_comm *comm)
{
	if (comm)
		put_often(request, (struct often){ .comm = comm });
}

bool mpi_request_is_any(void)
{
	return __atomic_load_n(&nr_requests, __ATOMIC_RELAXED);
}

bool mpi_request_start(mpi_handle request, int64_t *value)
{
	struct often *often = often_of(key_map_get(&requests, mpi_key_of_handle(request)));

	if (!often)
		return false;
	often->is_started = true;
	*value = often->value;
	return !often->comm;
}

void mpi_request_share(void)
{
	is_shared = true;
}

/* What is for many messages has its handle as long as the program does not give it up. */
static void *take(mpi_handle request)
{
	uint64_t key = mpi_key_of_handle(request);
	void *known = key_map_get(&requests, key);

	if (known && !often_of(known))
		key_map_take(&requests, key);
	return known;
}

struct mpi_pending mpi_request_pending(mpi_handle request)
{
	return (struct mpi_pending){ .request = request,
				     .known = is_shared ? take(request) : NULL };
}

void mpi_request_put_back(struct mpi_pending pending)
{
	if (!pending.known || often_of(pending.known) ||
	    key_map_put(&requests, mpi_key_of_handle(pending.request), pending.known))
		return;
	count_down();
	__atomic_add_fetch(&nr_untracked, 1, __ATOMIC_RELAXED);
}

struct mpi_comm *mpi_request_complete(struct mpi_pending pending)
{
	void *known = is_shared ? pending.known : take(pending.request);
	struct often *often = often_of(known);

	if (!known)
		return NULL;
	if (!often) {
		count_down();
		return known;
	}
	/* One that is not started is complete all the time. */
	if (!often->is_started)
		return NULL;
	often->is_started = false;
	return often->comm;
}

void mpi_request_forget(mpi_handle request)
{
	void *known = key_map_take(&requests, mpi_key_of_handle(request));

	if (known)
		count_down();
	free(often_of(known));
}

unsigned int mpi_request_count_untracked(void)
{
	return __atomic_exchange_n(&nr_untracked, 0, __ATOMIC_RELAXED);
}

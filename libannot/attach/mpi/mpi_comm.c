// SPDX-License-Identifier: MIT
/*
 * A communicator has no name that all its processes know. Its number is made of the ranks in it, and of how many with the
 * same ranks were there before: processes make communicators together, in the same order.
 */
#include "mpi_comm.h"

#include <stdlib.h>

#include "../key_map.h"
#include "mpi_real.h"

struct mpi_comm {
	uint32_t id;
	uint32_t nr_operations;
	int nr_ranks;
	int *world_ranks; /* NULL: it is MPI_COMM_WORLD */
};

static struct key_map comms;

static uint32_t hash_of_ranks(const int *ranks, int nr)
{
	uint64_t hash = (uint64_t)nr;

	for (int i = 0; i < nr; i++)
		hash = (hash ^ (uint64_t)ranks[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(hash >> 32);
}

/* How many communicators with the hash @ranks there were before. */
static uint32_t count_same(uint32_t ranks)
{
	static struct key_map counts;
	uintptr_t nr = (uintptr_t)key_map_get(&counts, ranks);

	key_map_put(&counts, ranks, (void *)(nr + 1));
	return (uint32_t)nr;
}

static bool comm_look(struct mpi_comm *comm, mpi_handle handle)
{
	bool is_between_groups;
	uint32_t hash;

	if (handle == mpi_real_world())
		return true;
	if (!mpi_real_is_comm(handle))
		return false;
	comm->world_ranks = mpi_real_world_ranks(handle, &comm->nr_ranks, &is_between_groups);
	if (!comm->world_ranks)
		return false;
	hash = hash_of_ranks(comm->world_ranks, comm->nr_ranks);
	/* A process knows the ranks of the other group: the two groups have no number in common. */
	if (is_between_groups)
		hash = ~hash;
	comm->id = hash + count_same(hash) * UINT32_C(0x9e3779b9);
	if (!comm->id)
		comm->id = 1;
	return true;
}

static void comm_free(struct mpi_comm *comm)
{
	free(comm->world_ranks);
	free(comm);
}

struct mpi_comm *mpi_comm_of_handle(mpi_handle handle)
{
	struct mpi_comm *comm = key_map_get(&comms, mpi_key_of_handle(handle));

	if (comm)
		return comm;
	comm = calloc(1, sizeof(*comm));
	if (!comm)
		return NULL;
	if (!comm_look(comm, handle) || !key_map_put(&comms, mpi_key_of_handle(handle), comm)) {
		comm_free(comm);
		return NULL;
	}
	return comm;
}

void mpi_comm_forget(mpi_handle handle, bool is_in_use)
{
	struct mpi_comm *comm = key_map_take(&comms, mpi_key_of_handle(handle));

	if (comm && !is_in_use)
		comm_free(comm);
}

int mpi_comm_world_rank(const struct mpi_comm *comm, int rank)
{
	if (!comm || rank < 0)
		return -1;
	if (!comm->world_ranks)
		return rank;
	return rank < comm->nr_ranks ? comm->world_ranks[rank] : -1;
}

int64_t mpi_comm_next_operation(struct mpi_comm *comm)
{
	uint32_t nr = __atomic_fetch_add(&comm->nr_operations, 1, __ATOMIC_RELAXED);

	return (int64_t)((uint64_t)comm->id << 32 | nr);
}

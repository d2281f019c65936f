/* SPDX-License-Identifier: MIT */
/* What is used of Open MPI's ABI, 4 and 5: libmpi.so.40. */
#ifndef LIBANNOT_ATTACH_MPI_ABI_OPENMPI_H
#define LIBANNOT_ATTACH_MPI_ABI_OPENMPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Communicators, requests and the like. */
typedef void *mpi_handle;

struct mpi_status {
	int source;
	int tag;
	int error;
	int cancelled;
	size_t nr_bytes;
};

#define MPI_STATUS_IGNORED 0 /* what stands for a status, or an array of them, that nobody wants */
#define MPI_NO_PROCESS (-2) /* MPI_PROC_NULL */

/* Variables of this ABI alone: those of the communicator of all, and of none. */
#define MPI_WORLD_SYMBOL "ompi_mpi_comm_world"
#define MPI_NO_COMM_SYMBOL "ompi_mpi_comm_null"

static inline mpi_handle mpi_handle_of_word(uintptr_t word)
{
	return (mpi_handle)word;
}

static inline uint64_t mpi_key_of_handle(mpi_handle handle)
{
	return (uintptr_t)handle;
}

/* @symbol is the address of MPI_WORLD_SYMBOL, NULL if there is none. */
static inline bool mpi_abi_is_this(const void *symbol)
{
	return symbol;
}

static inline mpi_handle mpi_world_of_symbol(void *symbol)
{
	return symbol;
}

static inline mpi_handle mpi_no_comm_of_symbol(void *symbol)
{
	return symbol;
}

static inline uint64_t mpi_status_bytes(const struct mpi_status *status)
{
	return status->nr_bytes;
}

static inline bool mpi_status_is_cancelled(const struct mpi_status *status)
{
	return status->cancelled;
}

#endif /* LIBANNOT_ATTACH_MPI_ABI_OPENMPI_H */

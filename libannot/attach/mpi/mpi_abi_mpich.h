/* SPDX-License-Identifier: MIT */
/* What is used of the ABI that MPICH, Intel MPI and MVAPICH have in common: libmpich.so.12, libmpi.so.12. */
#ifndef LIBANNOT_ATTACH_MPI_ABI_MPICH_H
#define LIBANNOT_ATTACH_MPI_ABI_MPICH_H

#include <stdbool.h>
#include <stdint.h>

/* Communicators, requests and the like. */
typedef int mpi_handle;

struct mpi_status {
	int nr_bytes_low;
	int nr_bytes_high_and_cancelled; /* bit 0: cancelled */
	int source;
	int tag;
	int error;
};

#define MPI_STATUS_IGNORED 1 /* what stands for a status, or an array of them, that nobody wants */
#define MPI_NO_PROCESS (-1) /* MPI_PROC_NULL */

/* Variables of the other ABI: those of Open MPI's communicator of all, and of none. */
#define MPI_WORLD_SYMBOL "ompi_mpi_comm_world"
#define MPI_NO_COMM_SYMBOL "ompi_mpi_comm_null"

static inline mpi_handle mpi_handle_of_word(uintptr_t word)
{
	return (mpi_handle)word;
}

static inline uint64_t mpi_key_of_handle(mpi_handle handle)
{
	return (unsigned int)handle;
}

/* @symbol is the address of MPI_WORLD_SYMBOL, NULL if there is none. */
static inline bool mpi_abi_is_this(const void *symbol)
{
	return !symbol;
}

static inline mpi_handle mpi_world_of_symbol(void *symbol)
{
	(void)symbol;
	return 0x44000000;
}

static inline mpi_handle mpi_no_comm_of_symbol(void *symbol)
{
	(void)symbol;
	return 0x04000000;
}

static inline uint64_t mpi_status_bytes(const struct mpi_status *status)
{
	return (unsigned int)status->nr_bytes_low |
	       (uint64_t)((unsigned int)status->nr_bytes_high_and_cancelled >> 1) << 32;
}

static inline bool mpi_status_is_cancelled(const struct mpi_status *status)
{
	return status->nr_bytes_high_and_cancelled & 1;
}

#endif /* LIBANNOT_ATTACH_MPI_ABI_MPICH_H */

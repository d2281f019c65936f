/* SPDX-License-Identifier: MIT */
/* The MPI library of the process, and what we ask it ourselves. */
#ifndef LIBANNOT_ATTACH_MPI_REAL_H
#define LIBANNOT_ATTACH_MPI_REAL_H

#include <stdbool.h>

#include "mpi_abi.h"

/*
 * A function as the program would have it without us. NULL: there is none. Libraries that were loaded for one module
 * alone, as by Python, are found by their names.
 */
void *mpi_real_find(const char *name);

/* Whether the library has the ABI that we are compiled for. If not, calls are handed on as they are. */
bool mpi_real_is_this_abi(void);

mpi_handle mpi_real_world(void);

/* False: it is MPI_COMM_NULL, about which nothing may be asked: the library would end the program. */
bool mpi_real_is_comm(mpi_handle comm);

/* Whether several threads may call the library at once: MPI_THREAD_MULTIPLE. */
bool mpi_real_has_threads(void);

int mpi_real_rank(mpi_handle comm);
uint64_t mpi_real_type_bytes(mpi_handle type);

/*
 * The ranks in MPI_COMM_WORLD of a communicator's processes; of one that connects two groups, those of the other group.
 * -1: not in MPI_COMM_WORLD. To be freed. NULL: there is no memory, or no such
 * communicator.
 */
int *mpi_real_world_ranks(mpi_handle comm, int *nr, bool *is_between_groups);

#endif /* LIBANNOT_ATTACH_MPI_REAL_H */

/* SPDX-License-Identifier: MIT */
/* The communicators of the process. */
#ifndef LIBANNOT_ATTACH_MPI_COMM_H
#define LIBANNOT_ATTACH_MPI_COMM_H

#include "mpi_abi.h"

struct mpi_comm;

/* NULL: it is none, or there is no room. Asks the library, the first time. */
struct mpi_comm *mpi_comm_of_handle(mpi_handle handle);

/* The program gives it up; what is on its way is still received. */
void mpi_comm_forget(mpi_handle handle, bool is_in_use);

/* In MPI_COMM_WORLD; -1: unknown. */
int mpi_comm_world_rank(const struct mpi_comm *comm, int rank);

/* The value of the mark @collective for the operation that begins. */
int64_t mpi_comm_next_operation(struct mpi_comm *comm);

#endif /* LIBANNOT_ATTACH_MPI_COMM_H */

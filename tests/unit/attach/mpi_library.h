/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands for Open MPI's library, of which it has as much as a receive takes. There is one request. It is complete when it
 * is waited for, and may then be had again at once.
 */
#ifndef TESTS_ATTACH_MPI_LIBRARY_H
#define TESTS_ATTACH_MPI_LIBRARY_H

#include "../../../libannot/attach/mpi/mpi_abi_openmpi.h"

extern char ompi_mpi_comm_world, ompi_mpi_comm_null;

/* What another thread does before the first MPI_Wait() returns. */
extern void *(*mpi_library_meanwhile)(void *);

int MPI_Init(int *nr, char ***arguments);
int PMPI_Query_thread(int *level);
int PMPI_Comm_rank(void *comm, int *rank);
int MPI_Irecv(void *buffer, int count, void *type, int source, int tag, void *comm, void **request);
int MPI_Wait(void **request, struct mpi_status *status);
int MPI_Test(void **request, int *is_complete, struct mpi_status *status);

#endif /* TESTS_ATTACH_MPI_LIBRARY_H */

// SPDX-License-Identifier: GPL-2.0
/* Receives two messages in two threads, whose requests have the same handle. */
#include "mpi_library.h"

static void *of_other;

static void *receive(void *argument)
{
	MPI_Irecv(NULL, 1, NULL, 5, 2, &ompi_mpi_comm_world, &of_other);
	return argument;
}

int main(void)
{
	struct mpi_status status;
	int is_complete;
	void *request;

	mpi_library_meanwhile = receive;
	MPI_Init(NULL, NULL);
	MPI_Irecv(NULL, 1, NULL, 5, 1, &ompi_mpi_comm_world, &request);
	MPI_Test(&request, &is_complete, &status);
	MPI_Wait(&request, &status);
	MPI_Wait(&of_other, &status);
	return status.tag != 2;
}

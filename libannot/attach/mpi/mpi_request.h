/* SPDX-License-Identifier: MIT */
/* Requests whose messages are told when they are complete, or when they start. */
#ifndef LIBANNOT_ATTACH_MPI_REQUEST_H
#define LIBANNOT_ATTACH_MPI_REQUEST_H

#include "mpi_abi.h"
#include "mpi_comm.h"

/* The handle of a request, or of a message that MPI_Mprobe() found. */
void mpi_request_receives(mpi_handle request, struct mpi_comm *comm);

/* Those of MPI_Send_init(), with the value of @send, and of MPI_Recv_init(). */
void mpi_request_sends_often(mpi_handle request, int64_t value);
void mpi_request_receives_often(mpi_handle request, struct mpi_comm *comm);

/* Whether there is any: else nobody need look. */
bool mpi_request_is_any(void);

/* It starts anew. True: it sends what @value says. */
bool mpi_request_start(mpi_handle request, int64_t *value);

/* Several threads call MPI at once. When a call ends, another thread may have the handle already, for another request. */
void mpi_request_share(void);

/* A request, or message, that may be complete when the call ends. If threads share them, it is forgotten meanwhile. */
struct mpi_pending {
	mpi_handle request;
	void *known; /* NULL: nothing */
};

struct mpi_pending mpi_request_pending(mpi_handle request);

/* It is not complete. */
void mpi_request_put_back(struct mpi_pending pending);

/* It is complete. The communicator of the message that it has received; NULL: it has received none that we know of. */
struct mpi_comm *mpi_request_complete(struct mpi_pending pending);

/* The program gives it up. */
void mpi_request_forget(mpi_handle request);

/* How many requests found no room since this was asked last. */
unsigned int mpi_request_count_untracked(void);

#endif /* LIBANNOT_ATTACH_MPI_REQUEST_H */

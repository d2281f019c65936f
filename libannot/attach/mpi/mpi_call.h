/* SPDX-License-Identifier: MIT */
/* What is told of a call of MPI. */
#ifndef LIBANNOT_ATTACH_MPI_CALL_H
#define LIBANNOT_ATTACH_MPI_CALL_H

#include "../place.h"
#include "mpi_abi.h"
#include "mpi_comm.h"
#include "mpi_request.h"

enum mpi_kind {
	MPI_WAIT, /* a wait span */
	MPI_WORK, /* a span of work */
	MPI_QUIET, /* no span: called often, or done at once */
};

/* What more is known of a function. It says where its parameters are. */
enum mpi_role {
	MPI_PLAIN,
	MPI_INIT,
	MPI_FINALIZE,
	MPI_SEND, /* buffer, count, type, destination, tag, communicator */
	MPI_SEND_OFTEN, /* ..., request */
	MPI_RECV, /* buffer, count, type, source, tag, communicator, status */
	MPI_IRECV, /* ..., request */
	MPI_RECV_OFTEN,
	MPI_SENDRECV,
	MPI_SENDRECV_REPLACE,
	MPI_MPROBE, /* source, tag, communicator, message, status */
	MPI_IMPROBE, /* source, tag, communicator, flag, message, status */
	MPI_MRECV, /* buffer, count, type, message, status */
	MPI_IMRECV, /* buffer, count, type, message, request */
	MPI_START, /* request */
	MPI_STARTALL, /* number, requests */
	MPI_COMPLETE, /* request, status */
	MPI_COMPLETE_ALL, /* number, requests, statuses */
	MPI_COMPLETE_ANY, /* number, requests, index, status */
	MPI_COMPLETE_SOME, /* number, requests, number of indices, indices, statuses */
	MPI_TEST, /* request, flag, status */
	MPI_TEST_ALL, /* number, requests, flag, statuses */
	MPI_TEST_ANY, /* number, requests, index, flag, status */
	MPI_REQUEST_FREE,
	MPI_COLLECTIVE,
	MPI_COMM_MAKE, /* collective; the last parameter is the new communicator */
	MPI_COMM_FREE,
};

struct mpi_function {
	const char *name; /* "MPI_Send" */
	enum mpi_kind kind;
	enum mpi_role role;
	int comm; /* of collective operations, which parameter is the communicator */
	int nr_words;
	struct place *place; /* of its spans, once it was told */
};

#define MPI_FEW_REQUESTS 16

/* One call, from its begin to its end. */
struct mpi_call {
	struct mpi_function *function;
	uintptr_t
		*words; /* the parameters; those that nobody wants to have filled in are replaced */
	bool is_told;
	struct mpi_comm *comm; /* that of a message of MPI_Mprobe() */
	int nr_requests;
	struct mpi_pending *requests; /* those that may be complete when it ends */
	struct mpi_status *statuses;
	void *block; /* of memory for many requests */
	struct mpi_pending few_requests[MPI_FEW_REQUESTS];
	struct mpi_status few_statuses[MPI_FEW_REQUESTS];
};

/*
 * False: the call is one that the library, or another tool, makes within another; it is not told, and mpi_call_end() is not
 * to be called.
 */
bool mpi_call_begin(struct mpi_call *call, struct mpi_function *function, uintptr_t *words);
void mpi_call_end(struct mpi_call *call, int error);

#endif /* LIBANNOT_ATTACH_MPI_CALL_H */

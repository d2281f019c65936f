// SPDX-License-Identifier: GPL-2.0
/*
 * Calls MPI in three ranks or more, and writes down what must be told of it, and how long each call took by its own clock.
 * Exits with EXIT_STATUS.
 */
#include <mpi.h>
#include <string.h>

#include "truth.h"

#define MANY 20 /* more than a wait has room for without memory */
#define BIG 1000000 /* bytes; more than what is told exactly */

static int rank, size, left, right;
static int nr_wrong;
static char buffer[MANY][64], big[BIG];

static void is(int right_so)
{
	nr_wrong += !right_so;
}

/* What stands in @send and @recv. */
static void message(const char *name, int partner, int tag, long long bytes)
{
	truth_value('I', name,
		    (long long)partner << 44 | (long long)(tag > 0xfffff ? 0xfffff : tag) << 24 |
			    bytes);
}

static void sent(int partner, int tag, long long bytes)
{
	message("@send", partner, tag, bytes);
}

static void received(int partner, int tag, long long bytes)
{
	message("@recv", partner, tag, bytes);
}

/* The same value in all ranks that write the same, and another one than any else. */
static void collective(const char *comm, int number)
{
	char text[64];

	snprintf(text, sizeof(text), "=%s.%d", comm, number);
	truth_text('I', text, "@collective");
}

static int nr_of_world; /* collective operations */

/* CALL is a wait named NAME in whose midst TOLD happens. */
#define WAIT(name, call, ...)     \
	do {                      \
		TRUTH_CALL(call); \
		truth('W', name); \
		__VA_ARGS__;      \
		truth('E', "");   \
	} while (0)
#define WORK(name, call, ...)     \
	do {                      \
		TRUTH_CALL(call); \
		truth('B', name); \
		__VA_ARGS__;      \
		truth('E', "");   \
	} while (0)
#define OF_WORLD(name, call) WAIT(name, call, collective("world", nr_of_world++))

static void ring(void)
{
	MPI_Status status;

	if (rank == 0) {
		WORK("MPI_Send", MPI_Send(buffer, 10, MPI_INT, right, 7, MPI_COMM_WORLD),
		     sent(right, 7, 40));
		WAIT("MPI_Recv",
		     MPI_Recv(buffer, 16, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			      MPI_STATUS_IGNORE),
		     received(left, 7, 40));
	} else {
		WAIT("MPI_Recv", MPI_Recv(buffer, 16, MPI_INT, left, 7, MPI_COMM_WORLD, &status),
		     received(left, 7, 40));
		is(status.MPI_SOURCE == left && status.MPI_TAG == 7);
		truth_work_ns(1000000);
		WORK("MPI_Send", MPI_Send(buffer, 10, MPI_INT, right, 7, MPI_COMM_WORLD),
		     sent(right, 7, 40));
	}
	WORK("MPI_Send", MPI_Send(buffer, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD));
	WAIT("MPI_Recv", MPI_Recv(buffer, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status));
	WAIT("MPI_Sendrecv",
	     MPI_Sendrecv(buffer, 3, MPI_DOUBLE, right, (1 << 20) + 5, buffer[1], 8, MPI_DOUBLE,
			  left, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
	     sent(right, (1 << 20) + 5, 24), received(left, (1 << 20) + 5, 24));
	WAIT("MPI_Sendrecv_replace",
	     MPI_Sendrecv_replace(big, BIG, MPI_CHAR, right, 3, left, 3, MPI_COMM_WORLD, &status),
	     sent(right, 3, 1 << 19 | BIG / 2), received(left, 3, 1 << 19 | BIG / 2));
	is(status.MPI_SOURCE == left);
}

/* Receives @nr messages of i bytes from the left, and sends such to the right. */
static void post(MPI_Request *requests, int nr, int tag)
{
	for (int i = 0; i < nr; i++)
		WORK("MPI_Irecv",
		     MPI_Irecv(buffer[i], 64, MPI_CHAR, left, tag, MPI_COMM_WORLD, &requests[i]));
	for (int i = 0; i < nr; i++)
		WORK("MPI_Isend",
		     MPI_Isend(big, i, MPI_CHAR, right, tag, MPI_COMM_WORLD, &requests[nr + i]),
		     sent(right, tag, i));
}

static void waits(void)
{
	MPI_Request requests[2 * MANY];
	MPI_Status statuses[2 * MANY];
	int index, flag = 0;

	post(requests, MANY, 11);
	WAIT("MPI_Waitall", MPI_Waitall(2 * MANY, requests, MPI_STATUSES_IGNORE),
	     for (int i = 0; i < MANY; i++) received(left, 11, i));
	post(requests, 3, 12);
	WAIT("MPI_Waitall", MPI_Waitall(6, requests, statuses),
	     for (int i = 0; i < 3; i++) received(left, 12, i));
	is(statuses[2].MPI_SOURCE == left);
	post(requests, 1, 13);
	WAIT("MPI_Wait", MPI_Wait(&requests[0], MPI_STATUS_IGNORE), received(left, 13, 0));
	is(requests[0] == MPI_REQUEST_NULL);
	WAIT("MPI_Wait", MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
	post(requests, 1, 14);
	WAIT("MPI_Waitany", MPI_Waitany(1, requests, &index, MPI_STATUS_IGNORE),
	     received(left, 14, 0));
	is(index == 0);
	WAIT("MPI_Waitsome", MPI_Waitsome(1, requests + 1, &flag, &index, MPI_STATUSES_IGNORE));
	is(flag == 1);
	post(requests, 1, 15);
	WAIT("MPI_Waitsome", MPI_Waitsome(1, requests, &flag, &index, MPI_STATUSES_IGNORE),
	     received(left, 15, 0));
	WAIT("MPI_Wait", MPI_Wait(&requests[1], &statuses[0]));
}

/* Tests are not told, but what they receive is. */
static void tests(void)
{
	MPI_Request requests[2];
	int flag, index;

#define UNTIL_TRUE(test)                  \
	do {                              \
		flag = 0;                 \
		while (!flag)             \
			TRUTH_CALL(test); \
	} while (0)
	post(requests, 1, 21);
	UNTIL_TRUE(MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE));
	received(left, 21, 0);
	UNTIL_TRUE(MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE));
	post(requests, 1, 22);
	UNTIL_TRUE(MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE));
	received(left, 22, 0);
	post(requests, 1, 23);
	UNTIL_TRUE(MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE));
	received(left, 23, 0);
	is(index == 0);
	/* There is none left. */
	MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
	is(flag && index == MPI_UNDEFINED);
	WAIT("MPI_Wait", MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
	post(requests, 1, 24);
	UNTIL_TRUE(MPI_Testsome(1, requests, &flag, &index, MPI_STATUSES_IGNORE));
	received(left, 24, 0);
	WAIT("MPI_Wait", MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
}

static void persistent(void)
{
	MPI_Request requests[2];

	MPI_Recv_init(buffer, 64, MPI_CHAR, left, 31, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(big, 5, MPI_CHAR, right, 31, MPI_COMM_WORLD, &requests[1]);
	/* It is complete, for it has not started. */
	WAIT("MPI_Wait", MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
	for (int i = 0; i < 3; i++) {
		if (i)
			WORK("MPI_Startall", MPI_Startall(2, requests), sent(right, 31, 5));
		else {
			WORK("MPI_Start", MPI_Start(&requests[0]));
			WORK("MPI_Start", MPI_Start(&requests[1]), sent(right, 31, 5));
		}
		WAIT("MPI_Waitall", MPI_Waitall(2, requests, MPI_STATUSES_IGNORE),
		     received(left, 31, 5));
	}
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void probes(void)
{
	MPI_Message found;
	MPI_Request request, receives;
	int flag;

	WORK("MPI_Isend", MPI_Isend(big, 9, MPI_CHAR, right, 41, MPI_COMM_WORLD, &request),
	     sent(right, 41, 9));
	WAIT("MPI_Mprobe", MPI_Mprobe(left, 41, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE));
	WAIT("MPI_Mrecv", MPI_Mrecv(buffer, 64, MPI_CHAR, &found, MPI_STATUS_IGNORE),
	     received(left, 41, 9));
	WAIT("MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
	WORK("MPI_Isend", MPI_Isend(big, 8, MPI_CHAR, right, 42, MPI_COMM_WORLD, &request),
	     sent(right, 42, 8));
	WAIT("MPI_Probe", MPI_Probe(left, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	UNTIL_TRUE(
		MPI_Improbe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &found, MPI_STATUS_IGNORE));
	WORK("MPI_Imrecv", MPI_Imrecv(buffer, 64, MPI_CHAR, &found, &receives));
	WAIT("MPI_Wait", MPI_Wait(&receives, MPI_STATUS_IGNORE), received(left, 42, 8));
	WAIT("MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* Each rank comes later than the one before: the first waits longest. */
static void collectives(void)
{
	int sum = 0;
	MPI_Request request;

	truth_work_ns((uint64_t)rank * 10000000);
	OF_WORLD("MPI_Barrier", MPI_Barrier(MPI_COMM_WORLD));
	OF_WORLD("MPI_Allreduce", MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
	is(sum == size * (size - 1) / 2);
	OF_WORLD("MPI_Bcast", MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD));
	WORK("MPI_Ibarrier", MPI_Ibarrier(MPI_COMM_WORLD, &request),
	     collective("world", nr_of_world++));
	WAIT("MPI_Wait", MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* In the other order, and with handles that come again. */
static void communicators(int round)
{
	MPI_Comm reversed, half;
	char name[32];
	int own, partner, nr;

	OF_WORLD("MPI_Comm_split", MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed));
	OF_WORLD("MPI_Comm_split", MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half));
	snprintf(name, sizeof(name), "reversed%d", round);
	WAIT("MPI_Barrier", MPI_Barrier(reversed), collective(name, 0));
	WAIT("MPI_Barrier", MPI_Barrier(reversed), collective(name, 1));
	snprintf(name, sizeof(name), "half%d-%d", rank % 2, round);
	WAIT("MPI_Barrier", MPI_Barrier(half), collective(name, 0));
	MPI_Comm_rank(reversed, &own);
	is(own == size - 1 - rank);
	/* To the world's left, which is the right one here. */
	partner = (own + 1) % size;
	WAIT("MPI_Sendrecv",
	     MPI_Sendrecv(buffer, 1, MPI_INT, partner, 51, buffer[1], 1, MPI_INT,
			  (own + size - 1) % size, 51, reversed, MPI_STATUS_IGNORE),
	     sent(left, 51, 4), received(right, 51, 4));
	MPI_Comm_size(half, &nr);
	is(nr == (size + 1 - rank % 2) / 2);
	MPI_Comm_free(&reversed);
	MPI_Comm_free(&half);
}

/* One rank is not in it, and gets none. */
static void communicator_of_others(int round)
{
	MPI_Comm others;
	char name[32];

	OF_WORLD("MPI_Comm_split",
		 MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &others));
	is((others == MPI_COMM_NULL) == (rank == 1));
	if (others == MPI_COMM_NULL)
		return;
	snprintf(name, sizeof(name), "others%d", round);
	WAIT("MPI_Barrier", MPI_Barrier(others), collective(name, 0));
	MPI_Comm_free(&others);
}

/* A call that fails receives nothing. */
static void failure(void)
{
	int error;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	WORK("MPI_Send", MPI_Send(buffer, 1, MPI_INT, size, 61, MPI_COMM_WORLD), sent(size, 61, 4));
	WAIT("MPI_Sendrecv",
	     error = MPI_Sendrecv(buffer, 10, MPI_INT, right, 62, buffer[1], 1, MPI_INT, left, 62,
				  MPI_COMM_WORLD, MPI_STATUS_IGNORE),
	     sent(right, 62, 40));
	is(error != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
	TRUTH_CALL(MPI_Init(&argc, &argv));
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	truth('B', "MPI_Init");
	truth_value('I', "@rank", rank);
	truth('E', "");
	left = (rank + size - 1) % size;
	right = (rank + 1) % size;
	for (int round = 0; round < 2; round++) {
		ring();
		waits();
		tests();
		persistent();
		probes();
		collectives();
		communicators(round);
		communicator_of_others(round);
	}
	failure();
	MPI_Pcontrol(1);
	WORK("MPI_Finalize", MPI_Finalize());
	printf("rank %d of %d: %d wrong\n", rank, size, nr_wrong);
	return getenv("EXIT_STATUS") ? atoi(getenv("EXIT_STATUS")) : 0;
}

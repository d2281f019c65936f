// SPDX-License-Identifier: MIT
#include "mpi_call.h"

#include <stdlib.h>

#include "../sink.h"
#include "mpi_message.h"
#include "mpi_real.h"

static __thread bool is_in_call __attribute__((tls_model("initial-exec")));

/* Between MPI_Init() and MPI_Finalize(). */
static bool is_running;
static bool rank_is_told;

static void mark_rank(void)
{
	static struct place *place;

	if (is_running && !__atomic_exchange_n(&rank_is_told, true, __ATOMIC_RELAXED))
		attach_mark_value(place_of_literal(&place, "@rank"),
				  mpi_real_rank(mpi_real_world()));
}

static void mark_send(int64_t value)
{
	static struct place *place;

	attach_mark_value(place_of_literal(&place, "@send"), value);
}

static void mark_collective(int64_t value)
{
	static struct place *place;

	attach_mark_value(place_of_literal(&place, "@collective"), value);
}

static void mark_untracked(void)
{
	static struct place *place;
	unsigned int nr = mpi_request_count_untracked();

	if (nr)
		attach_mark_value(place_of_literal(&place, "@untracked"), nr);
}

static void mark_recv(const struct mpi_comm *comm, const struct mpi_status *status)
{
	static struct place *place;

	if (mpi_status_is_cancelled(status) || status->source == MPI_NO_PROCESS)
		return;
	attach_mark_value(place_of_literal(&place, "@recv"),
			  mpi_message_value(mpi_comm_world_rank(comm, status->source), status->tag,
					    mpi_status_bytes(status)));
}

static struct mpi_comm *comm_at(const uintptr_t *word)
{
	return is_running ? mpi_comm_of_handle(mpi_handle_of_word(*word)) : NULL;
}

/* @words: count, type, destination, tag; the communicator is at @comm. */
static int64_t message_value(const uintptr_t *words, const uintptr_t *comm)
{
	return mpi_message_value(mpi_comm_world_rank(comm_at(comm), (int)words[2]), (int)words[3],
				 (uint64_t)(int)words[0] *
					 mpi_real_type_bytes(mpi_handle_of_word(words[1])));
}

static bool is_to_nobody(const uintptr_t *words)
{
	return (int)words[2] == MPI_NO_PROCESS;
}

static void tell_send(const struct mpi_call *call, const uintptr_t *words, const uintptr_t *comm)
{
	if (call->is_told && !is_to_nobody(words))
		mark_send(message_value(words, comm));
}

static mpi_handle handle_at(uintptr_t word)
{
	return *(const mpi_handle *)word;
}

/*
 * Room for @nr requests and statuses. Waits for few are the rule: these need no memory of their own. False: there is none.
 */
static bool make_room(struct mpi_call *call, int nr)
{
	if (nr <= MPI_FEW_REQUESTS) {
		call->statuses = call->few_statuses;
		call->requests = call->few_requests;
		return true;
	}
	call->block = malloc((size_t)nr * (sizeof(struct mpi_pending) + sizeof(struct mpi_status)));
	call->requests = call->block;
	call->statuses = (struct mpi_status *)(call->requests + nr);
	return call->block;
}

/* The status, or statuses, that the library fills in: the program's, or if it wants none, ours. */
static void want_statuses(struct mpi_call *call, uintptr_t *word)
{
	if (*word == MPI_STATUS_IGNORED)
		*word = (uintptr_t)call->statuses;
	else
		call->statuses = (struct mpi_status *)*word;
}

static void want_status(struct mpi_call *call, uintptr_t *word)
{
	call->statuses = call->few_statuses;
	want_statuses(call, word);
}

/* Remembers requests that may be complete after the call. */
static void want_requests(struct mpi_call *call, int nr, uintptr_t requests, uintptr_t *statuses)
{
	if (nr <= 0 || !mpi_request_is_any() || !make_room(call, nr))
		return;
	for (int i = 0; i < nr; i++)
		call->requests[i] = mpi_request_pending(((const mpi_handle *)requests)[i]);
	call->nr_requests = nr;
	want_statuses(call, statuses);
}

static void complete(struct mpi_call *call, int request, const struct mpi_status *status)
{
	struct mpi_comm *comm;

	if (request < 0 || request >= call->nr_requests)
		return;
	comm = mpi_request_complete(call->requests[request]);
	call->requests[request].known = NULL;
	if (comm && call->is_told)
		mark_recv(comm, status);
}

static void complete_all(struct mpi_call *call)
{
	for (int i = 0; i < call->nr_requests; i++)
		complete(call, i, &call->statuses[i]);
}

/* The program has what it calls a pointer to an integer. */
static int int_at(uintptr_t word)
{
	return *(const int *)word;
}

static void end_init(struct mpi_call *call)
{
	is_running = true;
	if (mpi_real_has_threads())
		mpi_request_share();
	if (call->is_told)
		mark_rank();
}

static void begin_finalize(struct mpi_call *call)
{
	if (call->is_told)
		mark_untracked();
	is_running = false;
}

static void begin_send(struct mpi_call *call)
{
	tell_send(call, call->words + 1, call->words + 5);
}

static void end_send_often(struct mpi_call *call)
{
	if (!is_to_nobody(call->words + 1))
		mpi_request_sends_often(handle_at(call->words[6]),
					message_value(call->words + 1, call->words + 5));
}

static void begin_recv(struct mpi_call *call)
{
	if (call->is_told)
		want_status(call, call->words + 6);
}

static void end_recv(struct mpi_call *call)
{
	if (call->is_told)
		mark_recv(comm_at(call->words + 5), call->statuses);
}

static void end_irecv(struct mpi_call *call)
{
	if (call->is_told && !is_to_nobody(call->words + 1))
		mpi_request_receives(handle_at(call->words[6]), comm_at(call->words + 5));
}

static void end_recv_often(struct mpi_call *call)
{
	if (!is_to_nobody(call->words + 1))
		mpi_request_receives_often(handle_at(call->words[6]), comm_at(call->words + 5));
}

static void begin_sendrecv(struct mpi_call *call)
{
	tell_send(call, call->words + 1, call->words + 10);
	if (call->is_told)
		want_status(call, call->words + 11);
}

static void end_sendrecv(struct mpi_call *call)
{
	if (call->is_told)
		mark_recv(comm_at(call->words + 10), call->statuses);
}

static void begin_sendrecv_replace(struct mpi_call *call)
{
	tell_send(call, call->words + 1, call->words + 7);
	if (call->is_told)
		want_status(call, call->words + 8);
}

static void end_sendrecv_replace(struct mpi_call *call)
{
	if (call->is_told)
		mark_recv(comm_at(call->words + 7), call->statuses);
}

/* The message has a handle, which MPI_Mrecv() gets in place of a communicator. */
static void end_mprobe(struct mpi_call *call)
{
	mpi_request_receives(handle_at(call->words[3]), comm_at(call->words + 2));
}

static void end_improbe(struct mpi_call *call)
{
	if (int_at(call->words[3]))
		mpi_request_receives(handle_at(call->words[4]), comm_at(call->words + 2));
}

static void begin_mrecv(struct mpi_call *call)
{
	call->comm = mpi_request_complete(mpi_request_pending(handle_at(call->words[3])));
	if (call->is_told)
		want_status(call, call->words + 4);
}

static void end_mrecv(struct mpi_call *call)
{
	if (call->is_told && call->comm)
		mark_recv(call->comm, call->statuses);
}

static void begin_imrecv(struct mpi_call *call)
{
	call->comm = mpi_request_complete(mpi_request_pending(handle_at(call->words[3])));
}

static void end_imrecv(struct mpi_call *call)
{
	if (call->is_told)
		mpi_request_receives(handle_at(call->words[4]), call->comm);
}

static void start(const struct mpi_call *call, mpi_handle request)
{
	int64_t value;

	if (mpi_request_start(request, &value) && call->is_told)
		mark_send(value);
}

static void begin_start(struct mpi_call *call)
{
	start(call, handle_at(call->words[0]));
}

static void begin_startall(struct mpi_call *call)
{
	for (int i = 0; i < (int)call->words[0]; i++)
		start(call, ((const mpi_handle *)call->words[1])[i]);
}

static void begin_complete(struct mpi_call *call)
{
	want_requests(call, 1, call->words[0], call->words + 1);
}

static void begin_complete_all(struct mpi_call *call)
{
	want_requests(call, (int)call->words[0], call->words[1], call->words + 2);
}

static void begin_complete_any(struct mpi_call *call)
{
	want_requests(call, (int)call->words[0], call->words[1], call->words + 3);
}

static void begin_complete_some(struct mpi_call *call)
{
	want_requests(call, (int)call->words[0], call->words[1], call->words + 4);
}

static void begin_test(struct mpi_call *call)
{
	want_requests(call, 1, call->words[0], call->words + 2);
}

static void begin_test_all(struct mpi_call *call)
{
	want_requests(call, (int)call->words[0], call->words[1], call->words + 3);
}

static void begin_test_any(struct mpi_call *call)
{
	want_requests(call, (int)call->words[0], call->words[1], call->words + 4);
}

static void end_complete_any(struct mpi_call *call)
{
	if (call->nr_requests)
		complete(call, int_at(call->words[2]), call->statuses);
}

static void end_complete_some(struct mpi_call *call)
{
	for (int i = 0; call->nr_requests && i < int_at(call->words[2]); i++)
		complete(call, ((const int *)call->words[3])[i], &call->statuses[i]);
}

static void end_test(struct mpi_call *call)
{
	if (int_at(call->words[1]))
		complete_all(call);
}

static void end_test_all(struct mpi_call *call)
{
	if (int_at(call->words[2]))
		complete_all(call);
}

static void end_test_any(struct mpi_call *call)
{
	if (int_at(call->words[3]))
		end_complete_any(call);
}

static void begin_request_free(struct mpi_call *call)
{
	mpi_request_forget(handle_at(call->words[0]));
}

/* Counted even when nothing records: the number is to be the same in all processes. */
static void begin_collective(struct mpi_call *call)
{
	struct mpi_comm *comm = comm_at(call->words + call->function->comm);
	int64_t operation = comm ? mpi_comm_next_operation(comm) : 0;

	if (comm && call->is_told)
		mark_collective(operation);
}

/* Now, while all its processes make it: see mpi_comm.c. */
static void end_comm_make(struct mpi_call *call)
{
	mpi_handle comm = handle_at(call->words[call->function->nr_words - 1]);

	if (is_running)
		mpi_comm_of_handle(comm);
}

static void begin_comm_free(struct mpi_call *call)
{
	mpi_comm_forget(handle_at(call->words[0]), mpi_request_is_any());
}

static const struct {
	void (*begin)(struct mpi_call *call);
	void (*end)(struct mpi_call *call); /* if the call succeeds */
} roles[] = {
	[MPI_PLAIN] = { NULL, NULL },
	[MPI_INIT] = { NULL, end_init },
	[MPI_FINALIZE] = { begin_finalize, NULL },
	[MPI_SEND] = { begin_send, NULL },
	[MPI_SEND_OFTEN] = { NULL, end_send_often },
	[MPI_RECV] = { begin_recv, end_recv },
	[MPI_IRECV] = { NULL, end_irecv },
	[MPI_RECV_OFTEN] = { NULL, end_recv_often },
	[MPI_SENDRECV] = { begin_sendrecv, end_sendrecv },
	[MPI_SENDRECV_REPLACE] = { begin_sendrecv_replace, end_sendrecv_replace },
	[MPI_MPROBE] = { NULL, end_mprobe },
	[MPI_IMPROBE] = { NULL, end_improbe },
	[MPI_MRECV] = { begin_mrecv, end_mrecv },
	[MPI_IMRECV] = { begin_imrecv, end_imrecv },
	[MPI_START] = { begin_start, NULL },
	[MPI_STARTALL] = { begin_startall, NULL },
	[MPI_COMPLETE] = { begin_complete, complete_all },
	[MPI_COMPLETE_ALL] = { begin_complete_all, complete_all },
	[MPI_COMPLETE_ANY] = { begin_complete_any, end_complete_any },
	[MPI_COMPLETE_SOME] = { begin_complete_some, end_complete_some },
	[MPI_TEST] = { begin_test, end_test },
	[MPI_TEST_ALL] = { begin_test_all, end_test_all },
	[MPI_TEST_ANY] = { begin_test_any, end_test_any },
	[MPI_REQUEST_FREE] = { begin_request_free, NULL },
	[MPI_COLLECTIVE] = { begin_collective, NULL },
	[MPI_COMM_MAKE] = { begin_collective, end_comm_make },
	[MPI_COMM_FREE] = { begin_comm_free, NULL },
};

static void span_begin(struct mpi_function *function)
{
	if (function->kind == MPI_WAIT)
		attach_wait_begin(place_of_literal(&function->place, function->name));
	else if (function->kind == MPI_WORK)
		attach_work_begin(place_of_literal(&function->place, function->name));
}

static void span_end(const struct mpi_function *function)
{
	if (function->kind == MPI_WAIT)
		attach_wait_end();
	else if (function->kind == MPI_WORK)
		attach_work_end();
}

bool mpi_call_begin(struct mpi_call *call, struct mpi_function *function, uintptr_t *words)
{
	if (is_in_call || !mpi_real_is_this_abi())
		return false;
	is_in_call = true;
	call->function = function;
	call->words = words;
	call->is_told = attach_is_recording();
	call->comm = NULL;
	call->nr_requests = 0;
	call->block = NULL;
	if (call->is_told) {
		mark_rank();
		span_begin(function);
		mark_untracked();
	} else {
		/* The next recording is to know it, too. */
		__atomic_store_n(&rank_is_told, false, __ATOMIC_RELAXED);
	}
	if (roles[function->role].begin)
		roles[function->role].begin(call);
	return true;
}

void mpi_call_end(struct mpi_call *call, int error)
{
	if (!error && roles[call->function->role].end)
		roles[call->function->role].end(call);
	for (int i = 0; i < call->nr_requests; i++)
		mpi_request_put_back(call->requests[i]);
	if (call->is_told)
		span_end(call->function);
	free(call->block);
	is_in_call = false;
}

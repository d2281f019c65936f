// SPDX-License-Identifier: GPL-2.0
#include "trace/print/event_printer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/print/printer_child.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define LONGEST_ANSWER_S 10
#define MOST_CRASHES 16 /* then it is the trace: the rest has no text */
#define BATCH_BYTES (64 * 1024)

struct event_printer {
	char *path;
	pid_t child; /* 0: none */
	int socket;
	struct print_area *area; /* shared with the child */
	size_t nr_filters;
	char **filters;
	uint8_t *batch; /* heads and bytes of the records that were added */
	size_t nr_batch_bytes;
	size_t batch_capacity;
	size_t nr_batch; /* records */
	uint64_t nr_unprintable;
	int nr_crashes;
	char text[PRINT_MOST_TEXT_BYTES + 1];
};

static bool start_child(struct event_printer *printer)
{
	const struct timeval longest = { .tv_sec = LONGEST_ANSWER_S };
	pid_t parent = getpid();
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets))
		return false;
	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
	printer->child = fork();
	if (!printer->child) {
		close(sockets[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			printer_child_run(printer->path, sockets[1], printer->area);
		_exit(0);
	}
	close(sockets[1]);
	if (printer->child > 0) {
		printer->socket = sockets[0];
		return true;
	}
	printer->child = 0;
	close(sockets[0]);
	return false;
}

static void stop_child(struct event_printer *printer)
{
	if (!printer->child)
		return;
	close(printer->socket);
	kill(printer->child, SIGKILL);
	while (waitpid(printer->child, NULL, 0) < 0 && errno == EINTR)
		;
	printer->child = 0;
}

/* Returns whether the child has answered all of it. A child that gets no further in that time is stuck. */
static bool wait_for_answers(const struct event_printer *printer)
{
	uint32_t nr_before = 0;

	for (;;) {
		char byte;
		ssize_t got = recv(printer->socket, &byte, 1, 0);
		int error = errno;
		uint32_t nr = __atomic_load_n(&printer->area->nr_answers, __ATOMIC_ACQUIRE);

		if (got == 1)
			return true;
		if (!got || (error != EINTR && error != EAGAIN))
			return false;
		if (error == EAGAIN && nr == nr_before)
			return false;
		nr_before = nr;
	}
}

/* Returns how many answers there are: fewer than asked for if the child has crashed, or is stuck. */
static uint32_t request(const struct event_printer *printer, enum print_request_kind kind,
			uint32_t nr)
{
	struct print_area *area = printer->area;
	uint32_t nr_answers;

	area->kind = kind;
	area->nr = nr;
	area->nr_answers = 0;
	if (!printer->child || send(printer->socket, "", 1, MSG_NOSIGNAL) != 1)
		return 0;
	wait_for_answers(printer);
	/* The child may have written anything there, and may write on: it is read once. */
	nr_answers = __atomic_load_n(&area->nr_answers, __ATOMIC_ACQUIRE);
	return nr_answers < nr ? nr_answers : nr;
}

/* Answer @i, whose bytes begin at @at. Into printer->text; returns where the next ones begin. */
static size_t take_answer(struct event_printer *printer, uint32_t i, size_t at,
			  enum event_print_result *result)
{
	uint32_t nr = printer->area->nr_bytes[i];

	*result = nr == PRINT_FILTERED ? EVENT_FILTERED : EVENT_PRINTED;
	if (nr > PRINT_MOST_TEXT_BYTES)
		nr = 0;
	memcpy(printer->text, printer->area->texts + at, nr);
	printer->text[nr] = '\0';
	return at + nr;
}

/* What is wrong with it is in printer->text then. */
static bool send_filter(struct event_printer *printer, const char *filter)
{
	enum event_print_result result;

	strcpy((char *)printer->area->request, filter);
	if (!request(printer, PRINT_FILTER, 1))
		return false;
	take_answer(printer, 0, 0, &result);
	return true;
}

/* After a crash: as it was before. */
static bool restart_child(struct event_printer *printer)
{
	stop_child(printer);
	if (++printer->nr_crashes == MOST_CRASHES || !start_child(printer))
		return false;
	for (size_t i = 0; i < printer->nr_filters; i++) {
		if (!send_filter(printer, printer->filters[i]))
			return false;
	}
	return true;
}

struct event_printer *event_printer_new(const char *path)
{
	struct event_printer *printer = xcalloc(1, sizeof(*printer));

	printer->path = xstrndup(path, strlen(path));
	printer->area = mmap(NULL, sizeof(*printer->area), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (printer->area == MAP_FAILED)
		printer->area = NULL;
	else if (start_child(printer))
		return printer;
	diag_error("%s: its events cannot be printed: %s", path, strerror(errno));
	event_printer_free(printer);
	return NULL;
}

void event_printer_free(struct event_printer *printer)
{
	if (!printer)
		return;
	stop_child(printer);
	if (printer->area)
		munmap(printer->area, sizeof(*printer->area));
	for (size_t i = 0; i < printer->nr_filters; i++)
		free(printer->filters[i]);
	free(printer->filters);
	free(printer->batch);
	free(printer->path);
	free(printer);
}

char *event_printer_add_filter(struct event_printer *printer, const char *filter)
{
	static const char crashed[] = "libtraceevent crashes on it";

	if (strlen(filter) > PRINT_MOST_TEXT_BYTES)
		return xasprintf("it is longer than %d bytes", PRINT_MOST_TEXT_BYTES);
	if (!send_filter(printer, filter)) {
		if (!restart_child(printer))
			stop_child(printer);
		return xstrndup(crashed, strlen(crashed));
	}
	if (printer->text[0])
		return xstrndup(printer->text, strlen(printer->text));
	printer->filters = xrealloc_array(printer->filters, printer->nr_filters + 1,
					  sizeof(*printer->filters));
	printer->filters[printer->nr_filters++] = xstrndup(filter, strlen(filter));
	return NULL;
}

static void add_bytes(struct event_printer *printer, const void *bytes, size_t nr)
{
	if (printer->nr_batch_bytes + nr > printer->batch_capacity) {
		printer->batch_capacity = grown_capacity(printer->batch_capacity,
							 printer->nr_batch_bytes + nr);
		printer->batch = xrealloc_array(printer->batch, printer->batch_capacity, 1);
	}
	memcpy(printer->batch + printer->nr_batch_bytes, bytes, nr);
	printer->nr_batch_bytes += nr;
}

bool event_printer_add(struct event_printer *printer, uint64_t time_ns, int cpu,
		       const struct trace_record *record)
{
	const struct print_record head = {
		.time_ns = time_ns,
		.cpu = cpu,
		.nr_bytes = record->size < PRINT_MOST_RECORD_BYTES ? record->size :
								     PRINT_MOST_RECORD_BYTES,
	};

	add_bytes(printer, &head, sizeof(head));
	add_bytes(printer, record->data, head.nr_bytes);
	printer->nr_batch++;
	return printer->nr_batch_bytes >= BATCH_BYTES || printer->nr_batch >= PRINT_MOST_RECORDS;
}

static size_t skip_records(const struct event_printer *printer, size_t at, size_t nr)
{
	struct print_record head;

	for (; nr; nr--) {
		memcpy(&head, printer->batch + at, sizeof(head));
		at += sizeof(head) + head.nr_bytes;
	}
	return at;
}

/* As many records from the byte @at on as one request holds; returns how many. */
static uint32_t put_request(const struct event_printer *printer, size_t nr_left, size_t at)
{
	size_t end = at;
	uint32_t nr = 0;

	while (nr < nr_left && nr < PRINT_MOST_RECORDS) {
		size_t next = skip_records(printer, end, 1);

		if (next - at > PRINT_REQUEST_BYTES)
			break;
		end = next;
		nr++;
	}
	memcpy(printer->area->request, printer->batch + at, end - at);
	return nr;
}

/* Returns how many are printed, of records from the byte @at of the batch on; *@all: as many as were asked for. */
static uint32_t print_some(struct event_printer *printer, size_t nr_left, size_t at, bool *all,
			   event_printed_fn *on_event, void *context)
{
	uint32_t nr_asked = put_request(printer, nr_left, at);
	uint32_t nr = request(printer, PRINT_RECORDS, nr_asked);
	enum event_print_result result;
	size_t text_at = 0;

	for (uint32_t i = 0; i < nr; i++) {
		text_at = take_answer(printer, i, text_at, &result);
		on_event(context, result, printer->text);
	}
	*all = nr == nr_asked;
	return nr;
}

static void give_up_record(struct event_printer *printer, event_printed_fn *on_event, void *context)
{
	printer->nr_unprintable++;
	on_event(context, EVENT_UNPRINTABLE, "");
	if (printer->child && !restart_child(printer))
		stop_child(printer);
}

void event_printer_flush(struct event_printer *printer, event_printed_fn *on_event, void *context)
{
	size_t nr_left = printer->nr_batch, at = 0;

	while (nr_left) {
		bool all;
		uint32_t nr = print_some(printer, nr_left, at, &all, on_event, context);

		at = skip_records(printer, at, nr);
		nr_left -= nr;
		if (all)
			continue;
		/* It is this one that has no answer. */
		give_up_record(printer, on_event, context);
		at = skip_records(printer, at, 1);
		nr_left--;
	}
	printer->nr_batch = 0;
	printer->nr_batch_bytes = 0;
}

uint64_t event_printer_nr_unprintable(const struct event_printer *printer)
{
	return printer->nr_unprintable;
}

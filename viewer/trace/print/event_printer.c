// SPDX-License-Identifier: GPL-2.0
#include "trace/print/event_printer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/print/print_wire.h"
#include "trace/print/printer_child.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define LONGEST_ANSWER_S 10
#define MOST_CRASHES 16 /* then it is the trace: the rest has no text */
#define MOST_RECORD_BYTES 65536 /* what is longer is cut */
#define BATCH_BYTES (64 * 1024)

struct event_printer {
	char *path;
	pid_t child; /* 0: none */
	int socket;
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
			printer_child_run(printer->path, sockets[1]);
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

static bool send_bytes(struct event_printer *printer, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	while (nr) {
		ssize_t sent = send(printer->socket, at, nr, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		nr -= (size_t)sent;
	}
	return true;
}

static bool receive_bytes(struct event_printer *printer, void *bytes, size_t nr)
{
	uint8_t *at = bytes;

	while (nr) {
		ssize_t got = recv(printer->socket, at, nr, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		nr -= (size_t)got;
	}
	return true;
}

static bool send_request(struct event_printer *printer, struct print_request request,
			 const void *bytes)
{
	return send_bytes(printer, &request, sizeof(request)) &&
	       send_bytes(printer, bytes, request.nr_bytes);
}

/* Into printer->text. */
static bool receive_answer(struct event_printer *printer, enum event_print_result *result)
{
	struct print_answer head;

	if (!receive_bytes(printer, &head, sizeof(head)))
		return false;
	printer->text[0] = '\0';
	*result = head.nr_bytes == PRINT_FILTERED ? EVENT_FILTERED : EVENT_PRINTED;
	if (*result == EVENT_FILTERED)
		return true;
	if (head.nr_bytes > PRINT_MOST_TEXT_BYTES ||
	    !receive_bytes(printer, printer->text, head.nr_bytes))
		return false;
	printer->text[head.nr_bytes] = '\0';
	return true;
}

static bool send_filter(struct event_printer *printer, const char *filter)
{
	const struct print_request request = { .kind = PRINT_FILTER,
					       .nr_bytes = (uint32_t)strlen(filter) };
	enum event_print_result result;

	return send_request(printer, request, filter) && receive_answer(printer, &result);
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
	if (start_child(printer))
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
	if (!send_filter(printer, filter))
		return xstrndup(crashed, strlen(crashed));
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
		.nr_bytes = record->size < MOST_RECORD_BYTES ? record->size : MOST_RECORD_BYTES,
	};

	add_bytes(printer, &head, sizeof(head));
	add_bytes(printer, record->data, head.nr_bytes);
	printer->nr_batch++;
	return printer->nr_batch_bytes >= BATCH_BYTES;
}

/* Of records from the byte @at of the batch on, which follow those that were answered. */
static size_t print_some(struct event_printer *printer, size_t nr_printed, size_t at,
			 event_printed_fn *on_event, void *context)
{
	const struct print_request request = {
		.kind = PRINT_RECORDS,
		.nr = (uint32_t)(printer->nr_batch - nr_printed),
		.nr_bytes = (uint32_t)(printer->nr_batch_bytes - at),
	};
	enum event_print_result result;

	if (!printer->child || !send_request(printer, request, printer->batch + at))
		return nr_printed;
	while (nr_printed < printer->nr_batch && receive_answer(printer, &result)) {
		on_event(context, result, printer->text);
		nr_printed++;
	}
	return nr_printed;
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

void event_printer_flush(struct event_printer *printer, event_printed_fn *on_event, void *context)
{
	size_t nr_printed = 0, at = 0;

	while (nr_printed < printer->nr_batch) {
		size_t nr_now = print_some(printer, nr_printed, at, on_event, context);

		at = skip_records(printer, at, nr_now - nr_printed);
		nr_printed = nr_now;
		if (nr_printed == printer->nr_batch)
			break;
		/* It is this one that has no answer. */
		printer->nr_unprintable++;
		on_event(context, EVENT_UNPRINTABLE, "");
		at = skip_records(printer, at, 1);
		nr_printed++;
		if (!restart_child(printer))
			stop_child(printer);
	}
	printer->nr_batch = 0;
	printer->nr_batch_bytes = 0;
}

uint64_t event_printer_nr_unprintable(const struct event_printer *printer)
{
	return printer->nr_unprintable;
}

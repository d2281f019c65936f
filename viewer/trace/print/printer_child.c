// SPDX-License-Identifier: GPL-2.0
#include "trace/print/printer_child.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "trace/file/trace_file_open.h"
#include "trace/print/print_wire.h"
#include "util/xalloc.h"

/*
 * Fields of dynamic size stand at a place of 16 bits and have a length of 16. So whatever a record says, with so
 * many zeros behind it they are read from memory that is there, and end.
 */
#define RECORD_BYTES (3 * 65536)

/* Of data; a width of a format may ask for any amount. */
#define MOST_MEMORY_BYTES ((rlim_t)2 << 30)

struct printer_child {
	struct trace_file file;
	struct tep_handle *tep;
	struct tep_event_filter *filter; /* NULL: all events pass */
	struct trace_seq seq;
	uint8_t *record;
	size_t nr_dirty_bytes; /* of record, from its start on */
	int socket;
};

static void add_format(void *context, const char *system, const char *text)
{
	struct printer_child *child = context;

	/* What the library does not understand it prints as fields, or not at all: then the text is empty. */
	tep_parse_event(child->tep, text, strlen(text), system);
}

static void describe_machine(struct printer_child *child)
{
	enum tep_endian own = tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN;
	enum tep_endian other = tep_is_bigendian() ? TEP_LITTLE_ENDIAN : TEP_BIG_ENDIAN;

	tep_set_local_bigendian(child->tep, own);
	tep_set_file_bigendian(child->tep, child->file.swap ? other : own);
	tep_set_long_size(child->tep, (int)child->file.commit_bytes);
	tep_set_page_size(child->tep, (int)child->file.page_bytes);
}

static void take_texts(struct printer_child *child)
{
	char *text = trace_file_text(&child->file, TRACE_FILE_KALLSYMS);

	if (text)
		tep_parse_kallsyms(child->tep, text);
	free(text);
	text = trace_file_text(&child->file, TRACE_FILE_PRINTK_FORMATS);
	if (text)
		tep_parse_printk_formats(child->tep, text);
	free(text);
	text = trace_file_text(&child->file, TRACE_FILE_COMMS);
	if (text)
		tep_parse_saved_cmdlines(child->tep, text);
	free(text);
}

static bool receive(const struct printer_child *child, void *bytes, size_t nr)
{
	uint8_t *at = bytes;

	while (nr) {
		ssize_t got = recv(child->socket, at, nr, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		nr -= (size_t)got;
	}
	return true;
}

static bool answer(const struct printer_child *child, const char *bytes, uint32_t nr)
{
	const struct print_answer head = { .nr_bytes = nr };
	size_t nr_sent = 0;

	if (send(child->socket, &head, sizeof(head), MSG_NOSIGNAL) != sizeof(head))
		return false;
	while (nr != PRINT_FILTERED && nr_sent < nr) {
		ssize_t sent = send(child->socket, bytes + nr_sent, nr - nr_sent, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		nr_sent += (size_t)sent;
	}
	return true;
}

static bool add_filter(struct printer_child *child, const char *text)
{
	char error[256] = "";
	enum tep_errno status;

	if (!child->filter)
		child->filter = tep_filter_alloc(child->tep);
	if (!child->filter)
		return false;
	status = tep_filter_add_filter_str(child->filter, text);
	if (status)
		tep_filter_strerror(child->filter, status, error, sizeof(error));
	error[sizeof(error) - 1] = '\0';
	return answer(child, error, (uint32_t)strlen(error));
}

/* One line, without what a terminal would obey. */
static uint32_t clean_text(char *text, size_t nr)
{
	while (nr && (text[nr - 1] == '\n' || text[nr - 1] == ' '))
		nr--;
	if (nr > PRINT_MOST_TEXT_BYTES)
		nr = PRINT_MOST_TEXT_BYTES;
	for (size_t i = 0; i < nr; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	}
	return (uint32_t)nr;
}

static bool print_record(struct printer_child *child, const struct print_record *head)
{
	struct tep_record record = {
		.ts = head->time_ns,
		.cpu = head->cpu,
		.size = (int)head->nr_bytes,
		.record_size = (int)head->nr_bytes,
		.data = child->record,
	};

	if (child->filter && tep_filter_match(child->filter, &record) != TEP_ERRNO__FILTER_MATCH)
		return answer(child, NULL, PRINT_FILTERED);
	trace_seq_reset(&child->seq);
	tep_print_event(child->tep, &child->seq, &record, "%s", TEP_PRINT_INFO);
	if (child->seq.state != TRACE_SEQ__GOOD)
		return answer(child, "", 0);
	return answer(child, child->seq.buffer, clean_text(child->seq.buffer, child->seq.len));
}

static bool answer_records(struct printer_child *child, const struct print_request *request,
			   const uint8_t *bytes)
{
	for (uint32_t i = 0; i < request->nr; i++) {
		struct print_record head;

		memcpy(&head, bytes, sizeof(head));
		bytes += sizeof(head);
		memcpy(child->record, bytes, head.nr_bytes);
		if (child->nr_dirty_bytes > head.nr_bytes)
			memset(child->record + head.nr_bytes, 0,
			       child->nr_dirty_bytes - head.nr_bytes);
		child->nr_dirty_bytes = head.nr_bytes;
		bytes += head.nr_bytes;
		if (!print_record(child, &head))
			return false;
	}
	return true;
}

static bool answer_request(struct printer_child *child)
{
	struct print_request request;
	uint8_t *bytes;
	bool is_answered;

	if (!receive(child, &request, sizeof(request)) ||
	    request.nr_bytes > PRINT_MOST_REQUEST_BYTES)
		return false;
	bytes = xcalloc(request.nr_bytes + 1, 1);
	is_answered = receive(child, bytes, request.nr_bytes);
	if (is_answered && request.kind == PRINT_FILTER)
		is_answered = add_filter(child, (const char *)bytes);
	else if (is_answered)
		is_answered = answer_records(child, &request, bytes);
	free(bytes);
	return is_answered;
}

/* Sanitizers reserve more address space than that. */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	const struct rlimit limit = { MOST_MEMORY_BYTES, MOST_MEMORY_BYTES };

	setrlimit(RLIMIT_DATA, &limit);
#endif
}

void printer_child_run(const char *path, int socket)
{
	struct printer_child child = { .socket = socket };

	limit_memory();
	tep_set_loglevel(TEP_LOG_NONE);
	child.tep = tep_alloc();
	if (!child.tep || trace_file_open(&child.file, path, add_format, &child))
		return;
	describe_machine(&child);
	take_texts(&child);
	child.record = xcalloc(RECORD_BYTES, 1);
	trace_seq_init(&child.seq);
	while (answer_request(&child))
		;
	free(child.record);
	trace_seq_destroy(&child.seq);
	tep_filter_free(child.filter);
	tep_free(child.tep);
	trace_file_close(&child.file);
}

// SPDX-License-Identifier: GPL-2.0
#include "trace/print/printer_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "trace/file/kallsyms.h"
#include "trace/file/trace_file_open.h"
#include "trace/print/annot_handlers.h"
#include "trace/print/filter_fields.h"
#include "trace/print/printk_handlers.h"
#include "util/xalloc.h"

/*
 * Fields of dynamic size stand at a place of 16 bits and have a length of 16. So whatever a record says, with so
 * many zeros behind it they are read from memory that is there, and end.
 */
#define RECORD_BYTES (PRINT_MOST_RECORD_BYTES + 2 * 65536)

#define MOST_NAME_BYTES 128
#define MOST_SYMBOL_BYTES 512 /* KSYM_NAME_LEN of the kernel's linux/kallsyms.h, since 6.1 */

/* Of data; a width of a format may ask for any amount. */
#define MOST_MEMORY_BYTES ((rlim_t)2 << 30)

struct printer_child {
	struct trace_file file;
	struct tep_handle *tep;
	struct tep_event_filter *filter; /* NULL: all events pass */
	struct annot_handlers *handlers;
	struct printk_handlers *printk_handlers;
	struct kallsyms *symbols; /* NULL: not read yet */
	char symbol_name[MOST_SYMBOL_BYTES]; /* of the last one that was asked for */
	char symbol_module[MOST_SYMBOL_BYTES];
	struct trace_seq seq;
	uint8_t *record;
	size_t nr_dirty_bytes; /* of record, from its start on */
	int socket;
	struct print_area *area;
	size_t nr_text_bytes; /* of the answers so far */
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

static char *read_printk_formats(void *context)
{
	struct printer_child *child = context;

	return trace_file_text(&child->file, TRACE_FILE_PRINTK_FORMATS);
}

static char *copy_name(char *to, const char *name, size_t nr_bytes)
{
	if (nr_bytes > MOST_SYMBOL_BYTES - 1)
		nr_bytes = MOST_SYMBOL_BYTES - 1;
	memcpy(to, name, nr_bytes);
	to[nr_bytes] = '\0';
	return to;
}

static const struct kallsyms *symbols_of(struct printer_child *child)
{
	char *text;

	if (child->symbols)
		return child->symbols;
	text = trace_file_text(&child->file, TRACE_FILE_KALLSYMS);
	child->symbols = kallsyms_new(text ? text : xcalloc(1, 1));
	return child->symbols;
}

/* A tep_func_resolver_t: most traces need few symbols, or none, and the library takes long to read all. */
static char *resolve_function(void *context, unsigned long long *address, char **module)
{
	struct printer_child *child = context;
	struct kernel_symbol symbol;

	if (!kallsyms_find(symbols_of(child), *address, &symbol))
		return NULL;
	*address -= symbol.offset;
	*module = NULL;
	/* It is "[module]". */
	if (symbol.module_bytes > 2)
		*module = copy_name(child->symbol_module, symbol.module + 1,
				    symbol.module_bytes - 2);
	return copy_name(child->symbol_name, symbol.name, symbol.name_bytes);
}

static void take_texts(struct printer_child *child)
{
	char *text = read_printk_formats(child);

	tep_set_function_resolver(child->tep, resolve_function, child);
	if (text)
		tep_parse_printk_formats(child->tep, text);
	free(text);
	text = trace_file_text(&child->file, TRACE_FILE_COMMS);
	if (text)
		tep_parse_saved_cmdlines(child->tep, text);
	free(text);
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

/* Returns false if there is no room, which only a child that is damaged sees. */
static bool answer(struct printer_child *child, const char *bytes, uint32_t nr)
{
	struct print_area *area = child->area;

	if (area->nr_answers >= PRINT_MOST_RECORDS)
		return false;
	if (nr != PRINT_FILTERED) {
		memcpy(area->texts + child->nr_text_bytes, bytes, nr);
		child->nr_text_bytes += nr;
	}
	area->nr_bytes[area->nr_answers] = nr;
	/* Whole, should the next one be the last. */
	__atomic_store_n(&area->nr_answers, area->nr_answers + 1, __ATOMIC_RELEASE);
	return true;
}

static bool answer_string(struct printer_child *child, const char *string)
{
	return answer(child, string, (uint32_t)strlen(string));
}

/* Of "SYSTEM/EVENT" or "SYSTEM/EVENT: EXPRESSION". NULL: there is none. */
static struct tep_event *find_event(const struct printer_child *child, const char *filter)
{
	char system[MOST_NAME_BYTES], name[MOST_NAME_BYTES];

	if (sscanf(filter, "%127[^/]/%127[^:]", system, name) != 2)
		return NULL;
	return tep_find_event_by_name(child->tep, system, name);
}

/*
 * The library says it in three lines: the expression, a "^" below the place where it stopped to understand it,
 * and what is wrong there. For one line, the last one and the place.
 */
static bool answer_filter_error(struct printer_child *child, const char *error)
{
	const char *last, *mark = strstr(error, "^\n"), *line = mark;
	char text[PRINT_MOST_TEXT_BYTES];

	while (line && line > error && line[-1] != '\n')
		line--;
	last = mark ? mark + 2 : error;
	if (line)
		snprintf(text, sizeof(text), "%.*s before character %td", (int)strcspn(last, "\n"),
			 last, mark - line + 1);
	else
		snprintf(text, sizeof(text), "%s", error);
	return answer(child, text, clean_text(text, strlen(text)));
}

static bool add_filter(struct printer_child *child, const char *text)
{
	struct tep_event *event = find_event(child, text);
	char error[PRINT_MOST_TEXT_BYTES] = "", word[MOST_NAME_BYTES];
	const char *expression = strchr(text, ':');
	enum tep_errno status;

	if (!event)
		return answer_string(child, "its format is not understood");
	if (expression && filter_fields_find_unknown(event, expression, word, sizeof(word))) {
		snprintf(error, sizeof(error), "%s has no field '%s'", event->name, word);
		return answer_string(child, error);
	}
	if (expression && filter_fields_has_glob(expression))
		return answer_string(child, "'~' is written =~, before a regular expression");
	if (!child->filter)
		child->filter = tep_filter_alloc(child->tep);
	if (!child->filter)
		return false;
	status = tep_filter_add_filter_str(child->filter, text);
	if (status)
		tep_filter_strerror(child->filter, status, error, sizeof(error));
	error[sizeof(error) - 1] = '\0';
	return answer_filter_error(child, error);
}

/* An event that no filter is about passes. */
static bool passes(const struct printer_child *child, struct tep_record *record)
{
	enum tep_errno match;

	if (!child->filter)
		return true;
	match = tep_filter_match(child->filter, record);
	return match == TEP_ERRNO__FILTER_MATCH || match == TEP_ERRNO__FILTER_NOT_FOUND ||
	       match == TEP_ERRNO__NO_FILTER;
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

	if (!passes(child, &record))
		return answer(child, NULL, PRINT_FILTERED);
	trace_seq_reset(&child->seq);
	tep_print_event(child->tep, &child->seq, &record, "%s", TEP_PRINT_INFO);
	if (child->seq.state != TRACE_SEQ__GOOD)
		return answer_string(child, "");
	return answer(child, child->seq.buffer, clean_text(child->seq.buffer, child->seq.len));
}

/* The bytes behind it are zeros. */
static void take_record(struct printer_child *child, const uint8_t *bytes, size_t nr)
{
	memcpy(child->record, bytes, nr);
	if (child->nr_dirty_bytes > nr)
		memset(child->record + nr, 0, child->nr_dirty_bytes - nr);
	child->nr_dirty_bytes = nr;
}

static bool answer_records(struct printer_child *child)
{
	const uint8_t *bytes = child->area->request;

	for (uint32_t nr = child->area->nr; nr; nr--) {
		struct print_record head;

		memcpy(&head, bytes, sizeof(head));
		bytes += sizeof(head);
		take_record(child, bytes, head.nr_bytes);
		bytes += head.nr_bytes;
		if (!print_record(child, &head))
			return false;
	}
	return true;
}

static bool answer_request(struct printer_child *child)
{
	child->nr_text_bytes = 0;
	if (child->area->kind == PRINT_FILTER)
		return add_filter(child, (const char *)child->area->request);
	return answer_records(child);
}

static bool next_request(const struct printer_child *child)
{
	ssize_t got;
	char byte;

	do
		got = recv(child->socket, &byte, 1, 0);
	while (got < 0 && errno == EINTR);
	return got == 1;
}

static bool say_answered(const struct printer_child *child)
{
	return send(child->socket, "", 1, MSG_NOSIGNAL) == 1;
}

/* Sanitizers reserve more address space than that. */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	const struct rlimit limit = { MOST_MEMORY_BYTES, MOST_MEMORY_BYTES };

	setrlimit(RLIMIT_DATA, &limit);
#endif
}

/* A crash is told by whoever started the process, in one line, and is nothing for handlers of that. */
static void crash_silently(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
	const struct rlimit none = { 0 };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &none);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
}

static bool open_trace(struct printer_child *child, const char *path)
{
	tep_set_loglevel(TEP_LOG_NONE);
	child->tep = tep_alloc();
	if (!child->tep || trace_file_open(&child->file, path, add_format, child))
		return false;
	describe_machine(child);
	take_texts(child);
	child->handlers = annot_handlers_register(child->tep);
	child->printk_handlers = printk_handlers_register(child->tep, read_printk_formats, child);
	child->record = xcalloc(RECORD_BYTES, 1);
	trace_seq_init(&child->seq);
	return true;
}

static void close_trace(struct printer_child *child)
{
	free(child->record);
	trace_seq_destroy(&child->seq);
	if (child->filter)
		tep_filter_free(child->filter);
	printk_handlers_unregister(child->printk_handlers);
	annot_handlers_unregister(child->handlers);
	tep_free(child->tep);
	kallsyms_free(child->symbols);
	trace_file_close(&child->file);
}

void printer_child_run(const char *path, int socket, struct print_area *area)
{
	struct printer_child child = { .socket = socket, .area = area };

	crash_silently();
	limit_memory();
	/* It may be asked for nothing. */
	if (!next_request(&child) || !open_trace(&child, path))
		return;
	do {
		if (!answer_request(&child))
			break;
	} while (say_answered(&child) && next_request(&child));
	close_trace(&child);
}

// SPDX-License-Identifier: GPL-2.0
#include "dat/head.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dat/formats.h"
#include "trace/file/event_format.h"
#include "util/diag.h"

#define KALLSYMS "/proc/kallsyms"

/* "4194304 a-name-of-15-chr\n", and some. */
#define CMDLINE_MAX_BYTES 32

static int cannot_read(const char *path)
{
	return diag_error("record: %s: %s", path, strerror(errno));
}

/* Its size in 8 bytes, then the file. */
static int add_sized_file(struct dat_bytes *bytes, const char *path)
{
	size_t at = bytes->size;

	dat_bytes_add_u64(bytes, 0);
	if (dat_bytes_add_file(bytes, AT_FDCWD, path))
		return cannot_read(path);
	dat_bytes_set_u64(bytes, at, bytes->size - at - sizeof(uint64_t));
	return 0;
}

/* The page's size is given as that of its data, after its header. */
static int parse_page_bytes(const struct dat_bytes *bytes, size_t at, const char *path,
			    uint32_t *page_bytes)
{
	const char *text = (const char *)bytes->data + at;
	const struct event_field *data;
	struct event_format format;

	if (event_format_parse(text, &format))
		return diag_error("record: %s: describes no fields", path);
	data = event_format_field(&format, "data");
	if (!data || !data->size)
		return diag_error("record: %s: does not have the size of a page", path);
	*page_bytes = data->offset + data->size;
	return 0;
}

/* An instance has pages of its own size since 6.8, and then such a file of its own. */
static int add_header_page(struct dat_head *head, const char *tracing_dir, const char *buffer_dir)
{
	struct dat_bytes *bytes = &head->parts[DAT_HEADER_INFO];
	char path[PATH_MAX];
	size_t at;

	dat_bytes_add_string(bytes, "header_page");
	at = bytes->size + sizeof(uint64_t);
	snprintf(path, sizeof(path), "%s/events/header_page", buffer_dir);
	if (access(path, R_OK))
		snprintf(path, sizeof(path), "%s/events/header_page", tracing_dir);
	if (add_sized_file(bytes, path))
		return -1;
	/* The NUL is for the parser only: what follows overwrites it. */
	dat_bytes_add_u8(bytes, 0);
	bytes->size--;
	return parse_page_bytes(bytes, at, path, &head->page_bytes);
}

static int read_header_info(struct dat_head *head, const char *tracing_dir, const char *buffer_dir)
{
	struct dat_bytes *bytes = &head->parts[DAT_HEADER_INFO];
	char path[PATH_MAX];

	if (add_header_page(head, tracing_dir, buffer_dir))
		return -1;
	dat_bytes_add_string(bytes, "header_event");
	snprintf(path, sizeof(path), "%s/events/header_event", tracing_dir);
	return add_sized_file(bytes, path);
}

/* Unprivileged users see zeros as addresses. A few per-CPU symbols are at zero for all users. */
static bool has_addresses(const struct dat_bytes *bytes, size_t at)
{
	while (at < bytes->size) {
		const uint8_t *end;

		if (bytes->data[at + strspn((const char *)bytes->data + at, "0")] != ' ')
			return true;
		end = memchr(bytes->data + at, '\n', bytes->size - at);
		if (!end)
			return false;
		at = (size_t)(end - bytes->data) + 1;
	}
	return false;
}

static void read_kallsyms(struct dat_bytes *bytes)
{
	dat_bytes_add_u32(bytes, 0);
	if (dat_bytes_add_file(bytes, AT_FDCWD, KALLSYMS))
		return;
	/* The NUL ends the search for a digit, and is not a part of them. */
	dat_bytes_add_u8(bytes, 0);
	bytes->size--;
	if (!has_addresses(bytes, sizeof(uint32_t)))
		bytes->size = sizeof(uint32_t);
	dat_bytes_set_u32(bytes, 0, (uint32_t)(bytes->size - sizeof(uint32_t)));
}

static void read_printk_formats(struct dat_bytes *bytes, const char *tracing_dir)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/printk_formats", tracing_dir);
	dat_bytes_add_u32(bytes, 0);
	if (!dat_bytes_add_file(bytes, AT_FDCWD, path))
		dat_bytes_set_u32(bytes, 0, (uint32_t)(bytes->size - sizeof(uint32_t)));
}

int dat_head_read(struct dat_head *head, const char *tracing_dir, const char *buffer_dir)
{
	*head = (struct dat_head){ 0 };
	if (read_header_info(head, tracing_dir, buffer_dir) ||
	    dat_add_ftrace_formats(&head->parts[DAT_FTRACE_EVENTS], tracing_dir) ||
	    dat_add_event_formats(&head->parts[DAT_EVENT_FORMATS], tracing_dir))
		return -1;
	read_kallsyms(&head->parts[DAT_KALLSYMS]);
	read_printk_formats(&head->parts[DAT_PRINTK_FORMATS], tracing_dir);
	return 0;
}

void dat_head_free(struct dat_head *head)
{
	for (int i = 0; i < DAT_NR_PARTS; i++)
		dat_bytes_free(&head->parts[i]);
}

void dat_add_cmdlines(struct dat_bytes *bytes, const char *tracing_dir)
{
	size_t at = bytes->size;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/saved_cmdlines", tracing_dir);
	dat_bytes_add_u64(bytes, 0);
	if (!dat_bytes_add_file(bytes, AT_FDCWD, path))
		dat_bytes_set_u64(bytes, at, bytes->size - at - sizeof(uint64_t));
}

uint64_t dat_cmdlines_max_bytes(const char *tracing_dir)
{
	struct dat_bytes size = { 0 };
	uint64_t nr_cmdlines = 0;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/saved_cmdlines_size", tracing_dir);
	if (!dat_bytes_add_file(&size, AT_FDCWD, path)) {
		dat_bytes_add_u8(&size, 0);
		nr_cmdlines = strtoull((const char *)size.data, NULL, 10);
	}
	dat_bytes_free(&size);
	return nr_cmdlines * CMDLINE_MAX_BYTES;
}

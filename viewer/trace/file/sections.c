// SPDX-License-Identifier: GPL-2.0
#include "trace/file/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/event_format.h"
#include "util/xalloc.h"

#define MIN_RING_PAGE_BYTES 512u
#define MAX_RING_PAGE_BYTES (1024u * 1024)

const char *const trace_file_text_names[NR_TRACE_FILE_TEXTS] = {
	[TRACE_FILE_KALLSYMS] = "kernel symbols",
	[TRACE_FILE_PRINTK_FORMATS] = "printk formats",
	[TRACE_FILE_COMMS] = "command names",
};

static int read_page_fields(struct trace_file *file, struct input *input, const char *text)
{
	const struct event_field *commit, *data;
	struct event_format format;

	if (event_format_parse(text, &format))
		return input_damaged(input, "no fields");
	commit = event_format_field(&format, "commit");
	data = event_format_field(&format, "data");
	if (!commit || !data || (commit->size != 4 && commit->size != 8) || commit->offset != 8 ||
	    data->offset != 8 + commit->size)
		return input_damaged(input, "its fields are not those of a ring buffer's page");
	file->commit_bytes = commit->size;
	file->page_header_bytes = data->offset;
	return 0;
}

int sections_header_page_read(struct trace_file *file, struct input *input)
{
	char magic[16];
	uint64_t size;
	char *text;
	int err;

	input->what = "page format";
	if (input_string(input, magic, sizeof(magic)))
		return -1;
	if (strcmp(magic, "header_page"))
		return input_damaged(input, "\"header_page\" is not there");
	if (input_u64(input, &size))
		return -1;
	text = input_blob(input, size);
	if (!text)
		return -1;
	err = read_page_fields(file, input, text);
	free(text);
	if (err)
		return -1;
	/* Entries have had the layout that header_event describes ever since 2.6.31. */
	if (input_string(input, magic, sizeof(magic)))
		return -1;
	if (strcmp(magic, "header_event"))
		return input_damaged(input, "\"header_event\" is not there");
	if (input_u64(input, &size))
		return -1;
	return input_skip(input, size);
}

static int read_format(struct input *input, const char *system, event_format_fn on_format,
		       void *context)
{
	uint64_t size;
	char *text;

	if (input_u64(input, &size))
		return -1;
	text = input_blob(input, size);
	if (!text)
		return -1;
	on_format(context, system, text);
	free(text);
	return 0;
}

static int read_formats(struct input *input, const char *system, event_format_fn on_format,
			void *context)
{
	uint32_t nr;

	if (input_u32(input, &nr))
		return -1;
	for (uint32_t i = 0; i < nr; i++) {
		if (read_format(input, system, on_format, context))
			return -1;
	}
	return 0;
}

int sections_ftrace_formats_read(struct input *input, event_format_fn on_format, void *context)
{
	input->what = "ftrace event formats";
	return read_formats(input, "ftrace", on_format, context);
}

int sections_event_formats_read(struct input *input, event_format_fn on_format, void *context)
{
	uint32_t nr_systems;

	input->what = "event formats";
	if (input_u32(input, &nr_systems))
		return -1;
	for (uint32_t i = 0; i < nr_systems; i++) {
		char system[256];

		if (input_string(input, system, sizeof(system)))
			return -1;
		if (read_formats(input, system, on_format, context))
			return -1;
	}
	return 0;
}

static int read_text_size(struct input *input, enum trace_file_text which, uint64_t *size)
{
	uint32_t size_u32 = 0;
	int err;

	input->what = trace_file_text_names[which];
	if (which == TRACE_FILE_COMMS)
		return input_u64(input, size);
	err = input_u32(input, &size_u32);
	*size = size_u32;
	return err;
}

char *sections_text_read(struct input *input, enum trace_file_text which)
{
	uint64_t size;

	return read_text_size(input, which, &size) ? NULL : input_blob(input, size);
}

int sections_text_skip(struct input *input, enum trace_file_text which)
{
	uint64_t size;

	return read_text_size(input, which, &size) ? -1 : input_skip(input, size);
}

int sections_clock_read(struct trace_file *file, struct input *input, uint64_t size)
{
	const char *start, *end;
	size_t bytes;
	char *text;

	input->what = "trace clock";
	text = input_blob(input, size);
	if (!text)
		return -1;
	start = strchr(text, '[');
	start = start ? start + 1 : text;
	end = start + strcspn(start, "] \n");
	bytes = (size_t)(end - start);
	if (bytes && bytes < sizeof(file->clock)) {
		memcpy(file->clock, start, bytes);
		file->clock[bytes] = '\0';
	}
	free(text);
	return 0;
}

int sections_uname_read(struct trace_file *file, struct input *input, uint64_t size)
{
	const char *last;
	size_t bytes;
	char *text;

	input->what = "name of the machine";
	text = input_blob(input, size);
	if (!text)
		return -1;
	last = strrchr(text, ' ');
	last = last ? last + 1 : text;
	bytes = strcspn(last, "\n");
	if (bytes < sizeof(file->machine)) {
		memcpy(file->machine, last, bytes);
		file->machine[bytes] = '\0';
	}
	free(text);
	return 0;
}

int sections_tsc2nsec_read(struct trace_file *file, struct input *input)
{
	input->what = "TSC scale";
	if (input_u32(input, &file->tsc_mult) || input_u32(input, &file->tsc_shift))
		return -1;
	if (!file->tsc_mult || file->tsc_shift > 63)
		return input_damaged(input, "out of range");
	return 0;
}

int sections_buffer_add(struct trace_file *file, struct input *input, const char *name,
			const char *clock, uint32_t page_bytes)
{
	struct trace_buffer *buffer;

	if (file->nr_buffers == TRACE_FILE_MAX_BUFFERS)
		return input_damaged(input, "more buffers than can be read");
	if (page_bytes < MIN_RING_PAGE_BYTES || page_bytes > MAX_RING_PAGE_BYTES ||
	    page_bytes & (page_bytes - 1))
		return input_damaged(input, "a page's size is out of range");
	file->buffers = xrealloc_array(file->buffers, (size_t)file->nr_buffers + 1,
				       sizeof(*file->buffers));
	buffer = &file->buffers[file->nr_buffers++];
	*buffer = (struct trace_buffer){ .page_bytes = page_bytes };
	snprintf(buffer->name, sizeof(buffer->name), "%s", name);
	snprintf(buffer->clock, sizeof(buffer->clock), "%s", clock);
	return 0;
}

void sections_end_note(struct trace_file *file, uint64_t end)
{
	if (end > file->end)
		file->end = end;
}

int sections_cpu_data_add(struct trace_file *file, struct input *input, struct cpu_data data)
{
	data.buffer = file->nr_buffers - 1;
	data.page_bytes = file->buffers[data.buffer].page_bytes;
	if (data.cpu < 0 || data.cpu >= TRACE_FILE_MAX_CPUS)
		return input_damaged(input, "a CPU's number is out of range");
	for (int i = file->nr_cpus - 1; i >= 0 && file->cpus[i].buffer == data.buffer; i--) {
		if (file->cpus[i].cpu == data.cpu)
			return input_damaged(input, "a CPU is in it twice");
	}
	if (data.offset > file->size) {
		data.offset = file->size;
		file->truncated = file->truncated || data.size;
		data.size = 0;
	} else if (data.size > file->size - data.offset) {
		data.size = file->size - data.offset;
		file->truncated = true;
	}
	sections_end_note(file, data.offset + data.size);
	file->cpus = xrealloc_array(file->cpus, (size_t)file->nr_cpus + 1, sizeof(*file->cpus));
	file->cpus[file->nr_cpus++] = data;
	return 0;
}

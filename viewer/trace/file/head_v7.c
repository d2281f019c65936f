// SPDX-License-Identifier: GPL-2.0
#include "trace/file/head_v7.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/recover_v7.h"
#include "trace/file/sections.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define SECTION_MAX_BYTES (64u * 1024 * 1024)
#define MAX_OPTION_SECTIONS 256

/* What is not in this file may be beside it. */
#define RESTORE_HINT \
	"if %s.cpu* are there: trace-cmd restore -o OUTPUT FILE.cpu* makes a trace of them"

struct v7_layout {
	uint64_t next_options;
	uint64_t header_info;
	uint64_t ftrace_events;
	uint64_t event_formats;
	uint64_t behind_options; /* where the last section of them that was read ends */
	struct recover_v7_cpus cpus;
};

struct section_header {
	uint16_t id;
	uint16_t flags;
	uint32_t description;
	uint64_t size;
};

static int read_any_header(struct input *input, uint64_t offset, const char *what,
			   struct section_header *header)
{
	if (input_seek(input, offset, what))
		return -1;
	if (input_u16(input, &header->id) || input_u16(input, &header->flags) ||
	    input_u32(input, &header->description))
		return -1;
	return input_u64(input, &header->size);
}

static int read_section_header(struct input *input, uint64_t offset, uint16_t id, const char *what,
			       struct section_header *header)
{
	if (read_any_header(input, offset, what, header))
		return -1;
	if (header->id != id)
		return input_damaged(input, "another section is here");
	return 0;
}

static int read_compressed(struct trace_file *file, struct input *input, struct input *section)
{
	uint64_t start = input_tell(input);
	/* Sections may be read while another thread reads events. */
	struct decompressor *decompressor;
	uint32_t in_size, out_size;
	char *in, *out;
	int err;

	if (input_u32(input, &in_size) || input_u32(input, &out_size))
		return -1;
	if (out_size > SECTION_MAX_BYTES)
		return input_damaged(input, "too large");
	in = input_blob(input, in_size);
	if (!in)
		return -1;
	out = xcalloc((size_t)out_size + 1, 1);
	decompressor = decompressor_copy(file->decompressor);
	err = decompressor_run(decompressor, in, in_size, out, out_size);
	decompressor_free(decompressor);
	free(in);
	if (err) {
		free(out);
		return input_damaged(input, "it does not decompress");
	}
	input_open_memory(section, input->path, out, out_size, start);
	return 0;
}

/* Leaves the section's contents in @section, which the caller closes. */
static int open_section(struct trace_file *file, struct input *input, uint64_t offset, uint16_t id,
			const char *what, struct input *section)
{
	struct section_header header;

	if (read_section_header(input, offset, id, what, &header))
		return -1;
	if (header.flags & SECTION_COMPRESSED) {
		if (read_compressed(file, input, section))
			return -1;
	} else {
		uint64_t start = input_tell(input);
		char *blob = input_blob(input, header.size);

		if (!blob)
			return -1;
		input_open_memory(section, input->path, blob, header.size, start);
	}
	sections_end_note(file, input_tell(input));
	section->swap = input->swap;
	section->what = what;
	return 0;
}

static int read_cpu_entries(struct trace_file *file, struct input *options, bool compressed)
{
	uint32_t nr_cpus;

	if (input_u32(options, &nr_cpus))
		return -1;
	for (uint32_t i = 0; i < nr_cpus; i++) {
		struct cpu_data data = { .compressed = compressed };
		uint32_t cpu;

		if (input_u32(options, &cpu) || input_u64(options, &data.offset) ||
		    input_u64(options, &data.size))
			return -1;
		data.cpu = cpu < TRACE_FILE_MAX_CPUS ? (int)cpu : -1;
		/* The size written is that of the chunks, without their count before them. */
		if (compressed && data.size && data.size <= UINT64_MAX - 4)
			data.size += 4;
		if (sections_cpu_data_add(file, options, data))
			return -1;
	}
	return 0;
}

static int read_buffer(struct trace_file *file, struct input *input, struct input *options)
{
	char name[256], clock[256];
	struct section_header header;
	uint32_t page_bytes;
	uint64_t offset;

	options->what = "buffer description";
	if (input_u64(options, &offset) || input_string(options, name, sizeof(name)) ||
	    input_string(options, clock, sizeof(clock)) || input_u32(options, &page_bytes) ||
	    sections_buffer_add(file, options, name, clock, page_bytes))
		return -1;
	if (read_section_header(input, offset, SECTION_BUFFER, "buffers", &header))
		return -1;
	return read_cpu_entries(file, options, header.flags & SECTION_COMPRESSED);
}

static int read_option(struct trace_file *file, struct v7_layout *layout, struct input *input,
		       struct input *options, uint16_t option, uint32_t size)
{
	switch (option) {
	case OPTION_DONE:
		return input_u64(options, &layout->next_options);
	case OPTION_CPUSTAT:
		return recover_v7_cpu_stat_read(&layout->cpus, options, size);
	case OPTION_CPUCOUNT:
		return input_u32(options, &layout->cpus.nr);
	case OPTION_BUFFER:
		return read_buffer(file, input, options);
	case OPTION_TRACECLOCK:
		return sections_clock_read(file, options, size);
	case OPTION_UNAME:
		return sections_uname_read(file, options, size);
	case OPTION_TSC2NSEC:
		return sections_tsc2nsec_read(file, options);
	case OPTION_HEADER_INFO:
		return input_u64(options, &layout->header_info);
	case OPTION_FTRACE_EVENTS:
		return input_u64(options, &layout->ftrace_events);
	case OPTION_EVENT_FORMATS:
		return input_u64(options, &layout->event_formats);
	case OPTION_KALLSYMS:
		return input_u64(options, &file->text_offsets[TRACE_FILE_KALLSYMS]);
	case OPTION_PRINTK:
		return input_u64(options, &file->text_offsets[TRACE_FILE_PRINTK_FORMATS]);
	case OPTION_CMDLINES:
		return input_u64(options, &file->text_offsets[TRACE_FILE_COMMS]);
	default:
		return 0;
	}
}

static int read_options(struct trace_file *file, struct v7_layout *layout, struct input *input,
			struct input *options)
{
	uint16_t option;

	layout->next_options = 0;
	do {
		uint32_t size;
		uint64_t end;

		options->what = "options";
		if (input_u16(options, &option) || input_u32(options, &size))
			return -1;
		if (size > input_remaining(options))
			return input_damaged(options, "an option is longer than its section");
		end = input_tell(options) + size;
		if (read_option(file, layout, input, options, option, size))
			return -1;
		options->what = "options";
		if (input_tell(options) > end)
			return input_damaged(options, "an option is too short");
		if (input_skip(options, end - input_tell(options)))
			return -1;
	} while (option != OPTION_DONE);
	return 0;
}

static bool options_are_cut_off(const struct trace_file *file, struct input *input, uint64_t offset)
{
	struct section_header header;

	if (file->size < SECTION_HEADER_BYTES || offset > file->size - SECTION_HEADER_BYTES)
		return true;
	if (read_any_header(input, offset, "options", &header))
		return true;
	return header.size > input_remaining(input);
}

static int no_data(const struct trace_file *file)
{
	return diag_error("%s: truncated at offset %" PRIu64
			  ", before the first whole events (" RESTORE_HINT ")",
			  file->path, file->size, file->path);
}

/*
 * Each buffer's description comes after its data, and its position is written last. So an
 * interrupted writer leaves data without a description.
 */
static int read_cut_buffer(struct trace_file *file, const struct v7_layout *layout,
			   struct input *input)
{
	struct section_header header;
	uint64_t start, end;
	bool whole;

	file->truncated = true;
	if (file->size - layout->behind_options < SECTION_HEADER_BYTES)
		return no_data(file);
	if (read_any_header(input, layout->behind_options, "buffers", &header))
		return -1;
	if (header.id != SECTION_BUFFER)
		return 0;
	start = input_tell(input);
	/* The size, too, is written last. */
	whole = header.size && header.size <= file->size - start;
	end = whole ? start + header.size : file->size;
	sections_end_note(file, end);
	if (recover_v7_buffer_add(file, input, &layout->cpus, start, end,
				  header.flags & SECTION_COMPRESSED))
		return -1;
	if (!file->nr_cpus)
		return no_data(file);
	return whole ? recover_v7_cpus_check(file, input, &layout->cpus) : 0;
}

static int read_all_options(struct trace_file *file, struct v7_layout *layout, struct input *input,
			    uint64_t offset)
{
	for (int i = 0; offset; i++) {
		struct input options;
		int err;

		/* In a file that is cut off in an instance, the buffers before it are whole. */
		if (options_are_cut_off(file, input, offset)) {
			if (!i)
				return no_data(file);
			file->truncated = true;
			break;
		}
		if (open_section(file, input, offset, SECTION_OPTIONS, "options", &options))
			return -1;
		layout->behind_options = input_tell(input);
		err = read_options(file, layout, input, &options);
		input_close(&options);
		if (err)
			return -1;
		if (i == MAX_OPTION_SECTIONS)
			return input_damaged(input, "its options have no end");
		offset = layout->next_options;
	}
	return file->nr_buffers ? 0 : read_cut_buffer(file, layout, input);
}

static int read_compressor(struct trace_file *file, struct input *input)
{
	char name[64], version[64];

	input->what = "compression algorithm";
	if (input_string(input, name, sizeof(name)) ||
	    input_string(input, version, sizeof(version)))
		return -1;
	file->decompressor = decompressor_new(name);
	if (!file->decompressor)
		return input_damaged(input, "neither none, zlib nor zstd");
	return 0;
}

static int read_sections(struct trace_file *file, const struct v7_layout *layout,
			 struct input *input, event_format_fn on_format, void *context)
{
	struct input section;
	int err;

	if (open_section(file, input, layout->header_info, SECTION_HEADER_INFO, "page format",
			 &section))
		return -1;
	err = sections_header_page_read(file, &section);
	input_close(&section);
	if (err)
		return -1;
	if (open_section(file, input, layout->ftrace_events, SECTION_FTRACE_EVENTS,
			 "ftrace event formats", &section))
		return -1;
	err = sections_ftrace_formats_read(&section, on_format, context);
	input_close(&section);
	if (err)
		return -1;
	if (open_section(file, input, layout->event_formats, SECTION_EVENT_FORMATS, "event formats",
			 &section))
		return -1;
	err = sections_event_formats_read(&section, on_format, context);
	input_close(&section);
	return err;
}

/* The names of sections come last. */
static int skip_strings(struct trace_file *file, struct input *input)
{
	while (file->size - file->end >= SECTION_HEADER_BYTES) {
		struct section_header header;

		if (read_any_header(input, file->end, "strings", &header))
			return -1;
		if (header.id != SECTION_STRINGS || header.size > input_remaining(input))
			return 0;
		sections_end_note(file, input_tell(input) + header.size);
	}
	return 0;
}

int head_v7_read(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context)
{
	struct v7_layout layout = { 0 };
	uint64_t options;

	if (read_compressor(file, input))
		return -1;
	input->what = "options' offset";
	if (input_u64(input, &options))
		return -1;
	if (!options)
		return diag_error(
			"%s: truncated: the recording did not end, and no events are in it yet (" RESTORE_HINT
			")",
			file->path, file->path);
	if (read_all_options(file, &layout, input, options))
		return -1;
	input->what = "options";
	if (!layout.header_info || !layout.ftrace_events || !layout.event_formats)
		return input_damaged(input, "they do not say where the event formats are");
	if (read_sections(file, &layout, input, on_format, context))
		return -1;
	return skip_strings(file, input);
}

char *head_v7_text_read(struct trace_file *file, struct input *input, enum trace_file_text which)
{
	static const uint16_t sections[NR_TRACE_FILE_TEXTS] = {
		[TRACE_FILE_KALLSYMS] = SECTION_KALLSYMS,
		[TRACE_FILE_PRINTK_FORMATS] = SECTION_PRINTK,
		[TRACE_FILE_COMMS] = SECTION_CMDLINES,
	};
	struct input section;
	char *text;

	if (open_section(file, input, file->text_offsets[which], sections[which],
			 trace_file_text_names[which], &section))
		return NULL;
	text = sections_text_read(&section, which);
	input_close(&section);
	return text;
}

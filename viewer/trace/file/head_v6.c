// SPDX-License-Identifier: GPL-2.0
#include "trace/file/head_v6.h"

#include <string.h>

#include "trace/file/sections.h"
#include "util/diag.h"

/* The positions of data in the options. That of the top buffer follows the options. */
struct v6_layout {
	uint32_t nr_cpus;
	int nr_instances;
	struct v6_instance {
		char name[256];
		uint64_t offset;
	} instances[TRACE_FILE_MAX_BUFFERS];
};

static int read_instance(struct v6_layout *layout, struct input *input)
{
	struct v6_instance *instance = &layout->instances[layout->nr_instances];

	input->what = "buffer description";
	if (layout->nr_instances == TRACE_FILE_MAX_BUFFERS)
		return input_damaged(input, "more buffers than can be read");
	layout->nr_instances++;
	if (input_u64(input, &instance->offset))
		return -1;
	return input_string(input, instance->name, sizeof(instance->name));
}

static int read_option(struct trace_file *file, struct input *input, uint16_t option, uint32_t size,
		       struct v6_layout *layout)
{
	uint64_t end = input_tell(input) + size;
	int err = 0;

	if (option == OPTION_TRACECLOCK) {
		err = sections_clock_read(file, input, size);
	} else if (option == OPTION_UNAME) {
		err = sections_uname_read(file, input, size);
	} else if (option == OPTION_TSC2NSEC && size >= 8) {
		err = sections_tsc2nsec_read(file, input);
	} else if (option == OPTION_CPUCOUNT && size >= 4) {
		err = input_u32(input, &layout->nr_cpus);
	} else if (option == OPTION_BUFFER) {
		err = read_instance(layout, input);
	}
	input->what = "options";
	if (err)
		return -1;
	if (input_tell(input) > end)
		return input_damaged(input, "an option is too short");
	return input_skip(input, end - input_tell(input));
}

static int read_options(struct trace_file *file, struct input *input, struct v6_layout *layout)
{
	input->what = "options";
	for (;;) {
		uint16_t option;
		uint32_t size;

		if (input_u16(input, &option))
			return -1;
		if (option == OPTION_DONE)
			return 0;
		if (input_u32(input, &size))
			return -1;
		if (read_option(file, input, option, size, layout))
			return -1;
	}
}

static int read_cpu_table(struct trace_file *file, struct input *input, uint32_t nr_cpus)
{
	input->what = "table of CPUs";
	if (!nr_cpus || nr_cpus > TRACE_FILE_MAX_CPUS)
		return input_damaged(input, "the number of CPUs is out of range");
	for (uint32_t cpu = 0; cpu < nr_cpus; cpu++) {
		struct cpu_data data = { .cpu = (int)cpu };

		if (input_u64(input, &data.offset) || input_u64(input, &data.size))
			return -1;
		if (sections_cpu_data_add(file, input, data))
			return -1;
	}
	return 0;
}

/* What the file is about: it must be the places of events. */
static int read_content_name(const struct trace_file *file, struct input *input,
			     char name[DAT_V6_NAME_BYTES])
{
	input->what = "contents";
	if (input_bytes(input, name, DAT_V6_NAME_BYTES))
		return -1;
	if (!memcmp(name, "latency  ", DAT_V6_NAME_BYTES))
		return diag_error("%s: contains the text of a latency tracer, not events",
				  file->path);
	return 0;
}

/* @input is after the name of the content. */
static int read_data_table(struct trace_file *file, struct input *input, const char *content,
			   const char *name, uint32_t nr_cpus)
{
	if (memcmp(content, DAT_V6_DATA, DAT_V6_NAME_BYTES))
		return input_damaged(input, "neither options nor data are here");
	if (sections_buffer_add(file, input, name, "", file->page_bytes))
		return -1;
	return read_cpu_table(file, input, nr_cpus);
}

/* An instance is described as the top buffer is, elsewhere in the file. */
static int read_instance_table(struct trace_file *file, struct input *input,
			       const struct v6_instance *instance, uint32_t nr_cpus)
{
	char content[DAT_V6_NAME_BYTES];

	if (instance->offset >= file->size) {
		file->truncated = true;
		return 0;
	}
	if (input_seek(input, instance->offset, "buffers") ||
	    read_content_name(file, input, content))
		return -1;
	return read_data_table(file, input, content, instance->name, nr_cpus);
}

/* From the number of CPUs on: options if there are any, then where the data is. */
static int read_contents(struct trace_file *file, struct input *input, struct v6_layout *layout)
{
	char content[DAT_V6_NAME_BYTES];

	input->what = "number of CPUs";
	if (input_u32(input, &layout->nr_cpus) || read_content_name(file, input, content))
		return -1;
	if (!memcmp(content, DAT_V6_OPTIONS, DAT_V6_NAME_BYTES) &&
	    (read_options(file, input, layout) || read_content_name(file, input, content)))
		return -1;
	if (read_data_table(file, input, content, "", layout->nr_cpus))
		return -1;
	for (int i = 0; i < layout->nr_instances; i++) {
		if (read_instance_table(file, input, &layout->instances[i], layout->nr_cpus))
			return -1;
	}
	sections_end_note(file, input_tell(input));
	return 0;
}

int head_v6_read(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context)
{
	struct v6_layout layout = { 0 };

	if (sections_header_page_read(file, input))
		return -1;
	if (sections_ftrace_formats_read(input, on_format, context))
		return -1;
	if (sections_event_formats_read(input, on_format, context))
		return -1;
	for (enum trace_file_text which = 0; which < NR_TRACE_FILE_TEXTS; which++) {
		file->text_offsets[which] = input_tell(input);
		if (sections_text_skip(input, which))
			return -1;
	}
	return read_contents(file, input, &layout);
}

char *head_v6_text_read(const struct trace_file *file, struct input *input,
			enum trace_file_text which)
{
	if (input_skip(input, file->text_offsets[which]))
		return NULL;
	return sections_text_read(input, which);
}

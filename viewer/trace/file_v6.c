// SPDX-License-Identifier: GPL-2.0
/*
 * Version 6: the parts stand in a fixed order, one behind the other, uncompressed.
 */
#include <string.h>

#include "trace/sections.h"
#include "util/diag.h"

#define CONTENT_NAME_BYTES 10

static int skip_u32_blob(struct input *input, const char *what)
{
	uint32_t size;

	input->what = what;
	if (input_u32(input, &size))
		return -1;
	return input_skip(input, size);
}

static int skip_u64_blob(struct input *input, const char *what)
{
	uint64_t size;

	input->what = what;
	if (input_u64(input, &size))
		return -1;
	return input_skip(input, size);
}

static int read_option(struct trace_file *file, struct input *input, uint16_t option, uint32_t size,
		       uint32_t *nr_cpus)
{
	uint64_t end = input_tell(input) + size;
	int err = 0;

	if (option == OPTION_TRACECLOCK) {
		err = read_clock(file, input, size);
	} else if (option == OPTION_UNAME) {
		err = read_uname(file, input, size);
	} else if (option == OPTION_TSC2NSEC && size >= 8) {
		err = read_tsc2nsec(file, input);
	} else if (option == OPTION_CPUCOUNT && size >= 4) {
		err = input_u32(input, nr_cpus);
	} else if (option == OPTION_BUFFER) {
		/* The top instance's own data stands last in the file, without an option. */
		file->nr_buffers++;
	}
	input->what = "options";
	return err ? err : input_skip(input, end - input_tell(input));
}

static int read_options(struct trace_file *file, struct input *input, uint32_t *nr_cpus)
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
		if (read_option(file, input, option, size, nr_cpus))
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
		if (add_cpu_data(file, input, data))
			return -1;
	}
	return 0;
}

/* From the number of CPUs on: options if there are any, then what the file is about. */
static int read_contents(struct trace_file *file, struct input *input)
{
	char name[CONTENT_NAME_BYTES];
	uint32_t nr_cpus;

	input->what = "number of CPUs";
	if (input_u32(input, &nr_cpus))
		return -1;
	input->what = "contents";
	if (input_bytes(input, name, sizeof(name)))
		return -1;
	if (!memcmp(name, "options  ", CONTENT_NAME_BYTES)) {
		if (read_options(file, input, &nr_cpus))
			return -1;
		input->what = "contents";
		if (input_bytes(input, name, sizeof(name)))
			return -1;
	}
	if (!memcmp(name, "latency  ", CONTENT_NAME_BYTES))
		return diag_error("%s: holds the text of a latency tracer, not events", file->path);
	if (memcmp(name, "flyrecord", CONTENT_NAME_BYTES))
		return input_damaged(input, "neither options nor data stand here");
	return read_cpu_table(file, input, nr_cpus);
}

int read_head_v6(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context)
{
	file->nr_buffers = 1;
	if (read_header_page(file, input))
		return -1;
	if (read_ftrace_formats(input, on_format, context))
		return -1;
	if (read_event_formats(input, on_format, context))
		return -1;
	file->kallsyms_offset = input_tell(input);
	if (skip_u32_blob(input, "kernel symbols") || skip_u32_blob(input, "printk formats") ||
	    skip_u64_blob(input, "command names"))
		return -1;
	return read_contents(file, input);
}

char *read_kallsyms_v6(const struct trace_file *file, struct input *input)
{
	if (input_skip(input, file->kallsyms_offset))
		return NULL;
	return read_kallsyms(input);
}

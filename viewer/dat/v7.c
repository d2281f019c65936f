// SPDX-License-Identifier: GPL-2.0
/*
 * Version 7: sections, found through options. The start of the file points to the options once they
 * exist; until then the file is unfinished. The first options end with the position of the options
 * that describe the data. These are before the data: on a full disk there would be no room after
 * them.
 */
#include "dat/v7.h"

#include <stdlib.h>

#include "dat/data.h"
#include "dat/options.h"
#include "dat/sections.h"
#include "util/xalloc.h"

/* The sections of the parts; their options have the same numbers. */
static const enum dat_section part_sections[DAT_NR_PARTS] = {
	[DAT_HEADER_INFO] = SECTION_HEADER_INFO,     [DAT_FTRACE_EVENTS] = SECTION_FTRACE_EVENTS,
	[DAT_EVENT_FORMATS] = SECTION_EVENT_FORMATS, [DAT_KALLSYMS] = SECTION_KALLSYMS,
	[DAT_PRINTK_FORMATS] = SECTION_PRINTK,
};

static int write_beginning(struct dat_file *file)
{
	struct dat_bytes bytes = { 0 };
	int err;

	dat_add_magic(file, &bytes);
	dat_bytes_add_string(&bytes, file->plan.compression);
	dat_bytes_add_string(&bytes, dat_compressor_version(file->compressor));
	file->link_place = file->out.at + bytes.size;
	dat_bytes_add_u64(&bytes, 0);
	err = dat_out_write_bytes(&file->out, &bytes);
	dat_bytes_free(&bytes);
	return err;
}

int dat_begin_v7(struct dat_file *file, const struct dat_head *head)
{
	int err = write_beginning(file);

	for (int i = 0; !err && i < DAT_NR_PARTS; i++) {
		file->part_places[i] = file->out.at;
		err = dat_write_section(file, part_sections[i], &head->parts[i]);
	}
	return err;
}

/* From here on, the options at @place are those that follow. */
static int link_options(struct dat_file *file, uint64_t place)
{
	return dat_out_write_at(&file->out, file->link_place, &place, sizeof(place));
}

static int write_cmdlines(struct dat_file *file)
{
	struct dat_bytes cmdlines = { 0 };
	int err;

	dat_add_cmdlines(&cmdlines, file->plan.tracing_dir);
	err = dat_write_section(file, SECTION_CMDLINES, &cmdlines);
	dat_bytes_free(&cmdlines);
	return err;
}

/* All but those of the data. */
static int write_first_options(struct dat_file *file, const struct dat_cpu *cpus, uint64_t cmdlines)
{
	uint32_t nr_cpus = (uint32_t)file->plan.nr_cpus;
	struct dat_bytes options = { 0 };
	uint64_t place = file->out.at;
	int err;

	for (int i = 0; i < DAT_NR_PARTS; i++)
		dat_add_place_option(&options, (uint16_t)part_sections[i], file->part_places[i]);
	dat_add_common_options(file, cpus, &options);
	dat_add_place_option(&options, OPTION_CMDLINES, cmdlines);
	dat_add_option(&options, OPTION_CPUCOUNT, &nr_cpus, sizeof(nr_cpus));
	dat_add_place_option(&options, OPTION_DONE, 0);
	err = dat_write_options(file, &options);
	dat_bytes_free(&options);
	if (err || link_options(file, place))
		return -1;
	file->link_place = file->out.at - sizeof(uint64_t);
	return 0;
}

/* The section of the data, and the options that describe it. */
struct data_place {
	uint64_t options;
	uint64_t section;
	struct dat_extent *extents;
};

static struct dat_bytes data_options(const struct dat_file *file, const struct data_place *data)
{
	struct dat_bytes buffer = { 0 }, options = { 0 };

	dat_bytes_add_u64(&buffer, data->section);
	dat_bytes_add_string(&buffer, ""); /* the top buffer */
	dat_bytes_add_string(&buffer, file->plan.clock);
	dat_bytes_add_u32(&buffer, file->page_bytes);
	dat_bytes_add_u32(&buffer, (uint32_t)file->plan.nr_cpus);
	for (int cpu = 0; cpu < file->plan.nr_cpus; cpu++) {
		uint64_t bytes = data->extents[cpu].bytes;

		/* Of chunks, the number before them is not counted. */
		if (file->compressor && bytes)
			bytes -= sizeof(uint32_t);
		dat_bytes_add_u32(&buffer, (uint32_t)cpu);
		dat_bytes_add_u64(&buffer, data->extents[cpu].at);
		dat_bytes_add_u64(&buffer, bytes);
	}
	dat_add_option(&options, OPTION_BUFFER, buffer.data, buffer.size);
	dat_add_place_option(&options, OPTION_DONE, 0);
	dat_bytes_free(&buffer);
	return options;
}

/* Reserves room for what is known only after all else is written. */
static int reserve_data_options(struct dat_file *file, struct data_place *data)
{
	struct dat_bytes options = data_options(file, data);
	int err;

	data->options = file->out.at;
	err = dat_write_options(file, &options);
	dat_bytes_free(&options);
	return err;
}

static int print_data_place(struct dat_file *file, const struct data_place *data)
{
	struct dat_bytes options = data_options(file, data);
	int err = dat_write_options_at(file, data->options, &options);

	dat_bytes_free(&options);
	return err ? -1 : link_options(file, data->options);
}

static int write_data_header(struct dat_file *file, struct data_place *data)
{
	struct dat_bytes header = { 0 };
	int err;

	data->section = file->out.at;
	dat_add_section_header(&header, SECTION_BUFFER, file->compressor, 0);
	err = dat_out_write_bytes(&file->out, &header);
	dat_bytes_free(&header);
	return err;
}

/* The length is the last field of the header. */
static int end_data_section(struct dat_file *file, const struct data_place *data)
{
	uint64_t start = data->section + SECTION_HEADER_BYTES;
	uint64_t bytes = file->out.at - start;

	return dat_out_write_at(&file->out, start - sizeof(bytes), &bytes, sizeof(bytes));
}

/*
 * The positions of plain data are known in advance, so a file that ends among them shows what is
 * missing. For chunks, their number shows that.
 */
static int write_data(struct dat_file *file, const struct dat_cpu *cpus, struct data_place *data)
{
	if (write_data_header(file, data))
		return -1;
	if (!file->compressor) {
		dat_plan_extents(file, cpus, file->out.at, data->extents);
		if (print_data_place(file, data))
			return -1;
	}
	if (dat_move_all(file, cpus, data->extents) || end_data_section(file, data))
		return -1;
	return file->compressor ? print_data_place(file, data) : 0;
}

static int write_rest(struct dat_file *file, const struct dat_cpu *cpus, struct data_place *data)
{
	uint64_t cmdlines = file->out.at;

	if (write_cmdlines(file) || reserve_data_options(file, data) ||
	    dat_write_section_names(file) || write_first_options(file, cpus, cmdlines))
		return -1;
	return write_data(file, cpus, data);
}

int dat_finish_v7(struct dat_file *file, const struct dat_cpu *cpus)
{
	struct data_place data = {
		.extents = xcalloc((size_t)file->plan.nr_cpus, sizeof(*data.extents)),
	};
	int err = write_rest(file, cpus, &data);

	free(data.extents);
	return err;
}

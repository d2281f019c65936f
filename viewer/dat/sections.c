// SPDX-License-Identifier: GPL-2.0
#include "dat/sections.h"

#include <string.h>

/* As trace-cmd calls them. */
static const struct section_name {
	enum dat_section section;
	const char *name;
} names[] = {
	{ SECTION_HEADER_INFO, "headers" },
	{ SECTION_FTRACE_EVENTS, "ftrace events" },
	{ SECTION_EVENT_FORMATS, "events format" },
	{ SECTION_KALLSYMS, "kallsyms" },
	{ SECTION_PRINTK, "printk" },
	{ SECTION_CMDLINES, "command lines" },
	{ SECTION_OPTIONS, "options" },
	{ SECTION_BUFFER, "buffer flyrecord" },
	{ SECTION_STRINGS, "strings" },
};

#define NR_NAMES (sizeof(names) / sizeof(names[0]))

/* A name is referred to by its offset in the section of names. */
static uint32_t name_place(enum dat_section section)
{
	uint32_t place = 0;

	for (size_t i = 0; i < NR_NAMES && names[i].section != section; i++)
		place += (uint32_t)strlen(names[i].name) + 1;
	return place;
}

void dat_add_section_header(struct dat_bytes *bytes, enum dat_section section, bool compressed,
			    uint64_t size)
{
	dat_bytes_add_u16(bytes, (uint16_t)section);
	dat_bytes_add_u16(bytes, compressed ? SECTION_COMPRESSED : 0);
	dat_bytes_add_u32(bytes, name_place(section));
	dat_bytes_add_u64(bytes, size);
}

static int write_content(struct dat_file *file, enum dat_section section, bool compressed,
			 const struct dat_bytes *content)
{
	struct dat_bytes header = { 0 };
	int err;

	dat_add_section_header(&header, section, compressed, content->size);
	err = dat_out_write_bytes(&file->out, &header);
	dat_bytes_free(&header);
	return err ? -1 : dat_out_write_bytes(&file->out, content);
}

int dat_write_section(struct dat_file *file, enum dat_section section,
		      const struct dat_bytes *content)
{
	const struct dat_bytes *compressed;

	if (!file->compressor)
		return write_content(file, section, false, content);
	compressed = dat_compress(file->compressor, content->data, content->size);
	return compressed ? write_content(file, section, true, compressed) : -1;
}

int dat_write_options(struct dat_file *file, const struct dat_bytes *options)
{
	return write_content(file, SECTION_OPTIONS, false, options);
}

int dat_write_options_at(struct dat_file *file, uint64_t at, const struct dat_bytes *options)
{
	return dat_out_write_at(&file->out, at + SECTION_HEADER_BYTES, options->data,
				options->size);
}

int dat_write_section_names(struct dat_file *file)
{
	struct dat_bytes strings = { 0 };
	int err;

	for (size_t i = 0; i < NR_NAMES; i++)
		dat_bytes_add_string(&strings, names[i].name);
	err = dat_write_section(file, SECTION_STRINGS, &strings);
	dat_bytes_free(&strings);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sections of a trace.dat v7. Each function returns 0, or -1 after one line on stderr.
 */
#ifndef ANNOT_DAT_SECTIONS_H
#define ANNOT_DAT_SECTIONS_H

#include "dat/dat_file.h"
#include "trace/file/dat_ids.h"

void dat_add_section_header(struct dat_bytes *bytes, enum dat_section section, bool compressed,
			    uint64_t size);

/* Writes a section at the file's position, compressed if the file is. */
int dat_write_section(struct dat_file *file, enum dat_section section,
		      const struct dat_bytes *content);

/*
 * Writes a section of options. Options are never compressed, and their size does not depend on the
 * position of their section.
 */
int dat_write_options(struct dat_file *file, const struct dat_bytes *options);
int dat_write_options_at(struct dat_file *file, uint64_t at, const struct dat_bytes *options);

/* Writes the names of sections, which the header of each section refers to. */
int dat_write_section_names(struct dat_file *file);

#endif /* ANNOT_DAT_SECTIONS_H */

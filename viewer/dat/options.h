/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of a trace.dat: what it tells of the recording.
 */
#ifndef ANNOT_DAT_OPTIONS_H
#define ANNOT_DAT_OPTIONS_H

#include "dat/dat_file.h"

void dat_add_option(struct dat_bytes *bytes, uint16_t option, const void *data, size_t size);
/* With its NUL. */
void dat_add_text_option(struct dat_bytes *bytes, uint16_t option, const char *text);
/* Where a section is. */
void dat_add_place_option(struct dat_bytes *bytes, uint16_t option, uint64_t place);

/* Those that both versions have: clock, machine, who wrote it, an identifier, each CPU's figures. */
void dat_add_common_options(const struct dat_file *file, const struct dat_cpu *cpus,
			    struct dat_bytes *bytes);

/* The kernel's clocks, @clock in brackets, and a newline. free() it. */
char *dat_clocks(const char *tracing_dir, const char *clock);

#endif /* ANNOT_DAT_OPTIONS_H */

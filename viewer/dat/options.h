/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of a trace.dat, which describe the recording.
 */
#ifndef ANNOT_DAT_OPTIONS_H
#define ANNOT_DAT_OPTIONS_H

#include "dat/dat_file.h"

void dat_add_option(struct dat_bytes *bytes, uint16_t option, const void *data, size_t size);
/* With its NUL. */
void dat_add_text_option(struct dat_bytes *bytes, uint16_t option, const char *text);
/* Adds the position of a section. */
void dat_add_place_option(struct dat_bytes *bytes, uint16_t option, uint64_t place);

/*
 * Adds the options of both versions: clock, machine, writer, an identifier, statistics of each CPU.
 */
void dat_add_common_options(const struct dat_file *file, const struct dat_cpu *cpus,
			    struct dat_bytes *bytes);

/* The kernel's clocks, @clock in brackets, and a newline. free() it. */
char *dat_clocks(const char *tracing_dir, const char *clock);

#endif /* ANNOT_DAT_OPTIONS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recovers a file of version 7 that ends before it says where its data are: that part is written
 * last. The data of the first buffer are in the section after the options. The chunks, or the times
 * of the pages, show which CPU they belong to.
 */
#ifndef ANNOT_TRACE_FILE_RECOVER_V7_H
#define ANNOT_TRACE_FILE_RECOVER_V7_H

#include "trace/file/trace_file.h"
#include "trace/file/input.h"

/* What the options say about the CPUs. */
struct recover_v7_cpus {
	uint32_t nr; /* 0: the options do not say */
	bool empty[TRACE_FILE_MAX_CPUS]; /* nothing was recorded on this CPU */
};

/* Reads an option CPUSTAT of @size bytes. Returns 0, or -1 after one line on stderr. */
int recover_v7_cpu_stat_read(struct recover_v7_cpus *cpus, struct input *options, uint32_t size);

/*
 * Adds the buffer whose data are in [start, end) of the file, possibly truncated, and its CPUs.
 * Returns 0, or -1 after one line on stderr.
 */
int recover_v7_buffer_add(struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus, uint64_t start, uint64_t end,
			  bool compressed);

/* Checks that the data of each CPU of a complete buffer were found. */
int recover_v7_cpus_check(const struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus);

#endif /* ANNOT_TRACE_FILE_RECOVER_V7_H */

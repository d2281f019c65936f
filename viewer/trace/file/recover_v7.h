/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file of version 7 that ends before it says where its data is: that stands behind them. What is
 * there of the first buffer is found all the same, for its section is the one behind the options;
 * which CPU's it is shows in the chunks, or in the times of the pages.
 */
#ifndef ANNOT_TRACE_FILE_RECOVER_V7_H
#define ANNOT_TRACE_FILE_RECOVER_V7_H

#include "trace/file/trace_file.h"
#include "trace/file/input.h"

/* What the options tell of the CPUs. */
struct recover_v7_cpus {
	uint32_t nr; /* 0: they do not tell */
	bool empty[TRACE_FILE_MAX_CPUS]; /* nothing was recorded there */
};

/* An option CPUSTAT of @size bytes. Returns 0, or -1 after one line on stderr. */
int recover_v7_cpu_stat_read(struct recover_v7_cpus *cpus, struct input *options, uint32_t size);

/*
 * Adds the buffer whose data are in [start, end) of the file, of which more may be missing, and its
 * CPUs. Returns 0, or -1 after one line on stderr.
 */
int recover_v7_buffer_add(struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus, uint64_t start, uint64_t end,
			  bool compressed);

/* Of a buffer that is whole, the data of each CPU must have been found. */
int recover_v7_cpus_check(const struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus);

#endif /* ANNOT_TRACE_FILE_RECOVER_V7_H */

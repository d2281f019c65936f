/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of all CPUs and buffers, merged by time; of equal times, the lower CPU goes first, and
 * of one CPU the buffer that stands first.
 */
#ifndef ANNOT_TRACE_MERGE_H
#define ANNOT_TRACE_MERGE_H

#include "trace/pages.h"

/* One CPU of one buffer in the merge. */
struct merge_source {
	int cpu;
	struct page_reader *reader;
	struct raw_record record; /* its next one */
	uint64_t last_time_ns; /* of the one before */
};

struct merge {
	int nr_active; /* sources that still have a record, a min-heap */
	struct merge_source **heap;
	struct merge_source *sources; /* one for each of the file's cpus */
	int nr_sources;
	uint64_t first_time_ns; /* of all records */
};

/* Reads the first record of every CPU. Returns 0, or -1 after one line on stderr. */
int merge_open(struct merge *merge, struct trace_file *file);
void merge_close(struct merge *merge);

/* Whose record is next, or NULL at the end. It stays the same until merge_advance(). */
struct merge_source *merge_head(struct merge *merge);

/* Drops the head's record. Returns 0, or -1 after one line on stderr. */
int merge_advance(struct merge *merge);

#endif /* ANNOT_TRACE_MERGE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of all CPUs and buffers, merged by time; of equal times, the lower CPU goes first, and
 * of one CPU the buffer that stands first.
 */
#ifndef ANNOT_TRACE_FILE_MERGE_H
#define ANNOT_TRACE_FILE_MERGE_H

#include "trace/file/pages.h"

/* One CPU of one buffer in the merge. */
struct merge_source {
	int cpu;
	struct page_reader *reader;
	struct raw_record record; /* its next one */
	uint64_t last_time_ns; /* of the one before */
};

/* A source that still has a record, by its time. */
struct merge_entry {
	uint64_t time_ns;
	struct merge_source *source;
};

struct merge {
	int nr_active;
	struct merge_entry
		*heap; /* a min-heap; of the first one, the time is that of its last move */
	uint64_t second_time_ns; /* before that, the first one stays where it is */
	struct merge_source *sources; /* one for each of the file's cpus */
	int nr_sources;
	uint64_t first_time_ns; /* of all records */
	struct readahead *readahead; /* NULL: nobody reads ahead */
};

/*
 * Reads the first record of every CPU; @nr_workers (see readahead_nr_workers()) threads help with the
 * rest. Returns 0, or -1 after one line on stderr.
 */
int merge_open(struct merge *merge, struct trace_file *file, int nr_workers);
void merge_close(struct merge *merge);

/* Before the first merge_advance(): whether there is any record of @cpu. */
bool merge_has_cpu(const struct merge *merge, int cpu);

/* Whose record is next, or NULL at the end. It stays the same until merge_advance(). */
static inline struct merge_source *merge_head(const struct merge *merge)
{
	return merge->nr_active ? merge->heap[0].source : NULL;
}

/* The head has another record (@got is 1) or none any more (0). */
void merge_move_head(struct merge *merge, int got);

/* Drops the head's record. Returns 0, or -1 after one line on stderr. */
static inline int merge_advance(struct merge *merge)
{
	struct merge_source *source = merge->heap[0].source;
	int got;

	source->last_time_ns = source->record.time_ns;
	got = page_reader_next(source->reader, &source->record);
	if (got < 0)
		return -1;
	if (!got || source->record.time_ns >= merge->second_time_ns)
		merge_move_head(merge, got);
	return 0;
}

#endif /* ANNOT_TRACE_FILE_MERGE_H */

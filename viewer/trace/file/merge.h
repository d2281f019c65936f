/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges the records of all CPUs and buffers by time. At equal times, the lower CPU is first, then
 * the lower buffer.
 */
#ifndef ANNOT_TRACE_FILE_MERGE_H
#define ANNOT_TRACE_FILE_MERGE_H

#include "trace/file/pages.h"

/* One CPU of one buffer in the merge. */
struct merge_source {
	int cpu;
	struct page_reader *reader;
	struct raw_record record; /* its next one */
	uint64_t last_time_ns; /* time of its previous record */
};

/* A source that has a record left, and its time. */
struct merge_entry {
	uint64_t time_ns;
	struct merge_source *source;
};

struct merge {
	int nr_active;
	struct merge_entry *heap; /* a min-heap; heap[0] keeps the time of its last move */
	uint64_t second_time_ns; /* while heap[0] is earlier than this, it stays first */
	struct merge_source *sources; /* one for each of the file's cpus */
	int nr_sources;
	uint64_t first_time_ns; /* of all records */
	struct readahead *readahead; /* NULL: no reading ahead */
};

/*
 * Reads the first record of each CPU. @nr_workers threads (readahead_nr_workers()) read ahead.
 * Returns 0, or -1 after one line on stderr.
 */
int merge_open(struct merge *merge, struct trace_file *file, int nr_workers);
void merge_close(struct merge *merge);

/* Whether @cpu has any record. Call before the first merge_advance(). */
bool merge_has_cpu(const struct merge *merge, int cpu);

/* The source of the next record, or NULL at the end. It stays the same until merge_advance(). */
static inline struct merge_source *merge_head(const struct merge *merge)
{
	return merge->nr_active ? merge->heap[0].source : NULL;
}

/* Of two entries of the heap. */
static inline bool merge_goes_before(const struct merge_entry *a, const struct merge_entry *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	if (a->source->cpu != b->source->cpu)
		return a->source->cpu < b->source->cpu;
	return a->source->record.buffer < b->source->record.buffer;
}

/* Of two sources, which is the first one again, after the head's next record was read. */
static inline void merge_move_of_two(struct merge *merge)
{
	struct merge_entry head = merge->heap[0];

	head.time_ns = head.source->record.time_ns;
	merge->heap[0].time_ns = head.time_ns;
	if (merge_goes_before(&merge->heap[1], &head)) {
		merge->heap[0] = merge->heap[1];
		merge->heap[1] = head;
	}
	merge->second_time_ns = merge->heap[1].time_ns;
}

/* Restores the heap after the head's next record was read (@got is 1) or it ended (0). */
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
	if (got && source->record.time_ns < merge->second_time_ns)
		return 0;
	if (got && merge->nr_active == 2)
		merge_move_of_two(merge);
	else
		merge_move_head(merge, got);
	return 0;
}

#endif /* ANNOT_TRACE_FILE_MERGE_H */

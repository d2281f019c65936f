// SPDX-License-Identifier: GPL-2.0
#include "trace/file/merge.h"

#include <stdlib.h>

#include "util/xalloc.h"

static void sift_down(struct merge *merge, int at)
{
	const struct merge_entry moved = merge->heap[at];

	for (;;) {
		int child = 2 * at + 1;

		if (child >= merge->nr_active)
			break;
		if (child + 1 < merge->nr_active &&
		    merge_goes_before(&merge->heap[child + 1], &merge->heap[child]))
			child++;
		if (!merge_goes_before(&merge->heap[child], &moved))
			break;
		merge->heap[at] = merge->heap[child];
		at = child;
	}
	merge->heap[at] = moved;
}

static void find_second(struct merge *merge)
{
	merge->second_time_ns = UINT64_MAX;
	for (int i = 1; i < merge->nr_active && i <= 2; i++) {
		if (merge->heap[i].time_ns < merge->second_time_ns)
			merge->second_time_ns = merge->heap[i].time_ns;
	}
}

/* Opens all readers first, so that reading ahead begins at once. */
static void open_sources(struct merge *merge, struct trace_file *file)
{
	for (int i = 0; i < file->nr_cpus; i++) {
		merge->sources[i].cpu = file->cpus[i].cpu;
		merge->sources[i].reader = page_reader_new(file, &file->cpus[i], merge->readahead);
	}
}

int merge_open(struct merge *merge, struct trace_file *file, int nr_workers)
{
	*merge = (struct merge){ .nr_sources = file->nr_cpus };
	merge->sources = xcalloc((size_t)file->nr_cpus, sizeof(*merge->sources));
	merge->heap = xcalloc((size_t)file->nr_cpus, sizeof(*merge->heap));
	merge->readahead = readahead_new(file, nr_workers);
	open_sources(merge, file);
	for (int i = 0; i < file->nr_cpus; i++) {
		struct merge_source *source = &merge->sources[i];
		int got = page_reader_next(source->reader, &source->record);
		if (got < 0)
			return -1;
		if (got)
			merge->heap[merge->nr_active++] =
				(struct merge_entry){ source->record.time_ns, source };
	}
	for (int i = merge->nr_active / 2 - 1; i >= 0; i--)
		sift_down(merge, i);
	find_second(merge);
	if (merge->nr_active)
		merge->first_time_ns = merge->heap[0].time_ns;
	for (int i = 0; i < merge->nr_sources; i++)
		merge->sources[i].last_time_ns = merge->first_time_ns;
	return 0;
}

bool merge_has_cpu(const struct merge *merge, int cpu)
{
	for (int i = 0; i < merge->nr_active; i++) {
		if (merge->heap[i].source->cpu == cpu)
			return true;
	}
	return false;
}

void merge_close(struct merge *merge)
{
	for (int i = 0; merge->sources && i < merge->nr_sources; i++)
		page_reader_free(merge->sources[i].reader);
	readahead_free(merge->readahead);
	free(merge->sources);
	free(merge->heap);
	*merge = (struct merge){ 0 };
}

void merge_move_head(struct merge *merge, int got)
{
	if (got)
		merge->heap[0].time_ns = merge->heap[0].source->record.time_ns;
	else
		merge->heap[0] = merge->heap[--merge->nr_active];
	if (merge->nr_active)
		sift_down(merge, 0);
	find_second(merge);
}

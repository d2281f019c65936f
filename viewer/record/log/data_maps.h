/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which mappings without code are told: heaps of brk(2), the stack of a process' first thread, files that are no
 * programs. All others have no name, and are many.
 */
#ifndef ANNOT_RECORD_LOG_DATA_MAPS_H
#define ANNOT_RECORD_LOG_DATA_MAPS_H

#include "record/log/perf_mmap.h"

/* A heap, which grows by little. */
struct data_heap {
	pid_t tgid;
	struct mapping mapping; /* as it is now */
	uint64_t told_bytes; /* its length when it was told last */
	unsigned int nr_looks; /* for a heap that no record names */
};

struct data_maps {
	size_t nr;
	size_t capacity;
	struct data_heap *heaps;
};

/* Calls @tell for what there is to tell of @mapping. */
void data_maps_take(struct data_maps *maps, const struct mapping *mapping, perf_mmap_handler tell,
		    void *context);

/* Call it at the end: tells how large heaps are by now. */
void data_maps_finish(struct data_maps *maps, perf_mmap_handler tell, void *context);
void data_maps_free(struct data_maps *maps);

#endif /* ANNOT_RECORD_LOG_DATA_MAPS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of functions that programs make while they run. Compilers at run time write them into
 * /tmp/perf-PID.map: in each line the function's address, its size (both hexadecimal) and its name. Of a process
 * in a container, it is the container's /tmp, and the number that the process has there.
 */
#ifndef ANNOT_RECORD_LOG_JIT_MAPS_H
#define ANNOT_RECORD_LOG_JIT_MAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/log/perf_mmap.h"

#define JIT_FUNCTIONS_MAX 4096 /* of a process: the last ones */

struct jit_maps {
	struct jit_process *processes; /* that have code in no file */
	size_t nr;
	size_t capacity;
	char *directory; /* NULL: /tmp */
	bool is_cut; /* names were left out */
};

/* A process has mapped something. If it has another /tmp than this one, that is held from now on. */
void jit_maps_note(struct jit_maps *maps, const struct mapping *mapping);

/*
 * Calls @take for each function, as a mapping whose path is its name after MAPPING_FUNCTION. Files
 * are only taken of the process's own user.
 */
void jit_maps_read(struct jit_maps *maps, uint64_t now_ns, perf_mmap_handler take, void *context);

void jit_maps_free(struct jit_maps *maps);

#endif /* ANNOT_RECORD_LOG_JIT_MAPS_H */

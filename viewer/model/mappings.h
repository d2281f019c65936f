/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What files are mapped into which process, and what fork and exec make of that. It is told later
 * than it happens, so all that happened is kept and put together when the trace is over.
 */
#ifndef ANNOT_MODEL_MAPPINGS_H
#define ANNOT_MODEL_MAPPINGS_H

#include "model/model.h"

struct model_builder;

/* A process gets an address space. */
struct space_start {
	uint64_t time_ns;
	uint32_t thread; /* of the process */
	uint32_t parent; /* MODEL_NO_THREAD: by an exec */
};

struct mapping_build {
	size_t nr_starts;
	struct space_start *starts;
};

void mappings_fork(struct mapping_build *build, uint64_t time_ns, uint32_t child, uint32_t parent);
void mappings_exec(struct mapping_build *build, uint64_t time_ns, uint32_t thread);
void feed_mapping(struct model_builder *builder, const struct trace_event *event);

/* To be called when it is known of each thread what process it is of. */
void mappings_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_MAPPINGS_H */

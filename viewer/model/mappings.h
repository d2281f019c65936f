/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which files are mapped into each process, and how fork and exec change that. Mappings are
 * recorded some time after they happen. So the builder collects everything, and combines it after
 * the last event.
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

/* Call when the process of each thread is known. */
void mappings_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_MAPPINGS_H */

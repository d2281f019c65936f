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

/*
 * The row of model.mappings that contains @address in @thread at @time_ns, or SIZE_MAX. If no
 * mapping is older than @time_ns, a newer one is returned: mappings are recorded late.
 */
size_t model_find_mapping(const struct model *model, uint32_t thread, uint64_t time_ns,
			  uint64_t address);

/* The address space of @thread at @time_ns: a row of model.spaces, or MODEL_NO_SPACE. */
uint32_t model_space_at(const struct model *model, uint32_t thread, uint64_t time_ns);

/*
 * Among the mappings that are @wanted, the one with the highest start at or below @address. It
 * finds the file of data that is not in a recorded mapping: bss, and data where only code was
 * recorded.
 */
size_t model_find_mapping_below(const struct model *model, uint32_t thread, uint64_t time_ns,
				uint64_t address,
				bool (*wanted)(const struct model *model, size_t row));

#endif /* ANNOT_MODEL_MAPPINGS_H */

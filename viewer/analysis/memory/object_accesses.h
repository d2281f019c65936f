/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whose data sampled accesses touched (symbols/data_owner.h): each object, and which tasks and threads it was.
 */
#ifndef ANNOT_OBJECT_ACCESSES_H
#define ANNOT_OBJECT_ACCESSES_H

#include "analysis/memory/block_sample.h"
#include "analysis/memory/line_use.h"
#include "analysis/memory/page_share.h"
#include "analysis/tasks/task_stats.h"
#include "symbols/data_owner.h"

struct access_figures {
	uint64_t nr_samples;
	double count; /* estimated: the sum of the samples' periods */
	double variance; /* the squares of the periods */
	uint64_t nr_told; /* samples that tell where their data was */
	uint64_t nr_missed; /* of these, beyond L1 */
	uint64_t nr_latencies; /* samples that tell how long the access took */
	double latency_cycles; /* sum of those */
};

struct accessed_object {
	size_t event;
	enum data_owner_kind kind;
	uint32_t name; /* string ids, as of struct data_owner */
	uint32_t file;
	struct access_figures figures;
	struct page_share pages;
	double share; /* of the event's samples in the table, by their count */
	size_t nr_threads; /* that touched it, in samples of any event; 0: it is not known whose data it is */
	size_t nr_tasks; /* that touched it, in samples of this event */
	struct block_estimate like_it; /* of a sampled block */
};

/* A thread in a task, at one object. */
struct object_user {
	size_t object; /* a row */
	uint32_t task; /* of the innermost span then; NO_TASK: none */
	uint32_t thread;
	struct access_figures figures;
	double share; /* of the object's, by their count */
};

struct object_accesses {
	size_t nr_objects;
	struct accessed_object *
		objects; /* by event, those with the greatest share first; sampled blocks by their estimate */
	size_t nr_users;
	struct object_user *users; /* by object, likewise */
	struct line_uses lines; /* of arrays of structures */
};

/*
 * Of samples of the session that have an address. Nothing is in it if there are none, or if names cannot be looked up. Opens
 * files that the trace names, and interns strings: nobody else may use the trace then. object_accesses_free() frees what is
 * in it. Cost: samples, times the logarithm of their number.
 */
struct object_accesses object_accesses_compute(const struct model *model,
					       const struct task_stats *stats);
void object_accesses_free(struct object_accesses *accesses);

#endif /* ANNOT_OBJECT_ACCESSES_H */

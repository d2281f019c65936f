/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times in which threads were on a CPU and an event was not measured there: it was throttled, no counter was free, enough
 * samples were taken, or the end of the slice, with its counts, is missing.
 */
#ifndef ANNOT_UNMEASURED_H
#define ANNOT_UNMEASURED_H

#include "model/model.h"

struct unmeasured {
	uint64_t start_ns;
	uint64_t end_ns;
	uint32_t thread;
	uint8_t event;
};

struct unmeasured_list {
	size_t nr;
	struct unmeasured *rows; /* by event, then by thread, then by start */
};

struct unmeasured_list unmeasured_compute(const struct model *model);

/* How much of [@from_ns, @to_ns) that was for @thread and @event. */
uint64_t unmeasured_within(const struct unmeasured_list *list, uint32_t thread, uint8_t event,
			   uint64_t from_ns, uint64_t to_ns);

void unmeasured_free(struct unmeasured_list *list);

#endif /* ANNOT_UNMEASURED_H */

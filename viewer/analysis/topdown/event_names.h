/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which counted events of a trace a name in a formula means. Names differ by who writes them: UOPS_ISSUED:ANY:u of libpfm4,
 * uops_issued.any of the kernel's tables, cpu/topdown-retiring/. They are equal but for case, ':' for '.', modifiers, and the PMU;
 * and several names count cycles, instructions or slots. A name in a formula with a PMU ("zen4::...") means only that one's.
 */
#ifndef ANNOT_TOPDOWN_EVENT_NAMES_H
#define ANNOT_TOPDOWN_EVENT_NAMES_H

#include "model/model.h"

#define EVENT_USER 1u
#define EVENT_KERNEL 2u
#define EVENT_BOTH (EVENT_USER | EVENT_KERNEL)

/* Columns of the model's slice_counts whose sum is the event: one, or that of user code and that of the kernel. */
struct counted_event {
	uint32_t counters; /* a bit for each; 0: it was not counted */
};

/* Of exactly @sides. A counter that was refused counts as none. */
struct counted_event counted_event_find(const struct model *model, const char *name,
					unsigned int sides);

#endif /* ANNOT_TOPDOWN_EVENT_NAMES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How sentences name the data that an instruction accesses.
 */
#ifndef ANNOT_DATA_NAMES_H
#define ANNOT_DATA_NAMES_H

#include "symbols/symbols.h"

struct data_names {
	/* "grid, counters[].hits": those with most samples, three at most; "": none is known */
	char text[160];
};

/*
 * Of the objects that programs named, and of variables and their fields: those that were accessed by samples of the
 * same event, process and instruction as sample @like. Cost: one pass over the samples.
 */
struct data_names data_names_of_instruction(const struct model *model, struct symbols *symbols,
					    size_t like);

#endif /* ANNOT_DATA_NAMES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long instances of tasks may take, as the user says.
 */
#ifndef ANNOT_DEADLINES_H
#define ANNOT_DEADLINES_H

#include <stddef.h>
#include <stdint.h>

#define DEADLINES_MOST 16

struct deadlines {
	size_t nr;
	struct {
		uint32_t name; /* string id: of the task */
		uint64_t ns;
	} rows[DEADLINES_MOST];
};

#endif /* ANNOT_DEADLINES_H */

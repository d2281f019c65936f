/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How sentences name what threads access in a cache line that they share.
 */
#ifndef ANNOT_SHARED_FIELDS_H
#define ANNOT_SHARED_FIELDS_H

#include "analysis/memory/false_sharing.h"
#include "symbols/symbols.h"

struct shared_fields {
	/* "counters[0].hits (written by pe0) and counters[1].hits (written by pe1)"; "": none is known */
	char text[640];
};

/*
 * Of each thread, the field that it stored to most often, else the one that it accessed most often, in @line of
 * @sharing, which is shared falsely; of three threads at most.
 */
struct shared_fields shared_fields_of_line(const struct model *model, struct symbols *symbols,
					   const struct false_sharing *sharing,
					   const struct shared_line *line);

#endif /* ANNOT_SHARED_FIELDS_H */

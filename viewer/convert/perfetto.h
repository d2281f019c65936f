/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> Chrome's trace event format, which Perfetto's UI opens. Nothing is left out but registers,
 * mappings and call stacks. Times count from the first event of the trace, model.start_ns, which the file tells:
 * readers that keep numbers as doubles would lose the last digits of a clock that has run for months.
 */
#ifndef ANNOT_CONVERT_PERFETTO_H
#define ANNOT_CONVERT_PERFETTO_H

#include <stdio.h>

#include "model/model.h"

/* A message: from a thread's span to another's, which are open at these times. */
struct convert_arrow {
	uint32_t from; /* threads of the model */
	uint32_t to;
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t bytes;
};

/* @arrows are drawn as flows. Write errors are the FILE's: ask ferror() at the end. */
void convert_perfetto(const struct model *model, const struct convert_arrow *arrows,
		      size_t nr_arrows, FILE *out);

#endif /* ANNOT_CONVERT_PERFETTO_H */

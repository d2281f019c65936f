/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> files that other tools read. Nothing is left out of them but registers and mappings.
 *
 * Times are counted from the first event of the trace, model.start_ns, which both tell: what reads
 * numbers as doubles would lose the last digits of a clock that has run for months.
 */
#ifndef ANNOT_CONVERT_H
#define ANNOT_CONVERT_H

#include <stdio.h>

#include "model/model.h"

/*
 * Chrome's trace event format, as JSON: what Perfetto's UI opens. Write errors are the FILE's: ask
 * ferror() at the end.
 */
void convert_perfetto(const struct model *model, FILE *out);

/* A row an item, as man annot-convert has it. Write errors are the FILE's. */
void convert_csv(const struct model *model, FILE *out);

#endif /* ANNOT_CONVERT_H */

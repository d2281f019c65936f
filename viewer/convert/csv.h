/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> CSV. Nothing is left out but registers, mappings and call stacks.
 *
 * Times are counted from the first event of the trace, model.start_ns, which the file tells: readers
 * that keep numbers as doubles would lose the last digits of a clock that has run for months.
 */
#ifndef ANNOT_CONVERT_CSV_H
#define ANNOT_CONVERT_CSV_H

#include <stdio.h>

#include "model/model.h"

/* A row an item, as man annot-convert has it. Write errors are the FILE's. */
void convert_csv(const struct model *model, FILE *out);

#endif /* ANNOT_CONVERT_CSV_H */

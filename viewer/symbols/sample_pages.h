/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In which pages the memory is that samples hit, as annot record read it (model/memory/page_readings.h). What counts is the
 * first reading of the process after the sample, for then what was touched is in memory; of the last samples, the last
 * reading. What that reading does not tell is not known, and so is all before the first one of a program, after a fork
 * or an exec, and of processes that were not read.
 */
#ifndef ANNOT_SYMBOLS_SAMPLE_PAGES_H
#define ANNOT_SYMBOLS_SAMPLE_PAGES_H

#include "model/model.h"

/*
 * Of each sample 1 + the row of model.page_readings that holds its address; 0: not known. NULL: of none. free() it. Cost:
 * samples and readings, times the logarithm of their number.
 */
uint32_t *sample_pages_find(const struct model *model);

#endif /* ANNOT_SYMBOLS_SAMPLE_PAGES_H */

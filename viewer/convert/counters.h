/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was measured, as counters of Chrome's trace event format ("C"): of each thread that ran into
 * it, and of each CPU; in events per microsecond.
 */
#ifndef ANNOT_CONVERT_COUNTERS_H
#define ANNOT_CONVERT_COUNTERS_H

#include "model/model.h"
#include "util/text/json.h"

/* Samples are added up over so long, for the whole trace: at most a thousand of them, 1, 2 or 5
 * with zeros behind, and no less than a microsecond. */
uint64_t counters_bin_ns(const struct model *model);

void counters_write(struct json *json, const struct model *model);

#endif /* ANNOT_CONVERT_COUNTERS_H */

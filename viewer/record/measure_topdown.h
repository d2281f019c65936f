/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says what became of the events of top-down, all together: a CPU may have too few counters for all.
 */
#ifndef ANNOT_RECORD_MEASURE_TOPDOWN_H
#define ANNOT_RECORD_MEASURE_TOPDOWN_H

#include <uapi/annot.h>

#include "record/measure.h"

/* @events: what the module made of the requests that have a code, in their order. */
void measure_topdown_report(const struct measure_plan *plan, const struct annot_event *events);

#endif /* ANNOT_RECORD_MEASURE_TOPDOWN_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the page computes the division of issue slots from, by the formulas of top-down: slots of the head, as data.h describes it.
 */
#ifndef ANNOT_PAGE_SLOTS_H
#define ANNOT_PAGE_SLOTS_H

#include "model/model.h"
#include "util/text/json.h"

/* Nothing if no share of the slots can be computed. @rest has the events. */
void slots_write(struct json *json, const struct model *rest);

#endif /* ANNOT_PAGE_SLOTS_H */

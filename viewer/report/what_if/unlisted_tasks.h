/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UNLISTED_TASKS_H
#define ANNOT_UNLISTED_TASKS_H

#include "analysis/replay/what_if.h"

/*
 * How many tasks of the session an answer does not list: those with less than WHAT_IF_LEAST_SHARE of the work, and those whose
 * gain is not known. Cost: O(spans).
 */
size_t unlisted_tasks_count(const struct model *model, const struct what_if *what_if);

#endif /* ANNOT_UNLISTED_TASKS_H */

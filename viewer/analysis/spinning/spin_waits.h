/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In which waits threads spun, and for how long. A thread that sleeps in a wait is on a CPU there, too, until it sleeps and
 * after it was woken. That is coming and going, and not spinning, if it takes less than SPIN_GOING_NS and less than
 * the sleep.
 */
#ifndef ANNOT_SPIN_WAITS_H
#define ANNOT_SPIN_WAITS_H

#include "analysis/base/wait_spans.h"

#define SPIN_GOING_NS 200000

/* Beside the rows of @waits: time on a CPU; 0 where the thread did not spin. free() it. */
uint64_t *spin_waits_compute(const struct model *model, const struct wait_spans *waits);

#endif /* ANNOT_SPIN_WAITS_H */

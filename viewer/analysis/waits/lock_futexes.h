/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for locks that no program told: annot_blocked tells the futexes that threads sleep on.
 */
#ifndef ANNOT_LOCK_FUTEXES_H
#define ANNOT_LOCK_FUTEXES_H

#include "analysis/waits/lock_spans.h"

/*
 * Adds the sleeps of the session's threads on futexes that are locks. A futex is a lock if the trace tells its holder in one of
 * them, or if it hands on priorities. A sleep that a wait span for a lock tells already is left out.
 */
void lock_spans_add_futexes(struct lock_spans *spans, const struct model *model);

#endif /* ANNOT_LOCK_FUTEXES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What changes would gain that suggest themselves, each alone: regions balanced, other programs left out, locks that nobody
 * waits for, one more CPU, all threads pinned, or none where the recording shows that some are.
 *
 * Tried are the TRIALS_MOST_EACH regions with most to save, programs with most time on CPUs during the session, but for the
 * one that has most of it, and locks that were waited for longest; each if that is TRIALS_LEAST_SHARE of the session or more.
 */
#ifndef ANNOT_TRIALS_H
#define ANNOT_TRIALS_H

#include "analysis/replay/what_if.h"

#define TRIALS_MOST_EACH 5
#define TRIALS_LEAST_SHARE 0.01

struct trial {
	struct run_change change;
	struct what_if_prediction predicted;
};

struct trials {
	size_t nr;
	struct trial *rows; /* what gains most first */
};

/* Of an oracle that has an answer. Never fails. trials_free() frees what is in it. */
struct trials trials_compute(const struct what_if_oracle *oracle);
void trials_free(struct trials *trials);

#endif /* ANNOT_TRIALS_H */

/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_FINDING_GAINS_H
#define ANNOT_FINDING_GAINS_H

#include "analysis/base/findings.h"
#include "analysis/replay/what_if.h"

/* So many changes are tried, those of the first findings. */
#define FINDING_GAINS_MOST 8

/*
 * Tells by how much the session would be shorter without each finding: the recorded length less what is predicted with its cure.
 * Without a gain are findings that have no cure which can be replayed, whose cure changes nothing in the replay, or removes a
 * program of the session, and all if the oracle has no answer. Ranks them again. Cost: a plan and WHAT_IF_SLICES replays for each change,
 * and one for each other placement that may be right.
 */
void finding_gains_compute(struct findings *findings, const struct what_if_oracle *oracle);

#endif /* ANNOT_FINDING_GAINS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On which CPUs the threads of a replay may run.
 */
#ifndef ANNOT_REPLAY_CPUS_H
#define ANNOT_REPLAY_CPUS_H

#include "analysis/replay/replay.h"

/* On how many CPUs threads of the plan ran. */
int replay_cpus_of_session(const struct replay_plan *plan);

/*
 * Row of plan->threads * @nr_cpus + CPU: whether the thread may run there. Each may somewhere. @nr_cpus: those of the plan at
 * least. free() it.
 */
bool *replay_cpus_find(const struct replay_plan *plan, const struct replay_settings *settings,
		       int nr_cpus);

/* Whether threads may run on other CPUs by one placement than by the other one. */
bool replay_cpus_differ(const struct replay_plan *plan, enum replay_placement one,
			enum replay_placement other);

#endif /* ANNOT_REPLAY_CPUS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of interference, wakeups and migrations is worth a sentence. A finding needs more than the 1 %
 * that any does: what a scheduler does all the time is not a cause.
 */
#ifndef ANNOT_INTERFERENCE_FINDINGS_H
#define ANNOT_INTERFERENCE_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/sched/interference.h"
#include "analysis/sched/late_wakeups.h"
#include "analysis/sched/migrations.h"
#include "analysis/sched/wakeup_latency.h"

/*
 * One for each program that made one of the session slower by INTERFERENCE_LEAST_SHARE of the session,
 * and took CPUs from it so often that it is no chance: what is not of the session, as threads of the
 * kernel, INTERFERENCE_LEAST_TIMES_OF_STRANGERS, since a machine never does without them.
 */
#define INTERFERENCE_LEAST_TIMES 5
#define INTERFERENCE_LEAST_TIMES_OF_STRANGERS 10
#define INTERFERENCE_LEAST_SHARE 0.02
void interference_add_findings(const struct model *model, const struct interference *interference,
			       struct findings *findings);

/*
 * One for each program whose threads, woken while their CPU was idle, came so late that it lost
 * WAKEUP_LEAST_SHARE of the session; what others ran there meanwhile is interference.
 */
#define WAKEUP_LEAST_SHARE 0.05
#define WAKEUP_LEAST_TIMES 10
void wakeup_latency_add_findings(const struct model *model, const struct wakeup_latency *wakeups,
				 const struct interference *interference,
				 struct findings *findings);

/*
 * One for each two programs of which one held the CPU so long when threads of the other were woken
 * that the end of the session was WAKEUP_LEAST_SHARE later, as long as it is not told of as
 * interference already.
 */
void late_wakeups_add_findings(const struct model *model, const struct late_wakeups *late,
			       const struct wakeup_latency *wakeups,
			       const struct interference *interference, struct findings *findings);

/*
 * One for all: of the threads that migrated MIGRATION_LEAST_TIMES, that which lost most time by it,
 * and that is MIGRATION_LEAST_SHARE of the session.
 */
#define MIGRATION_LEAST_SHARE 0.02
#define MIGRATION_LEAST_TIMES 10
void migrations_add_findings(const struct model *model, const struct migrations *migrations,
			     struct findings *findings);

#endif /* ANNOT_INTERFERENCE_FINDINGS_H */

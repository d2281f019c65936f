/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of interference, wakeups and migrations. Each needs more than the 1 % that any finding needs: what a scheduler
 * does all the time is not a cause.
 */
#ifndef ANNOT_INTERFERENCE_FINDINGS_H
#define ANNOT_INTERFERENCE_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/sched/interference.h"
#include "analysis/sched/late_wakeups.h"
#include "analysis/sched/migrations.h"
#include "analysis/sched/wakeup_latency.h"

/*
 * Adds one finding for each program that made a program of the session slower by INTERFERENCE_LEAST_SHARE of the
 * session, and took CPUs from it INTERFERENCE_LEAST_TIMES times. Programs outside the session, such as threads of the
 * kernel, must do so INTERFERENCE_LEAST_TIMES_OF_STRANGERS times, since they run on every machine.
 */
#define INTERFERENCE_LEAST_TIMES 5
#define INTERFERENCE_LEAST_TIMES_OF_STRANGERS 10
#define INTERFERENCE_LEAST_SHARE 0.02
void interference_add_findings(const struct model *model, const struct interference *interference,
			       struct findings *findings);

/*
 * Adds one finding for each program whose threads started so late, though their CPU was idle when they were woken, that
 * it lost WAKEUP_LEAST_SHARE of the session. If another program ran there meanwhile, it is interference.
 */
#define WAKEUP_LEAST_SHARE 0.05
#define WAKEUP_LEAST_TIMES 10
void wakeup_latency_add_findings(const struct model *model, const struct wakeup_latency *wakeups,
				 const struct interference *interference,
				 struct findings *findings);

/*
 * Adds one finding for each two programs of which one held the CPU when threads of the other were woken, so long that the
 * session ended later by WAKEUP_LEAST_SHARE of it, unless interference_add_findings() adds it.
 */
void late_wakeups_add_findings(const struct model *model, const struct late_wakeups *late,
			       const struct wakeup_latency *wakeups,
			       const struct interference *interference, struct findings *findings);

/*
 * Adds one finding: of the threads that migrated MIGRATION_LEAST_TIMES times, the one that lost most time by it, if that is
 * MIGRATION_LEAST_SHARE of the session.
 */
#define MIGRATION_LEAST_SHARE 0.02
#define MIGRATION_LEAST_TIMES 10
void migrations_add_findings(const struct model *model, const struct migrations *migrations,
			     struct findings *findings);

#endif /* ANNOT_INTERFERENCE_FINDINGS_H */

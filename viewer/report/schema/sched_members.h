/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the analyses of the scheduler, and the tree of tasks, write beside their tables.
 */
#ifndef ANNOT_SCHED_MEMBERS_H
#define ANNOT_SCHED_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member interference_members[];
extern const struct schema_member wakeup_latency_members[];
extern const struct schema_member migrations_members[];
extern const struct schema_member task_tree_members[];

#endif /* ANNOT_SCHED_MEMBERS_H */

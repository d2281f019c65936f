/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What both forms of annot diff --json have.
 */
#ifndef ANNOT_DIFF_MEMBERS_H
#define ANNOT_DIFF_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member diff_verdict_members[];
extern const struct schema_member diff_sessions[]; /* how long they took */
extern const struct schema_member diff_name[]; /* of a task */
extern const struct schema_member diff_texts[]; /* of a finding */
extern const struct schema_member diff_stands_out[];
extern const struct schema_member diff_why[];
extern const struct schema_member diff_rules[];

#endif /* ANNOT_DIFF_MEMBERS_H */

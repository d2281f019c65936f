/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What both forms of annot diff --json have.
 */
#ifndef ANNOT_DIFF_MEMBERS_H
#define ANNOT_DIFF_MEMBERS_H

#include <stdbool.h>
#include <stdio.h>

#include "report/schema/json_schema.h"

extern const struct schema_member diff_verdict_members[];
extern const struct schema_member diff_sessions[]; /* how long they took */
extern const struct schema_member diff_name[]; /* of a task */
extern const struct schema_member diff_texts[]; /* of a finding */
extern const struct schema_member diff_stands_out[];
extern const struct schema_member diff_why[];

/* The schema of the form of that name, with rules or without. */
void diff_document(const char *of, const struct schema_member *members, bool has_rules, FILE *out);

#endif /* ANNOT_DIFF_MEMBERS_H */

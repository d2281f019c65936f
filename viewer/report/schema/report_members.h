/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What report/report_json.c writes: the report, beside one key of each analysis.
 */
#ifndef ANNOT_REPORT_MEMBERS_H
#define ANNOT_REPORT_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member report_members[];

#endif /* ANNOT_REPORT_MEMBERS_H */

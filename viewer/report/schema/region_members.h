/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the analyses of regions and of critical paths write.
 */
#ifndef ANNOT_REGION_MEMBERS_H
#define ANNOT_REGION_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member regions_members[];
extern const struct schema_member critical_path_members[];

#endif /* ANNOT_REGION_MEMBERS_H */

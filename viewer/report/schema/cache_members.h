/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the analyses of caches write beside their tables.
 */
#ifndef ANNOT_CACHE_MEMBERS_H
#define ANNOT_CACHE_MEMBERS_H

#include "report/schema/json_schema.h"

extern const struct schema_member switch_misses_members[];
extern const struct schema_member false_sharing_members[];
extern const struct schema_member working_set_members[];

#endif /* ANNOT_CACHE_MEMBERS_H */

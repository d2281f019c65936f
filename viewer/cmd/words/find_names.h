/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What options name in a trace.
 */
#ifndef ANNOT_CMD_FIND_NAMES_H
#define ANNOT_CMD_FIND_NAMES_H

#include "analysis/regions/regions.h"

/*
 * Find the string id of a task (the first @length bytes of @name), of a region, of a program, and of a lock that wait
 * spans name. Return 0, or -1 after one line on stderr that has the name that was probably meant.
 */
int find_task_name(const struct model *model, const char *name, size_t length, uint32_t *id);
int find_region_name(const struct model *model, const struct regions *regions, const char *name,
		     uint32_t *id);
int find_program_name(const struct model *model, const char *name, uint32_t *id);
int find_lock_name(const struct model *model, const struct regions *regions, const char *name,
		   uint32_t *id);

#endif /* ANNOT_CMD_FIND_NAMES_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which fronts would be loaded, and why others would not: as a table, and as JSON.
 */
#ifndef ANNOT_CMD_ATTACH_PRINT_H
#define ANNOT_CMD_ATTACH_PRINT_H

#include <stdio.h>

#include "attach/plan.h"

#define ATTACH_JSON_VERSION 1

void attach_print_text(const struct attach_plan *plan, FILE *out);
void attach_print_json(const struct attach_plan *plan, FILE *out);

/* The fronts as they are installed, whatever the program. */
void attach_print_fronts_text(FILE *out);
void attach_print_fronts_json(FILE *out);

#endif /* ANNOT_CMD_ATTACH_PRINT_H */

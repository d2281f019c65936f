/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints all verdicts, as text and as JSON.
 */
#ifndef ANNOT_DOCTOR_PRINT_H
#define ANNOT_DOCTOR_PRINT_H

#include <stdio.h>

#include "doctor/checks.h"

/* Incremented when a member is removed or changes its meaning, but not for new ones. */
#define DOCTOR_JSON_VERSION 1

/* @verdicts: of all checks. */
void doctor_print_text(FILE *out, const struct verdict *verdicts);
void doctor_print_json(FILE *out, const struct verdict *verdicts);

#endif /* ANNOT_DOCTOR_PRINT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All verdicts, for people and for programs.
 */
#ifndef ANNOT_DOCTOR_PRINT_H
#define ANNOT_DOCTOR_PRINT_H

#include <stdio.h>

#include "doctor/checks.h"

/* Grows with each member that changes its meaning or goes; new ones may come without. */
#define DOCTOR_JSON_VERSION 1

/* @verdicts: of all checks. */
void doctor_print_text(FILE *out, const struct verdict *verdicts);
void doctor_print_json(FILE *out, const struct verdict *verdicts);

#endif /* ANNOT_DOCTOR_PRINT_H */

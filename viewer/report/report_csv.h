/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures as a table.
 */
#ifndef ANNOT_REPORT_CSV_H
#define ANNOT_REPORT_CSV_H

#include <stdio.h>

#include "report/report.h"

void report_csv(const struct report *report, FILE *out);

#endif /* ANNOT_REPORT_CSV_H */

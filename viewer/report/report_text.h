/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures for people.
 */
#ifndef ANNOT_REPORT_TEXT_H
#define ANNOT_REPORT_TEXT_H

#include <stdio.h>

#include "report/report.h"

void report_text(const struct report *report, FILE *out);

#endif /* ANNOT_REPORT_TEXT_H */

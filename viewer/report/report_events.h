/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was measured, in the text.
 */
#ifndef ANNOT_REPORT_EVENTS_H
#define ANNOT_REPORT_EVENTS_H

#include <stdio.h>

#include "report/report.h"

/* In the text: what keeps measurements from being complete; which events took turns; what was measured, of each
 * task. */
void report_event_losses(const struct model *model, FILE *out);
void report_event_turns(const struct report *report, FILE *out);
void report_events(const struct report *report, FILE *out);

#endif /* ANNOT_REPORT_EVENTS_H */

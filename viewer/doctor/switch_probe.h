/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does the kernel tell every task switch? Some miss those out of idle.
 */
#ifndef ANNOT_DOCTOR_SWITCH_PROBE_H
#define ANNOT_DOCTOR_SWITCH_PROBE_H

#include "doctor/switch_counts.h"

/*
 * Two threads wake each other 200 times through idle, for a second at most, and an ftrace instance
 * below @tracing, of the probe's own, records them. Signals that end a process wait until the
 * instance is gone.
 */
void switch_probe(const char *tracing, struct switch_counts *counts);

#endif /* ANNOT_DOCTOR_SWITCH_PROBE_H */

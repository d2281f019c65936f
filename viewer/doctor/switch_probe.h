/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests whether the kernel records each task switch. Some kernels miss those out of idle.
 */
#ifndef ANNOT_DOCTOR_SWITCH_PROBE_H
#define ANNOT_DOCTOR_SWITCH_PROBE_H

#include "doctor/switch_counts.h"

/*
 * Two threads wake each other 200 times through idle, for at most a second, and an ftrace instance
 * of the probe, below @tracing, records them. Fatal signals are blocked until the instance is
 * removed.
 */
void switch_probe(const char *tracing, struct switch_counts *counts);

#endif /* ANNOT_DOCTOR_SWITCH_PROBE_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each check looks at; look_X.c has those of one concern. Each fills a verdict that was empty.
 */
#ifndef ANNOT_DOCTOR_LOOKS_H
#define ANNOT_DOCTOR_LOOKS_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

typedef void look_function(const struct machine *machine, struct verdict *verdict);

look_function look_tracefs;
look_function look_access;
look_function look_trace_clock;
look_function look_module;
look_function look_signing;
look_function look_lockdown;
look_function look_devices;
look_function look_perf;
look_function look_pmu;
look_function look_watchdog;
look_function look_virtual;
look_function look_clocksource;
look_function look_memlock;
look_function look_memory;
look_function look_container;
look_function look_seccomp;
look_function look_sysfs;
look_function look_switches;

#endif /* ANNOT_DOCTOR_LOOKS_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that no CPU has for itself: energy, the memory controllers' transfers, the last-level cache of a die. One CPU
 * of each socket or die counts them for all of it: the kernel tells which, in the file cpumask of the PMU's directory,
 * and for some events a unit and a scale
 * (Documentation/ABI/testing/sysfs-bus-event_source-devices-events of the kernel).
 */
#ifndef ANNOT_PMU_UNCORE_H
#define ANNOT_PMU_UNCORE_H

#include <stdbool.h>

#include "util/text/cpu_list.h"

/* In the directory of a PMU that is an uncore one. */
#define UNCORE_CPUMASK "cpumask"

#define UNCORE_UNIT_BYTES 32

struct uncore_event {
	struct cpu_list cpus; /* that count it, each for its socket or die */
	double scale; /* a count of 1 is so many units */
	char unit[UNCORE_UNIT_BYTES]; /* "Joules"; empty: events */
};

/*
 * What the kernel tells of event @name, PMU/TERMS/ (sysfs_event.h), an uncore one; @folder: of the PMUs. An event that is
 * written as numbers has the scale 1 and no unit. False: no CPU counts it.
 */
bool uncore_event_read(const char *folder, const char *name, struct uncore_event *event);

/* @name: PMU/TERM/, of an event that the kernel has a name for. */
typedef void uncore_visitor(void *context, const char *name, const struct uncore_event *event);

/* Those of all PMUs in @folder, by name. */
void uncore_for_each(const char *folder, uncore_visitor *visit, void *context);

#endif /* ANNOT_PMU_UNCORE_H */

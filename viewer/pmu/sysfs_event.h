/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of PMUs that only the kernel describes, as perf writes them: PMU/TERM=VALUE,TERM/MODIFIERS, like
 * ibs_op/cnt_ctl=1/u. A directory for each PMU has its type, the bits of its terms, and events with names:
 * Documentation/ABI/testing/sysfs-bus-event_source-devices-* of the kernel.
 */
#ifndef ANNOT_PMU_SYSFS_EVENT_H
#define ANNOT_PMU_SYSFS_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "pmu/encode.h"

#define SYSFS_PMUS "/sys/bus/event_source/devices"

/* Whether @name is written so. */
bool sysfs_event_is_one(const char *name);

/* How many bytes the event takes at the start of a list with commas. */
size_t sysfs_event_length(const char *list);

/*
 * Of PMUs that are there several times, as uncore_imc_0, uncore_imc_1, ..., a name without the number stands for all: the names with
 * it, by number, as many as *@nr, NULL behind them. None, if there is a PMU of just that name, or no such ones. Free each, and all.
 */
char **sysfs_event_instances(const char *folder, const char *name, size_t *nr);

/*
 * Fills @code but for stands_for. @folder: of the PMUs. @code->user and @code->kernel stay unless the name says what to count;
 * a 'p' of the modifiers is a level of precision; period=N and precise=N may stand behind colons. Values are decimal, or hexadecimal behind 0x; without one, 1.
 *
 * On PMU_NAME_WRONG and PMU_NOT_HERE (this machine has no such PMU), @why, of @size bytes, gets one line.
 */
enum pmu_encoding sysfs_event_encode(const char *folder, const char *name, struct pmu_code *code,
				     char *why, size_t size);

#endif /* ANNOT_PMU_SYSFS_EVENT_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * At which switch of its CPU a row of a group of counters ended.
 */
#ifndef ANNOT_MODEL_GROUP_SWITCHES_H
#define ANNOT_MODEL_GROUP_SWITCHES_H

#include "model/pmu/group_build.h"

/* Thread @tid has left @cpu. */
void group_switches_note(struct group_build *groups, int cpu, uint64_t time_ns, int32_t tid);

/* When the row of @tid ended that was told to end at @told_ns; that, if there is no such switch. It is later than those asked for before. */
uint64_t group_switches_find(struct group_cpu *cpu, uint64_t told_ns, int32_t tid);

/* Who runs at @told_ns: who leaves the CPU next, or, unless it @runs_on, just then. -1: not known. */
int32_t group_switches_runner(const struct group_cpu *cpu, uint64_t told_ns, bool runs_on);

struct group_cpu *group_switches_of(struct group_build *groups, int cpu);
void group_switches_free(struct group_build *groups);

#endif /* ANNOT_MODEL_GROUP_SWITCHES_H */

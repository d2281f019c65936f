/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that annot record counts itself, without the module, in groups: a thread reads what the kernel tells of the counters
 * (counter_group.h), and writes it into the trace (trace/lines/group_line.h). Several groups take turns on all CPUs, of
 * GROUP_LOG_TURN_MS on average: each has another length, so that none is in step with what a program does.
 * Counts end at a switch or a tick, and not at an annotation, as the module's do.
 */
#ifndef ANNOT_RECORD_GROUPS_GROUP_LOG_H
#define ANNOT_RECORD_GROUPS_GROUP_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/request.h"

struct group_log;
struct tracefs_instance;

#define GROUP_LOG_TURN_MS 20

/* The clock of the trace that the log needs. */
#define GROUP_LOG_CLOCK "mono"

/*
 * Opens the counters of @requests, which must stay (group_set.h). Returns an exit status: not EXIT_OK, after one line on stderr, if there are
 * requests and they cannot be counted. *@log is NULL if there is nothing to count.
 */
int group_log_open(struct group_log **log, const struct pmu_requests *requests, bool quiet);

/*
 * Tells of the counters, starts them, and goes on in a thread of its own. Returns when the trace has that: nobody else can have told of counters
 * before. @log may be NULL; so in the other functions.
 */
void group_log_start(struct group_log *log, struct tracefs_instance *instance);

/* Writes what was counted until now, and ends the thread. Warns of what was lost. */
void group_log_stop(struct group_log *log);

/* In a child that becomes another program: allows it as many open files as annot was allowed. */
void group_log_leave(const struct group_log *log);
void group_log_close(struct group_log *log);

#endif /* ANNOT_RECORD_GROUPS_GROUP_LOG_H */

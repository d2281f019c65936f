/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that the CPUs of a socket or a die share (pmu/uncore.h): a thread reads all of them every UNCORE_LOG_INTERVAL_MS, and
 * writes what they have counted into the trace (trace/lines/uncore_line.h). That needs no module. A reading interrupts the CPU that
 * counts.
 */
#ifndef ANNOT_RECORD_LOG_UNCORE_LOG_H
#define ANNOT_RECORD_LOG_UNCORE_LOG_H

#include "pmu/request.h"

struct tracefs_instance;
struct uncore_log;

#define UNCORE_LOG_INTERVAL_MS 10

/*
 * Opens the counters of @requests, on each CPU that counts for others. Those that the kernel refuses are reported on stderr. Returns an exit
 * status: not EXIT_OK, after one line on stderr, if there are requests and none can be counted. *@log is NULL if there is nothing to
 * count. Unless @quiet, prints a line for each event.
 */
int uncore_log_open(struct uncore_log **log, const struct pmu_requests *requests, bool quiet);

/*
 * Tells of the counters, reads them, and goes on in a thread of its own. Returns when the trace has that: nobody else can have told of counters
 * before. @log may be NULL; so in the other functions.
 */
void uncore_log_start(struct uncore_log *log, struct tracefs_instance *instance);

/* Reads them a last time, and ends the thread. */
void uncore_log_stop(struct uncore_log *log);

void uncore_log_close(struct uncore_log *log);

#endif /* ANNOT_RECORD_LOG_UNCORE_LOG_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program's own count of a PMU event, by perf_event_open(2): of what one thread does in user
 * mode.
 */
#ifndef WORKLOADS_COUNT_H
#define WORKLOADS_COUNT_H

#include <stdint.h>

/*
 * @name: as perf has them: l1d-load-misses, dtlb-load-misses, instructions, page-faults, or rNNNN
 * Returns a file descriptor, or a negative errno; for a name that there is not, the program ends.
 */
int count_open(const char *name);

/*
 * It counts from its opening on, but for the time between count_stop() and count_start(). Neither
 * writes to the program's memory; both do nothing where there is none (@fd < 0).
 */
void count_start(int fd);
void count_stop(int fd);

/* So far, by the thread that has opened it; -1 if there is none (@fd < 0), or cannot be told. */
int64_t count_read(int fd);

#endif /* WORKLOADS_COUNT_H */

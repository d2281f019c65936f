/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the topology and the caches of the CPUs into the trace: a line in trace_marker for each
 * CPU; see trace/lines/cpu_topology.h.
 */
#ifndef ANNOT_RECORD_LOG_TOPOLOGY_LOG_H
#define ANNOT_RECORD_LOG_TOPOLOGY_LOG_H

#include <stddef.h>

struct tracefs_instance;

#define TOPOLOGY_LOG_ROOT "/sys/devices/system/cpu"

/* Writes a line for each CPU. If that fails, only distances are missing in the report. */
void topology_log_write(struct tracefs_instance *instance);

/*
 * Formats the line of @cpu from the files in @root, which is laid out like TOPOLOGY_LOG_ROOT.
 * Returns its length; 0 if there is no such CPU, or it is offline.
 */
size_t topology_log_format(char *line, size_t size, const char *root, int cpu);

#endif /* ANNOT_RECORD_LOG_TOPOLOGY_LOG_H */

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps in the trace where the machine's CPUs stand and what caches they have: a line in
 * trace_marker for each, see trace/decode/cpu_topology.h.
 */
#ifndef ANNOT_RECORD_LOG_TOPOLOGY_LOG_H
#define ANNOT_RECORD_LOG_TOPOLOGY_LOG_H

#include <stddef.h>

struct tracefs_instance;

#define TOPOLOGY_LOG_ROOT "/sys/devices/system/cpu"

/* Of every CPU there is. Only the report suffers if that fails: it does not tell of distances. */
void topology_log_write(struct tracefs_instance *instance);

/*
 * The line of @cpu, by the files in @root, laid out as TOPOLOGY_LOG_ROOT is. Returns its length, 0 if there
 * is no such CPU, or it is offline.
 */
size_t topology_log_format(char *line, size_t size, const char *root, int cpu);

#endif /* ANNOT_RECORD_LOG_TOPOLOGY_LOG_H */

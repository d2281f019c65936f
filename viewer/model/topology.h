/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The topology of the CPUs: shared cores, caches, packages and nodes, and distances.
 */
#ifndef ANNOT_TOPOLOGY_H
#define ANNOT_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/trace.h"

struct cpu_topology {
	bool known; /* the trace describes this CPU */
	int core; /* first CPU of its core; -1: not known */
	int package; /* -1: not known */
	int node; /* -1: not known, or the kernel knows no nodes */
	size_t nr_caches;
	struct cpu_cache *caches;
};

struct topology {
	int nr_cpus; /* 0: the trace has no topology */
	struct cpu_topology *cpus;
};

/* From near to far. */
enum cpu_distance {
	SAME_CPU,
	SMT_SIBLING, /* of the same core */
	SHARES_L2,
	SHARES_LLC, /* the last-level cache, which is not their L2 */
	SAME_NODE, /* same memory node, no shared cache */
	OTHER_NODE,
	DISTANCE_UNKNOWN,
};

/* The distance is symmetric. Cost: a few comparisons. */
enum cpu_distance topology_distance(const struct topology *topology, int from_cpu, int to_cpu);

/* "the same CPU", "SMT sibling", "shared L2", ...: for tables. */
const char *cpu_distance_name(enum cpu_distance distance);

/* The cache of @level of @cpu that holds data; NULL: not known. */
const struct cpu_cache *topology_cache(const struct topology *topology, int cpu, int level);

/* The last of the caches of @cpu that hold data; NULL: none is known. */
const struct cpu_cache *topology_last_cache(const struct topology *topology, int cpu);

/* Of the first cache of data that tells the size of its lines; else @otherwise. */
uint32_t topology_line_bytes(const struct topology *topology, uint32_t otherwise);

/* Whether a core is known that has several CPUs: threads of one (SMT). */
bool topology_cores_are_shared(const struct topology *topology);

/* Adds the CPU of @event, a TRACE_CPU_TOPOLOGY. A second event of a CPU replaces the first. */
void topology_add(struct topology *topology, const struct trace_event *event);
struct topology topology_copy(const struct topology *topology);
void topology_free(struct topology *topology);

#endif /* ANNOT_TOPOLOGY_H */

// SPDX-License-Identifier: GPL-2.0
#include "model/topology.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

static const struct cpu_topology *place_of(const struct topology *topology, int cpu)
{
	if (cpu < 0 || cpu >= topology->nr_cpus || !topology->cpus[cpu].known)
		return NULL;
	return &topology->cpus[cpu];
}

const struct cpu_cache *topology_cache(const struct topology *topology, int cpu, int level)
{
	const struct cpu_topology *place = place_of(topology, cpu);

	for (size_t i = 0; place && i < place->nr_caches; i++) {
		if (place->caches[i].level == level && place->caches[i].kind != 'i')
			return &place->caches[i];
	}
	return NULL;
}

const struct cpu_cache *topology_last_cache(const struct topology *topology, int cpu)
{
	const struct cpu_topology *place = place_of(topology, cpu);
	const struct cpu_cache *last = NULL;

	for (size_t i = 0; place && i < place->nr_caches; i++) {
		const struct cpu_cache *cache = &place->caches[i];

		if (cache->kind != 'i' && (!last || cache->level > last->level))
			last = cache;
	}
	return last;
}

uint32_t topology_line_bytes(const struct topology *topology, uint32_t otherwise)
{
	for (int cpu = 0; cpu < topology->nr_cpus; cpu++) {
		const struct cpu_cache *cache = topology_cache(topology, cpu, 1);

		if (cache && cache->line_bytes)
			return cache->line_bytes;
	}
	return otherwise;
}

static bool is_same_cache(const struct cpu_cache *a, const struct cpu_cache *b)
{
	return a && b && a->level == b->level && a->kind == b->kind && a->group == b->group;
}

enum cpu_distance topology_distance(const struct topology *topology, int from_cpu, int to_cpu)
{
	const struct cpu_topology *from = place_of(topology, from_cpu);
	const struct cpu_topology *to = place_of(topology, to_cpu);

	if (from_cpu == to_cpu)
		return SAME_CPU;
	if (!from || !to)
		return DISTANCE_UNKNOWN;
	if (from->core >= 0 && from->core == to->core)
		return SMT_SIBLING;
	if (is_same_cache(topology_cache(topology, from_cpu, 2),
			  topology_cache(topology, to_cpu, 2)))
		return SHARES_L2;
	if (is_same_cache(topology_last_cache(topology, from_cpu),
			  topology_last_cache(topology, to_cpu)))
		return SHARES_LLC;
	if (from->node != to->node)
		return from->node < 0 || to->node < 0 ? DISTANCE_UNKNOWN : OTHER_NODE;
	/* Without caches in the trace, a cache may be shared. */
	return topology_last_cache(topology, from_cpu) && topology_last_cache(topology, to_cpu) ?
		       SAME_NODE :
		       DISTANCE_UNKNOWN;
}

const char *cpu_distance_name(enum cpu_distance distance)
{
	static const char *const names[] = {
		[SAME_CPU] = "the same CPU",
		[SMT_SIBLING] = "SMT sibling",
		[SHARES_L2] = "shared L2",
		[SHARES_LLC] = "shared last-level cache",
		[SAME_NODE] = "other caches, same node",
		[OTHER_NODE] = "other node",
		[DISTANCE_UNKNOWN] = "not known",
	};

	return names[distance];
}

static void copy_caches(struct cpu_topology *place, const struct cpu_cache *caches, size_t nr)
{
	place->nr_caches = nr;
	place->caches = xrealloc_array(place->caches, nr ? nr : 1, sizeof(*caches));
	if (nr)
		memcpy(place->caches, caches, nr * sizeof(*caches));
}

static void need_cpu(struct topology *topology, int cpu)
{
	int nr = cpu + 1;

	if (nr <= topology->nr_cpus)
		return;
	topology->cpus = xrealloc_array(topology->cpus, (size_t)nr, sizeof(*topology->cpus));
	memset(&topology->cpus[topology->nr_cpus], 0,
	       (size_t)(nr - topology->nr_cpus) * sizeof(*topology->cpus));
	topology->nr_cpus = nr;
}

bool topology_cores_are_shared(const struct topology *topology)
{
	for (int cpu = 0; cpu < topology->nr_cpus; cpu++) {
		const struct cpu_topology *row = &topology->cpus[cpu];

		if (row->known && row->core >= 0 && row->core != cpu)
			return true;
	}
	return false;
}

void topology_add(struct topology *topology, const struct trace_event *event)
{
	struct cpu_topology *place;

	need_cpu(topology, event->cpu_topology.number);
	place = &topology->cpus[event->cpu_topology.number];
	place->known = true;
	place->core = event->cpu_topology.core;
	place->package = event->cpu_topology.package;
	place->node = event->cpu_topology.node;
	copy_caches(place, event->cpu_topology.caches, event->cpu_topology.nr_caches);
}

struct topology topology_copy(const struct topology *topology)
{
	struct topology copy = { 0 };

	if (topology->nr_cpus)
		need_cpu(&copy, topology->nr_cpus - 1);
	for (int cpu = 0; cpu < copy.nr_cpus; cpu++) {
		const struct cpu_topology *place = &topology->cpus[cpu];

		copy.cpus[cpu] = *place;
		copy.cpus[cpu].caches = NULL;
		copy_caches(&copy.cpus[cpu], place->caches, place->nr_caches);
	}
	return copy;
}

void topology_free(struct topology *topology)
{
	for (int cpu = 0; cpu < topology->nr_cpus; cpu++)
		free(topology->cpus[cpu].caches);
	free(topology->cpus);
}

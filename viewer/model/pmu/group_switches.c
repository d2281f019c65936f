// SPDX-License-Identifier: GPL-2.0
#include "model/pmu/group_switches.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

/* How far perf's look at the clock may be from ftrace's. */
#define EARLIEST_NS 10000
#define LATEST_NS 50000

/* Rows come several times in a second; where none come, the first of so many switches are forgotten. */
#define MOST_SWITCHES 65536

struct group_cpu *group_switches_of(struct group_build *groups, int cpu)
{
	if (cpu >= groups->nr_cpus) {
		int nr = cpu + 1;

		groups->cpus = xrealloc_array(groups->cpus, (size_t)nr, sizeof(*groups->cpus));
		while (groups->nr_cpus < nr)
			groups->cpus[groups->nr_cpus++] = (struct group_cpu){ 0 };
	}
	return &groups->cpus[cpu];
}

static void forget(struct group_cpu *cpu, size_t nr)
{
	cpu->nr -= nr;
	memmove(cpu->switches, cpu->switches + nr, cpu->nr * sizeof(*cpu->switches));
	cpu->first = cpu->first > nr ? cpu->first - nr : 0;
}

void group_switches_note(struct group_build *groups, int cpu, uint64_t time_ns, int32_t tid)
{
	struct group_cpu *of = group_switches_of(groups, cpu);

	if (of->nr == of->capacity && of->first > of->nr / 2)
		forget(of, of->first);
	if (of->nr == MOST_SWITCHES)
		forget(of, MOST_SWITCHES / 2);
	ARRAY_MAKE_ROOM(of->switches, of->nr, of->capacity);
	of->switches[of->nr++] = (struct group_switch){ time_ns, tid };
}

uint64_t group_switches_find(struct group_cpu *cpu, uint64_t told_ns, int32_t tid)
{
	while (cpu->first < cpu->nr && cpu->switches[cpu->first].time_ns + EARLIEST_NS < told_ns)
		cpu->first++;
	for (size_t i = cpu->first; i < cpu->nr && cpu->switches[i].time_ns <= told_ns + LATEST_NS;
	     i++) {
		if (cpu->switches[i].tid != tid)
			continue;
		cpu->first = i + 1;
		return cpu->switches[i].time_ns;
	}
	return told_ns;
}

int32_t group_switches_runner(const struct group_cpu *cpu, uint64_t told_ns, bool runs_on)
{
	uint64_t early_ns = runs_on ? 0 : EARLIEST_NS;

	for (size_t i = cpu->first; i < cpu->nr; i++) {
		if (cpu->switches[i].time_ns + early_ns >= told_ns)
			return cpu->switches[i].tid;
	}
	return -1;
}

void group_switches_free(struct group_build *groups)
{
	for (int i = 0; i < groups->nr_cpus; i++)
		free(groups->cpus[i].switches);
	free(groups->cpus);
}

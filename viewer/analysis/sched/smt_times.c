// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/smt_times.h"

#include <stdlib.h>

#include "util/xalloc.h"

/* The siblings of one CPU, and how far each is gone through. */
struct siblings {
	int nr;
	int *cpus;
	size_t *next; /* the first slice that ends behind the time at hand */
};

/* What the siblings do from a point in time on. */
struct moment {
	uint64_t until_ns;
	uint32_t by; /* MODEL_NO_THREAD: nobody runs */
	int by_cpu;
};

static void find_siblings(struct siblings *siblings, const struct model *model, int cpu)
{
	siblings->nr = 0;
	for (int other = 0; other < model->nr_cpus; other++) {
		if (topology_distance(&model->topology, cpu, other) != SMT_SIBLING)
			continue;
		siblings->next[siblings->nr] = 0;
		siblings->cpus[siblings->nr++] = other;
	}
}

static struct moment moment_at(const struct siblings *siblings, const struct model *model,
			       uint64_t at_ns, uint64_t end_ns)
{
	struct moment moment = { .until_ns = end_ns, .by = MODEL_NO_THREAD };

	for (int i = 0; i < siblings->nr; i++) {
		const struct slice_table *slices = &model->cpus[siblings->cpus[i]].slices;
		size_t *next = &siblings->next[i];
		uint64_t change_ns;

		while (*next < slices->nr && slices->end_ns[*next] <= at_ns)
			++*next;
		if (*next == slices->nr)
			continue;
		change_ns = slices->start_ns[*next];
		if (change_ns <= at_ns) {
			uint32_t thread = slices->thread[*next];

			change_ns = slices->end_ns[*next];
			if (moment.by == MODEL_NO_THREAD ||
			    (model->threads[thread].in_session &&
			     !model->threads[moment.by].in_session)) {
				moment.by = thread;
				moment.by_cpu = siblings->cpus[i];
			}
		}
		if (change_ns < moment.until_ns)
			moment.until_ns = change_ns;
	}
	return moment;
}

static void add_slice(struct smt_cpu *cpu, const struct siblings *siblings,
		      const struct model *model, const struct slice_table *slices, size_t slice)
{
	uint64_t at_ns = slices->start_ns[slice];

	while (at_ns < slices->end_ns[slice]) {
		struct moment moment = moment_at(siblings, model, at_ns, slices->end_ns[slice]);

		if (moment.by != MODEL_NO_THREAD) {
			ARRAY_MAKE_ROOM(cpu->pieces, cpu->nr, cpu->capacity);
			cpu->pieces[cpu->nr++] = (struct smt_piece){
				.from_ns = at_ns,
				.to_ns = moment.until_ns,
				.thread = slices->thread[slice],
				.by = moment.by,
				.by_cpu = (int16_t)moment.by_cpu,
			};
		}
		at_ns = moment.until_ns;
	}
}

static void add_cpu(struct smt_times *times, const struct siblings *siblings,
		    const struct model *model, int cpu)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;

	for (size_t i = 0; i < slices->nr; i++) {
		if (model->threads[slices->thread[i]].in_session)
			add_slice(&times->cpus[cpu], siblings, model, slices, i);
	}
}

static void add_busy(struct intervals *busy, const struct cpu *cpu, uint64_t duration_ns)
{
	if (!cpu->seen)
		intervals_add(busy, 0, duration_ns);
	for (size_t i = 0; i < cpu->slices.nr; i++)
		intervals_add(busy, cpu->slices.start_ns[i], cpu->slices.end_ns[i]);
	for (size_t i = 0; i < cpu->gaps.nr; i++)
		intervals_add(busy, cpu->gaps.start_ns[i], cpu->gaps.end_ns[i]);
	for (size_t i = 0; i < cpu->idle.nr; i++) {
		if (cpu->idle.state[i] == IDLE_STATE_OFFLINE)
			intervals_add(busy, cpu->idle.start_ns[i], cpu->idle.end_ns[i]);
	}
}

static void add_idle(struct intervals *idle, uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns > from_ns && to_ns - from_ns >= SMT_IDLE_LEAST_NS)
		intervals_add(idle, from_ns, to_ns);
}

/* When the core of @cpu and its siblings was idle. */
static void add_idle_core(struct intervals *idle, const struct siblings *siblings,
			  const struct model *model, int cpu)
{
	struct intervals busy = { 0 };
	uint64_t at_ns = 0;

	add_busy(&busy, &model->cpus[cpu], model->duration_ns);
	for (int i = 0; i < siblings->nr; i++)
		add_busy(&busy, &model->cpus[siblings->cpus[i]], model->duration_ns);
	intervals_unite(&busy);
	for (size_t i = 0; i < busy.nr; i++) {
		add_idle(idle, at_ns, busy.rows[i].from_ns);
		at_ns = busy.rows[i].to_ns;
	}
	add_idle(idle, at_ns, model->duration_ns);
	intervals_free(&busy);
}

struct smt_times smt_times_compute(const struct model *model)
{
	struct smt_times times = { 0 };
	struct siblings siblings = {
		.cpus = xcalloc((size_t)model->nr_cpus + 1, sizeof(*siblings.cpus)),
		.next = xcalloc((size_t)model->nr_cpus + 1, sizeof(*siblings.next)),
	};

	times.cpus = xcalloc((size_t)model->nr_cpus + 1, sizeof(*times.cpus));
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		find_siblings(&siblings, model, cpu);
		if (!siblings.nr)
			continue;
		times.has_siblings = true;
		times.nr_cpus = model->nr_cpus;
		add_cpu(&times, &siblings, model, cpu);
		/* Once for each core. */
		if (cpu < siblings.cpus[0])
			add_idle_core(&times.idle_cores, &siblings, model, cpu);
	}
	intervals_unite(&times.idle_cores);
	free(siblings.cpus);
	free(siblings.next);
	return times;
}

void smt_times_free(struct smt_times *times)
{
	for (int cpu = 0; cpu < times->nr_cpus; cpu++)
		free(times->cpus[cpu].pieces);
	free(times->cpus);
	intervals_free(&times->idle_cores);
	*times = (struct smt_times){ 0 };
}

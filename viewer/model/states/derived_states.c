// SPDX-License-Identifier: GPL-2.0
#include "model/states/derived_states.h"

#include <stdlib.h>

#include "util/xalloc.h"

#define NO_CPU (-1)

/* What a thread does, as far as the walk has come. */
struct track {
	uint64_t end_ns; /* of its last slice */
	uint64_t woken_ns;
	bool is_woken;
	uint8_t state;
	int16_t cpu;
};

struct walk {
	const struct model *model;
	void (*use)(void *context, const struct derived_state *state);
	void *context;
	struct track *threads;
	size_t *next; /* row of each CPU's slices */
	int *cpus; /* that have any left, by the start of the next one */
	int nr_cpus;
};

static void imply_state(const struct walk *walk, uint32_t thread, uint64_t start_ns, uint8_t state,
			int16_t cpu)
{
	struct derived_state implied = { thread, start_ns, state, cpu };

	walk->use(walk->context, &implied);
}

static void add_wakeup(const struct walk *walk, uint32_t thread, int16_t cpu)
{
	struct track *track = &walk->threads[thread];

	if (track->is_woken)
		imply_state(walk, thread, track->woken_ns, STATE_RUNNABLE, cpu);
	track->is_woken = false;
}

static void take_wakeup(const struct walk *walk, size_t row)
{
	const struct wakeup_table *wakeups = &walk->model->wakeups;
	struct track *track = &walk->threads[wakeups->wakee[row]];

	if (track->is_woken || wakeups->time_ns[row] < track->end_ns ||
	    track->state == STATE_RUNNING || track->state == STATE_PREEMPTED ||
	    track->state == STATE_DEAD)
		return;
	track->is_woken = true;
	track->woken_ns = wakeups->time_ns[row];
}

static void take_slice(const struct walk *walk, int cpu, size_t row)
{
	const struct slice_table *slices = &walk->model->cpus[cpu].slices;
	uint32_t thread = slices->thread[row];
	struct track *track = &walk->threads[thread];

	add_wakeup(walk, thread, (int16_t)cpu);
	imply_state(walk, thread, slices->start_ns[row], STATE_RUNNING, (int16_t)cpu);
	if (slices->end_state[row] != STATE_RUNNING)
		imply_state(walk, thread, slices->end_ns[row], slices->end_state[row],
			    (int16_t)cpu);
	track->state = slices->end_state[row];
	track->end_ns = slices->end_ns[row];
	track->cpu = (int16_t)cpu;
}

static uint64_t next_start(const struct walk *walk, int cpu)
{
	return walk->model->cpus[cpu].slices.start_ns[walk->next[cpu]];
}

/* The CPU at @at may have a later start than those after it. */
static void sink_row(struct walk *walk, int at)
{
	int cpu = walk->cpus[at];
	uint64_t start_ns = next_start(walk, cpu);

	for (; at + 1 < walk->nr_cpus && next_start(walk, walk->cpus[at + 1]) < start_ns; at++)
		walk->cpus[at] = walk->cpus[at + 1];
	walk->cpus[at] = cpu;
}

static void begin_walk(struct walk *walk)
{
	const struct model *model = walk->model;

	walk->threads = xcalloc(model->nr_threads + 1, sizeof(*walk->threads));
	for (size_t i = 0; i < model->nr_threads; i++)
		walk->threads[i].cpu = NO_CPU;
	walk->next = xcalloc((size_t)model->nr_cpus + 1, sizeof(*walk->next));
	walk->cpus = xcalloc((size_t)model->nr_cpus + 1, sizeof(*walk->cpus));
	for (int cpu = model->nr_cpus - 1; cpu >= 0; cpu--) {
		if (!model->cpus[cpu].slices.nr)
			continue;
		for (int i = walk->nr_cpus++; i > 0; i--)
			walk->cpus[i] = walk->cpus[i - 1];
		walk->cpus[0] = cpu;
		sink_row(walk, 0);
	}
}

static void take_first_slice(struct walk *walk)
{
	int cpu = walk->cpus[0];

	take_slice(walk, cpu, walk->next[cpu]++);
	if (walk->next[cpu] < walk->model->cpus[cpu].slices.nr) {
		sink_row(walk, 0);
		return;
	}
	walk->nr_cpus--;
	for (int i = 0; i < walk->nr_cpus; i++)
		walk->cpus[i] = walk->cpus[i + 1];
}

void derived_states_each(const struct model *model,
			 void (*use)(void *context, const struct derived_state *state),
			 void *context)
{
	struct walk walk = { .model = model, .use = use, .context = context };
	const struct wakeup_table *wakeups = &model->wakeups;
	size_t wakeup = 0;

	begin_walk(&walk);
	while (walk.nr_cpus || wakeup < wakeups->nr) {
		if (wakeup < wakeups->nr &&
		    (!walk.nr_cpus || wakeups->time_ns[wakeup] <= next_start(&walk, walk.cpus[0])))
			take_wakeup(&walk, wakeup++);
		else
			take_first_slice(&walk);
	}
	for (uint32_t i = 0; i < model->nr_threads; i++)
		add_wakeup(&walk, i, walk.threads[i].cpu);
	free(walk.threads);
	free(walk.next);
	free(walk.cpus);
}

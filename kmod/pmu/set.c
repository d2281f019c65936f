// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a set of events, and frees it.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/slab.h>

#include "pmu/set.h"

static void set_link_counters(struct annot_pmu_set *set)
{
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < set->nr; i++)
			per_cpu_ptr(set->counters, cpu)[i].event = &set->events[i];
	}
}

/* All at once, so that each finds its counter beside the others. */
static void set_try_events(struct annot_pmu_set *set, struct annot_event *asked)
{
	struct perf_event *tried[ANNOT_EVENTS_MAX];
	u32 i;

	for (i = 0; i < set->nr; i++) {
		set->events[i].index = i;
		tried[i] = annot_pmu_event_try(&set->events[i], &asked[i]);
	}
	for (i = 0; i < set->nr; i++) {
		if (!IS_ERR(tried[i]))
			perf_event_release_kernel(tried[i]);
	}
}

struct annot_pmu_set *annot_pmu_set_make(struct annot_event *asked, const struct annot_events *head,
					 const struct file *owner)
{
	struct annot_pmu_set *set = kzalloc(sizeof(*set), GFP_KERNEL);
	u32 i;

	if (!set)
		return ERR_PTR(-ENOMEM);
	set->owner = owner;
	set->nr = head->nr;
	set->counters = __alloc_percpu(head->nr * sizeof(struct annot_pmu_counter),
				       __alignof__(struct annot_pmu_counter));
	if (!set->counters) {
		kfree(set);
		return ERR_PTR(-ENOMEM);
	}
	set_link_counters(set);
	set_try_events(set, asked);
	for (i = 0; i < set->nr; i++) {
		set->events[i].max_samples = head->max_samples;
		set->masks[asked[i].mode] |= BIT(i);
		if (asked[i].mode == ANNOT_EVENT_COUNT)
			set->counted[set->nr_counted++] = i;
		if (asked[i].flags & ANNOT_EVENT_SHARED)
			set->shared |= BIT(i);
		annot_pmu_event_text(&set->events[i], asked[i].name, &set->texts[i]);
	}
	return set;
}

void annot_pmu_set_free(struct annot_pmu_set *set)
{
	free_percpu(set->counters);
	kfree(set);
}

// SPDX-License-Identifier: GPL-2.0
/*
 * Who records annotations in which form.
 *
 * Each ftrace instance is a recording of its own. An instance that has enabled an event of single
 * annotations takes no batches, even if it has enabled all events (trace-cmd record -e annot):
 * otherwise it would have each annotation twice. One instance does not affect the others.
 *
 * An annotation cuts the slice that is counted. The counts up to it stand beside it in its batch
 * if every instance that records counts takes batches. Otherwise they are an event of their own,
 * for all. An instance that does not record counts has none in its batches.
 */
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

#include "ftrace/instances.h"

struct instance {
	struct list_head node;
	struct trace_array *tr;
	unsigned int nr_single; /* number of enabled events of single annotations */
	bool has_batches;
	bool has_counts;
	struct rcu_head rcu;
};

/* Written under the lock of watch.c, read under RCU. */
static LIST_HEAD(instances);
static unsigned int nr_others[ANNOT_COUNTS + 1]; /* perf events, by form */
static bool all_shadowed; /* all that have enabled annot_batch take single annotations */
static bool counts_apart; /* one that has enabled annot_slice_counts takes no batches */

static struct instance *instance_find(const struct trace_array *tr)
{
	struct instance *instance;

	list_for_each_entry_rcu(instance, &instances, node, true) {
		if (instance->tr == tr)
			return instance;
	}
	return NULL;
}

static bool instance_takes_batches(const struct instance *instance)
{
	return instance->has_batches && !READ_ONCE(instance->nr_single);
}

static void instances_update(void)
{
	unsigned int nr_takers = nr_others[ANNOT_BATCHES], nr_shadowed = 0;
	bool any_apart = nr_others[ANNOT_COUNTS];
	struct instance *instance;

	list_for_each_entry(instance, &instances, node) {
		if (instance_takes_batches(instance))
			nr_takers++;
		else if (instance->has_batches)
			nr_shadowed++;
		any_apart |= instance->has_counts && !instance_takes_batches(instance);
	}
	WRITE_ONCE(all_shadowed, nr_shadowed && !nr_takers);
	WRITE_ONCE(counts_apart, any_apart);
}

bool annot_instances_shadow_batches(void)
{
	return READ_ONCE(all_shadowed);
}

bool annot_instances_want_counts_apart(void)
{
	return READ_ONCE(counts_apart);
}

bool annot_instances_take_batches(const struct trace_event_file *file, bool *with_counts)
{
	const struct instance *instance = instance_find(file->tr);

	*with_counts = instance && READ_ONCE(instance->has_counts);
	return !instance || !READ_ONCE(instance->nr_single);
}

static struct instance *instance_find_or_make(struct trace_array *tr)
{
	struct instance *instance = instance_find(tr);

	if (instance)
		return instance;
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return NULL;
	instance->tr = tr;
	list_add_rcu(&instance->node, &instances);
	return instance;
}

/* @by: 1 or -1. An event that was enabled before the module watched was not counted. */
static void instance_change(struct instance *instance, enum annot_form form, int by)
{
	switch (form) {
	case ANNOT_SINGLES:
		if (by > 0 || instance->nr_single)
			WRITE_ONCE(instance->nr_single, instance->nr_single + by);
		break;
	case ANNOT_BATCHES:
		instance->has_batches = by > 0;
		break;
	case ANNOT_COUNTS:
		WRITE_ONCE(instance->has_counts, by > 0);
		break;
	}
}

int annot_instances_add(const struct trace_event_file *file, enum annot_form form)
{
	struct instance *instance;

	if (file) {
		instance = instance_find_or_make(file->tr);
		if (!instance)
			return -ENOMEM;
		instance_change(instance, form, 1);
	} else {
		nr_others[form]++;
	}
	instances_update();
	return 0;
}

static void instance_forget(struct instance *instance)
{
	list_del_rcu(&instance->node);
	kfree_rcu(instance, rcu);
}

void annot_instances_remove(const struct trace_event_file *file, enum annot_form form)
{
	struct instance *instance = file ? instance_find(file->tr) : NULL;

	if (!file)
		nr_others[form]--;
	if (instance) {
		instance_change(instance, form, -1);
		if (!instance->nr_single && !instance->has_batches && !instance->has_counts)
			instance_forget(instance);
	}
	instances_update();
}

void annot_instances_forget(void)
{
	struct instance *instance, *next;

	list_for_each_entry_safe(instance, next, &instances, node)
		instance_forget(instance);
	memset(nr_others, 0, sizeof(nr_others));
	instances_update();
}

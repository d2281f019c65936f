// SPDX-License-Identifier: GPL-2.0
/*
 * Who records annotations in which form.
 *
 * Each ftrace instance is a recording of its own. One that has enabled the events of single
 * annotations takes no batches, even if it has enabled all that there is (trace-cmd record -e
 * annot): it would have each annotation twice. What it takes is nothing to the others.
 *
 * The counts that an annotation cuts stand beside it in its batch, if all who record counts take
 * batches; else in an event of their own, for all. Who does not record counts has none in batches.
 */
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/slab.h>

#include "annot.h"

struct instance {
	struct list_head node;
	struct trace_array *tr;
	unsigned int nr_single; /* of the four events, how many are enabled */
	bool has_batches;
	bool has_counts;
	struct rcu_head rcu;
};

/* Written under the lock of annotations_reg() (events.c), read under RCU. */
static LIST_HEAD(instances);
static unsigned int nr_others[ANNOT_COUNTS + 1]; /* perf events, by form */
static bool all_shadowed; /* whoever has enabled annot_batch takes single annotations */
static bool counts_apart; /* who has enabled annot_slice_counts does not take batches */

static struct instance *find(const struct trace_array *tr)
{
	struct instance *instance;

	list_for_each_entry_rcu(instance, &instances, node, true) {
		if (instance->tr == tr)
			return instance;
	}
	return NULL;
}

static bool takes_batches(const struct instance *instance)
{
	return instance->has_batches && !READ_ONCE(instance->nr_single);
}

static void judge(void)
{
	unsigned int nr_takers = nr_others[ANNOT_BATCHES], nr_shadowed = 0;
	bool any_apart = nr_others[ANNOT_COUNTS];
	struct instance *instance;

	list_for_each_entry(instance, &instances, node) {
		if (takes_batches(instance))
			nr_takers++;
		else if (instance->has_batches)
			nr_shadowed++;
		any_apart |= instance->has_counts && !takes_batches(instance);
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

bool annot_instance_takes_batches(const struct trace_event_file *file, bool *with_counts)
{
	const struct instance *instance = find(file->tr);

	*with_counts = instance && READ_ONCE(instance->has_counts);
	return !instance || !READ_ONCE(instance->nr_single);
}

static struct instance *find_or_make(struct trace_array *tr)
{
	struct instance *instance = find(tr);

	if (instance)
		return instance;
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return NULL;
	instance->tr = tr;
	list_add_rcu(&instance->node, &instances);
	return instance;
}

/* @by: 1 or -1. It may have been enabled before anybody looked: then it was not counted. */
static void change(struct instance *instance, enum annot_form form, int by)
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

int annot_instance_add(const struct trace_event_file *file, enum annot_form form)
{
	struct instance *instance;

	if (file) {
		instance = find_or_make(file->tr);
		if (!instance)
			return -ENOMEM;
		change(instance, form, 1);
	} else {
		nr_others[form]++;
	}
	judge();
	return 0;
}

static void forget(struct instance *instance)
{
	list_del_rcu(&instance->node);
	kfree_rcu(instance, rcu);
}

void annot_instance_remove(const struct trace_event_file *file, enum annot_form form)
{
	struct instance *instance = file ? find(file->tr) : NULL;

	if (!file)
		nr_others[form]--;
	if (instance) {
		change(instance, form, -1);
		if (!instance->nr_single && !instance->has_batches && !instance->has_counts)
			forget(instance);
	}
	judge();
}

void annot_instances_forget(void)
{
	struct instance *instance, *next;

	list_for_each_entry_safe(instance, next, &instances, node)
		forget(instance);
	memset(nr_others, 0, sizeof(nr_others));
	judge();
}

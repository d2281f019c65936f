// SPDX-License-Identifier: GPL-2.0
/*
 * ANNOT_IOC_EVENTS: the set of events, which belongs to an open file of /dev/annot/ctl.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <uapi/annot.h>

#include "annot.h"
#include "pmu.h"

static int check_events(const struct annot_event *asked, u32 nr)
{
	u32 i;
	int err;

	for (i = 0; i < nr; i++) {
		err = annot_pmu_event_check(&asked[i]);
		if (err)
			return err;
	}
	return 0;
}

static void link_counters(struct annot_pmu_set *set)
{
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		for (i = 0; i < set->nr; i++)
			per_cpu_ptr(set->counters, cpu)[i].event = &set->events[i];
	}
}

static struct annot_pmu_set *make_set(struct annot_event *asked, const struct annot_events *head,
				      const struct file *owner)
{
	struct annot_pmu_set *set = kzalloc(sizeof(*set), GFP_KERNEL);
	u32 i;

	if (!set)
		return ERR_PTR(-ENOMEM);
	set->owner = owner;
	set->nr = head->nr;
	set->counters = __alloc_percpu(head->nr * sizeof(struct annot_counter),
				       __alignof__(struct annot_counter));
	if (!set->counters) {
		kfree(set);
		return ERR_PTR(-ENOMEM);
	}
	link_counters(set);
	annot_pmu_events_try(set, asked);
	for (i = 0; i < set->nr; i++) {
		set->events[i].max_samples = head->max_samples;
		set->masks[asked[i].mode] |= BIT(i);
		if (asked[i].mode == ANNOT_EVENT_COUNT)
			set->counted[set->nr_counted++] = i;
		annot_pmu_event_text(&set->events[i], asked[i].name, &set->texts[i]);
	}
	return set;
}

void annot_pmu_free_set(struct annot_pmu_set *set)
{
	free_percpu(set->counters);
	kfree(set);
}

static int use_events(const struct file *file, const struct annot_events *head)
{
	size_t bytes = head->nr * sizeof(struct annot_event);
	void __user *to = u64_to_user_ptr(head->events);
	struct annot_event *asked = memdup_user(to, bytes);
	struct annot_pmu_set *set;
	int err;

	if (IS_ERR(asked))
		return PTR_ERR(asked);
	err = check_events(asked, head->nr);
	if (err)
		goto out;
	set = make_set(asked, head, file);
	if (IS_ERR(set)) {
		err = PTR_ERR(set);
		goto out;
	}
	/* What was got is told before it is taken into use: if it cannot be told, nothing is. */
	err = copy_to_user(to, asked, bytes) ? -EFAULT : annot_pmu_use_set(set, file);
	if (err)
		annot_pmu_free_set(set);
out:
	kfree(asked);
	return err;
}

long annot_events_set(struct file *file, const void __user *argument)
{
	struct annot_events head;

	if (!perfmon_capable())
		return -EPERM;
	if (copy_from_user(&head, argument, sizeof(head)))
		return -EFAULT;
	if (head.nr > ANNOT_EVENTS_MAX || head.reserved || head.max_samples > S64_MAX)
		return -EINVAL;
	return head.nr ? use_events(file, &head) : annot_pmu_use_set(NULL, file);
}

void annot_events_release(struct file *file)
{
	annot_pmu_use_set(NULL, file);
}
